import type { MigrationInterface, QueryRunner } from 'typeorm';

/** A claim takes the due retries of an endpoint before its first attempts, of which any number may wait. */
export class IndexRetriesOfEndpoints1764300000210 implements MigrationInterface {
  readonly transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('DROP INDEX CONCURRENTLY IF EXISTS pending_retries');
    await runner.query(`
      CREATE INDEX CONCURRENTLY pending_retries ON pending_deliveries (endpoint_id, next_attempt_at, id)
      WHERE claimed_until IS NULL AND attempts_made > 0`);
  }

  async down(): Promise<void> {
    throw new Error('migrations only go forward');
  }
}
