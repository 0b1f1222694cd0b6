import { withLockRetry } from '@switchboard/database';
import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Null for a job with one number, and for a recipient that was not released or waits for another release. */
const BUSINESS_NUMBER = 'ALTER TABLE recipients ADD COLUMN business_number text';

/** A migration of its own, because a transaction must not hold the locks of lanes and recipients together. */
export class AddBusinessNumber1764200000895 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await withLockRetry(runner, [BUSINESS_NUMBER]);
  }

  async down(): Promise<void> {
    throw new Error('migrations go forward only');
  }
}
