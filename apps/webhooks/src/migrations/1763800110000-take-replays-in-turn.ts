import type { MigrationInterface, QueryRunner } from 'typeorm';

/** When a replay had its last turn, so that the accounts take turns, and in each account its replays. */
export class TakeReplaysInTurn1763800110000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE replays ADD stepped_at timestamptz');
    await runner.query(
      'CREATE INDEX replays_in_turn ON replays (account_id, stepped_at NULLS FIRST, id) WHERE finished_at IS NULL',
    );
  }

  async down(): Promise<void> {
    throw new Error('migrations only go forward');
  }
}
