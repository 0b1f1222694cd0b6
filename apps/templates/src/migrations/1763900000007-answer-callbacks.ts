import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Which reading answered a callback: its reason and its warnings are told with that reading, once. What came before is
 * not told again.
 */
export class AnswerCallbacks1763900000007 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE template_events ADD answered_at timestamptz DEFAULT now()');
    await runner.query('ALTER TABLE template_events ALTER answered_at DROP DEFAULT');
    await runner.query(
      `CREATE INDEX template_events_unanswered ON template_events (account_id, waba_id)
       WHERE callback_field = 'message_template_status_update' AND answered_at IS NULL`,
    );
  }

  async down(): Promise<void> {
    throw new Error('migrations only go forward');
  }
}
