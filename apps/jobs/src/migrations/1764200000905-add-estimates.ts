import { withLockRetry } from '@switchboard/database';
import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Estimate of the job, the category of its template when it was created, and when the estimate is due or may be tried
 * again. Null in `estimate_after` once nothing is left to do.
 */
const ESTIMATES = `
  ALTER TABLE jobs ADD COLUMN IF NOT EXISTS estimate jsonb, ADD COLUMN IF NOT EXISTS template_category text,
    ADD COLUMN IF NOT EXISTS estimate_after timestamptz`;

export class AddEstimates1764200000905 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await withLockRetry(runner, [ESTIMATES]);
  }

  async down(): Promise<void> {
    throw new Error('migrations go forward only');
  }
}
