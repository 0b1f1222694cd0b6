import type { MigrationInterface, QueryRunner } from 'typeorm';

const SPEND = `
  -- Cap of an account per calendar month (UTC). Caps of jobs arrive with their tasks.
  CREATE TABLE spend_caps (
    account_id text COLLATE "C" PRIMARY KEY,
    currency text NOT NULL,
    amount numeric NOT NULL CHECK (amount >= 0),
    created_at timestamptz NOT NULL DEFAULT now(),
    updated_at timestamptz NOT NULL DEFAULT now()
  );

  -- Amounts that count towards a cap: of an account and month, or of a job. The unused part of the key is empty.
  CREATE TABLE spend_totals (
    account_id text COLLATE "C" NOT NULL,
    job_id text COLLATE "C" NOT NULL,
    month text COLLATE "C" NOT NULL,
    reserved numeric NOT NULL DEFAULT 0 CHECK (reserved >= 0),
    settled numeric NOT NULL DEFAULT 0 CHECK (settled >= 0),
    -- Highest percentage of the cap that a notice has reported.
    notified int NOT NULL DEFAULT 0,
    created_at timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (account_id, job_id, month)
  ) WITH (fillfactor = 40);
  CREATE INDEX spend_totals_age ON spend_totals (created_at);

  -- One row for each message that counts towards a cap, until it is added to the settled amounts.
  CREATE TABLE spend_reservations (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    message_id text COLLATE "C" NOT NULL,
    account_id text COLLATE "C" NOT NULL,
    -- Empty if the job has no cap, or the account has none.
    job_id text COLLATE "C" NOT NULL,
    month text COLLATE "C" NOT NULL,
    amount numeric NOT NULL CHECK (amount >= 0),
    reserved_at timestamptz NOT NULL DEFAULT now(),
    -- Amount to settle; null until it is known.
    final numeric CHECK (final >= 0),
    settle_at timestamptz NOT NULL
  );
  CREATE UNIQUE INDEX spend_reservations_open ON spend_reservations (message_id) WHERE final IS NULL;
  CREATE INDEX spend_reservations_due ON spend_reservations (settle_at)`;

export class CreateSpend1795800000880 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(SPEND);
  }

  async down(): Promise<void> {
    throw new Error('migrations go forward only');
  }
}
