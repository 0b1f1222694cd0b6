import { withLockRetry } from '@switchboard/database';
import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Spend cap of the job: an amount and its currency. */
const MAX_SPEND = 'ALTER TABLE jobs ADD COLUMN IF NOT EXISTS max_spend jsonb';

export class AddMaxSpend1764200000880 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await withLockRetry(runner, [MAX_SPEND]);
  }

  async down(): Promise<void> {
    throw new Error('migrations go forward only');
  }
}
