import type { MigrationInterface, QueryRunner } from 'typeorm';

const USAGE_DAYS = `
  -- Delivered messages with pricing by the day of their id, in UTC. Messages that are deleted later remain counted.
  CREATE TABLE usage_days (
    account_id text COLLATE "C" NOT NULL,
    day date NOT NULL,
    -- As the platform reported them; an empty text if it did not.
    category text COLLATE "C" NOT NULL,
    type text COLLATE "C" NOT NULL,
    billable text COLLATE "C" NOT NULL,
    -- An empty text if unknown, or for messages without a template or job.
    country text COLLATE "C" NOT NULL,
    template text COLLATE "C" NOT NULL,
    job_id text COLLATE "C" NOT NULL,
    delivered bigint NOT NULL,
    PRIMARY KEY (account_id, day, category, type, billable, country, template, job_id)
  ) WITH (fillfactor = 70);
  CREATE INDEX usage_days_age ON usage_days (day)`;

export class CreateUsageDays1795800000020 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(USAGE_DAYS);
  }

  async down(): Promise<void> {
    throw new Error('migrations go forward only');
  }
}
