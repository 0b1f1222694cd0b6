import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Retries in the order in which they are due, over all endpoints. First attempts, by far the most, are not in it. */
export class IndexDueRetries1763800150000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE INDEX pending_retries_due ON pending_deliveries (next_attempt_at, id)
      WHERE claimed_until IS NULL AND attempts_made > 0`);
  }

  async down(): Promise<void> {
    throw new Error('migrations only go forward');
  }
}
