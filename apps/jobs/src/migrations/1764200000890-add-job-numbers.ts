import { withLockRetry } from '@switchboard/database';
import type { MigrationInterface, QueryRunner } from 'typeorm';

const JOB_NUMBERS = `
  -- Business numbers of a job that sends from several. A job with one number has none, and names it in jobs.phone_number.
  CREATE TABLE job_numbers (
    account_id text NOT NULL,
    job_id text NOT NULL,
    phone_number text NOT NULL,
    -- Order in the request.
    position smallint NOT NULL,
    -- Why the number sends nothing more for the job. Null while it sends.
    stopped_reason text,
    -- Recipients that were released to the number, and those of them without a result, and that failed.
    taken int NOT NULL DEFAULT 0,
    released int NOT NULL DEFAULT 0,
    failed int NOT NULL DEFAULT 0,
    PRIMARY KEY (job_id, phone_number)
  ) WITH (fillfactor = 40)`;

/** What messaging reported about the number at limits_at, and the number of recipients released since. */
const LIMITS = `
  ALTER TABLE lanes ADD COLUMN portfolio text, ADD COLUMN messaging_limit int, ADD COLUMN left_today int, ADD COLUMN limits_at timestamptz,
    ADD COLUMN released_since int NOT NULL DEFAULT 0`;

export class AddJobNumbers1764200000890 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(JOB_NUMBERS);
    await withLockRetry(runner, [LIMITS]);
  }

  async down(): Promise<void> {
    throw new Error('migrations go forward only');
  }
}
