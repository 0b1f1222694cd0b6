import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * What waits at an endpoint in the order of its events, as `deliveries_of_endpoint` gives what has ended: for the log,
 * which shows some events, or the newest. Built beside the writers, who would otherwise wait for it; begun again after
 * a crash.
 */
export class IndexPendingEvents1763960000180 implements MigrationInterface {
  readonly transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('DROP INDEX IF EXISTS pending_of_event');
    await runner.query('CREATE INDEX CONCURRENTLY pending_of_event ON pending_deliveries (endpoint_id, event_id)');
  }

  async down(): Promise<void> {
    throw new Error('migrations only go forward');
  }
}
