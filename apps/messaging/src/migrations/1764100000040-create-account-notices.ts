import type { MigrationInterface, QueryRunner } from 'typeorm';

/** What the upstream platform reported about business accounts and their numbers, for each account that it concerns. */
const STATEMENTS = [
  `CREATE TABLE account_notices (
    id text COLLATE "C" PRIMARY KEY,
    account_id text NOT NULL,
    -- The same for a callback that comes again.
    fact text NOT NULL,
    waba_id text NOT NULL,
    notice text NOT NULL,
    severity text NOT NULL,
    summary text NOT NULL,
    -- The account's numbers that it concerns.
    phone_numbers text[] NOT NULL,
    restrictions jsonb NOT NULL,
    messaging_limit text,
    details jsonb NOT NULL,
    occurred_at timestamptz NOT NULL,
    created_at timestamptz NOT NULL DEFAULT now(),
    UNIQUE (account_id, fact)
  )`,
  'CREATE INDEX account_notices_newest ON account_notices (account_id, id)',
  'CREATE INDEX account_notices_standing ON account_notices (account_id, waba_id, notice, occurred_at)',
];

export class CreateAccountNotices1764100000040 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    for (const sql of STATEMENTS) await runner.query(sql);
  }

  async down(): Promise<void> {
    throw new Error('migrations go forward only');
  }
}
