import type { MigrationInterface, QueryRunner } from 'typeorm';

/** So that a sweep finds what has just become due without a look at every endpoint. */
export class IndexOverdue1763800100000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('CREATE INDEX pending_overdue ON pending_deliveries (next_attempt_at, endpoint_id) WHERE claimed_until IS NULL');
  }

  async down(): Promise<void> {
    throw new Error('migrations only go forward');
  }
}
