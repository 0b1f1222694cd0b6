import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Credits that were spent on what did not arrive go back; their reservation stays known, so that a late settlement
 * takes nothing again.
 */
export class AllowReturnedCredits1763970000010 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE credit_reservations
        DROP CONSTRAINT credit_reservations_state_check,
        ADD CONSTRAINT credit_reservations_state_check CHECK (state IN ('held', 'settled', 'refunded', 'expired', 'returned'))`);
  }

  async down(): Promise<void> {
    throw new Error('migrations go forward only');
  }
}
