import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * What waits of a message is found by the message alone: an index that begins with the endpoint is one of several that
 * begin so, and the server took another one, which reads all that waits at the endpoint.
 */
export class IndexPendingMessages1764200000030 implements MigrationInterface {
  readonly transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('DROP INDEX CONCURRENTLY IF EXISTS pending_by_message');
    await runner.query(
      'CREATE INDEX CONCURRENTLY pending_by_message ON pending_deliveries (message_id) WHERE message_id IS NOT NULL',
    );
    await runner.query('DROP INDEX CONCURRENTLY IF EXISTS pending_of_message');
  }

  async down(): Promise<void> {
    throw new Error('migrations only go forward');
  }
}
