import type { MigrationInterface, QueryRunner } from 'typeorm';

const STATEMENTS = [
  `CREATE TABLE credit_reservations (
     id text PRIMARY KEY,
     account_id text NOT NULL REFERENCES accounts (id),
     category text NOT NULL,
     amount int NOT NULL CHECK (amount > 0),
     state text NOT NULL DEFAULT 'held' CHECK (state IN ('held', 'settled', 'refunded', 'expired')),
     held_until timestamptz NOT NULL,
     created_at timestamptz NOT NULL DEFAULT now(),
     ended_at timestamptz
   )`,
  "CREATE INDEX credit_reservations_held ON credit_reservations (held_until) WHERE state = 'held'",
  'CREATE INDEX credit_reservations_ended ON credit_reservations (ended_at) WHERE ended_at IS NOT NULL',
  'ALTER TABLE credit_ledger ADD COLUMN reservation_id text, ADD COLUMN grant_month date',
  'ALTER TABLE credit_ledger DROP CONSTRAINT credit_ledger_kind_check',
  "ALTER TABLE credit_ledger ADD CONSTRAINT credit_ledger_kind_check CHECK (kind IN ('grant', 'top_up', 'reserve', 'settle', 'refund'))",
  // One grant a month, whoever grants and how often they try.
  'CREATE UNIQUE INDEX credit_ledger_monthly ON credit_ledger (account_id, category, grant_month) WHERE grant_month IS NOT NULL',
];

export class AddCreditReservations1763810000002 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    for (const statement of STATEMENTS) await runner.query(statement);
  }

  async down(): Promise<void> {
    throw new Error('migrations go forward only');
  }
}
