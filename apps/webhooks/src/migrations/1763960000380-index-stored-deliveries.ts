import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * First attempts that were stored and not begun, by the process that stored them, so that those of a dead one are found
 * at once.
 */
export class IndexStoredDeliveries1763960000380 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE INDEX pending_stored ON pending_deliveries (claimed_by, id)
      WHERE claimed_until IS NULL AND attempts_made = 0 AND claimed_by IS NOT NULL`);
  }

  async down(): Promise<void> {
    throw new Error('migrations only go forward');
  }
}
