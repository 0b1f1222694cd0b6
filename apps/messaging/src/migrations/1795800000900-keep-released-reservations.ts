import { withLockRetry } from '@switchboard/database';
import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * A failed message keeps its reservation without an amount, since the platform may still report it as delivered.
 * `is_failed`: the last report was a failure. `is_released`: the totals no longer include the amount.
 */
const RELEASED = `
  ALTER TABLE spend_reservations ADD COLUMN IF NOT EXISTS is_failed boolean NOT NULL DEFAULT false,
    ADD COLUMN IF NOT EXISTS is_released boolean NOT NULL DEFAULT false`;

export class KeepReleasedReservations1795800000900 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await withLockRetry(runner, [RELEASED]);
  }

  async down(): Promise<void> {
    throw new Error('migrations go forward only');
  }
}
