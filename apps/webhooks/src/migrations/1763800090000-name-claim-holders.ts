import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The process that claimed a delivery last, so that the claims of a dead one end at once. */
export class NameClaimHolders1763800090000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE pending_deliveries ADD claimed_by int');
  }

  async down(): Promise<void> {
    throw new Error('migrations only go forward');
  }
}
