import { withLockRetry } from '@switchboard/database';
import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Quiet hours of a job, and the time until which all of its remaining recipients wait for their end. */
const JOBS = 'ALTER TABLE jobs ADD COLUMN quiet_hours jsonb, ADD COLUMN waiting_until timestamptz';

/**
 * Country whose clocks decide, only in jobs with quiet hours. `is_waiting` is true until the recipient is released for
 * the first time.
 */
const RECIPIENTS = `
  ALTER TABLE recipients ADD COLUMN region text, ADD COLUMN is_waiting boolean NOT NULL DEFAULT false`;

const JOB_REGIONS = `
  -- Recipients by region, of jobs with quiet hours.
  CREATE TABLE job_regions (
    account_id text NOT NULL,
    job_id text NOT NULL,
    -- Country code, or empty if the country is unknown.
    region text NOT NULL,
    -- Recipients that have not been released.
    pending int NOT NULL,
    PRIMARY KEY (job_id, region)
  ) WITH (fillfactor = 40)`;

export class AddQuietHours1795900000060 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(JOB_REGIONS);
    await withLockRetry(runner, [JOBS, RECIPIENTS]);
  }

  async down(): Promise<void> {
    throw new Error('migrations go forward only');
  }
}
