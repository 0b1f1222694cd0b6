import type { MigrationInterface, QueryRunner } from 'typeorm';

const RESULTS = `
  -- What became of the outbound messages of a day in UTC, by the day of their id, per value of a dimension.
  CREATE TABLE result_days (
    account_id text COLLATE "C" NOT NULL,
    -- template, job, label or agent.
    dimension text COLLATE "C" NOT NULL,
    day date NOT NULL,
    -- An empty text for messages without a value.
    key text COLLATE "C" NOT NULL,
    -- Counts of messages that were deleted before their day was final. Computing the day again keeps them.
    removed boolean NOT NULL,
    name text NOT NULL,
    sent int NOT NULL,
    delivered int NOT NULL,
    read int NOT NULL,
    answered int NOT NULL,
    pressed int NOT NULL,
    failed int NOT NULL,
    -- Failed messages by reason.
    reasons jsonb NOT NULL,
    -- Responses by the bucket of their time.
    times jsonb NOT NULL,
    PRIMARY KEY (account_id, dimension, day, key, removed)
  );
  CREATE INDEX result_days_age ON result_days (day);

  -- Days of which result_days has the results, or will have them.
  CREATE TABLE result_progress (
    account_id text COLLATE "C" NOT NULL,
    day date NOT NULL,
    -- NULL until the day was computed for the first time.
    computed_at timestamptz,
    -- When to compute the day again. NULL if it is final.
    due_at timestamptz,
    -- Deletions of messages of this day. A computation that one of them overtook is discarded.
    removals int NOT NULL DEFAULT 0,
    PRIMARY KEY (account_id, day)
  );
  CREATE INDEX result_progress_due ON result_progress (due_at) WHERE due_at IS NOT NULL;
  CREATE INDEX result_progress_age ON result_progress (day)`;

export class CreateResults1795900000100 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(RESULTS);
  }

  async down(): Promise<void> {
    throw new Error('migrations go forward only');
  }
}
