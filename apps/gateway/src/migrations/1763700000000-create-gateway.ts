import { createMessageTables } from '@switchboard/database';
import type { MigrationInterface, QueryRunner } from 'typeorm';

const STATEMENTS = [
  `CREATE TABLE plans (
     name text PRIMARY KEY,
     features text[] NOT NULL DEFAULT '{}',
     bulk_recipients int NOT NULL DEFAULT 0 CHECK (bulk_recipients >= 0),
     excel_rows int NOT NULL DEFAULT 0 CHECK (excel_rows BETWEEN 0 AND 100000),
     rate_limit int NOT NULL CHECK (rate_limit > 0),
     rate_window_seconds int NOT NULL CHECK (rate_window_seconds > 0),
     monthly_credits int NOT NULL DEFAULT 0 CHECK (monthly_credits >= 0)
   )`,
  `INSERT INTO plans (name, features, bulk_recipients, excel_rows, rate_limit, rate_window_seconds, monthly_credits) VALUES
     ('starter', '{}', 0, 0, 60, 60, 0),
     ('growth', '{BULK_MSG_LIMIT,BULK_EXCEL,MEDIA,THIRD_PARTY_API}', 1000, 10000, 600, 60, 1000),
     ('scale', '{BULK_MSG_LIMIT,BULK_EXCEL,MEDIA,THIRD_PARTY_API}', 10000, 100000, 6000, 60, 10000)`,
  `CREATE TABLE accounts (
     id text PRIMARY KEY,
     name text NOT NULL,
     plan text NOT NULL REFERENCES plans (name),
     created_at timestamptz NOT NULL DEFAULT now()
   )`,
  `CREATE TABLE api_keys (
     id text PRIMARY KEY,
     account_id text NOT NULL REFERENCES accounts (id),
     name text NOT NULL,
     sha256 bytea NOT NULL UNIQUE,
     prefix text NOT NULL,
     last_four text NOT NULL,
     allowed_ips text[] NOT NULL DEFAULT '{}',
     allowed_routes text[] NOT NULL DEFAULT '{}',
     expires_at timestamptz,
     revoked_at timestamptz,
     last_used_at timestamptz,
     created_at timestamptz NOT NULL DEFAULT now()
   )`,
  'CREATE INDEX api_keys_account ON api_keys (account_id, created_at)',
  `CREATE TABLE credit_balances (
     account_id text NOT NULL REFERENCES accounts (id),
     category text NOT NULL CHECK (category IN ('utility')),
     balance bigint NOT NULL CHECK (balance >= 0),
     PRIMARY KEY (account_id, category)
   )`,
  `CREATE TABLE credit_ledger (
     id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
     account_id text NOT NULL REFERENCES accounts (id),
     category text NOT NULL CHECK (category IN ('utility')),
     amount bigint NOT NULL,
     kind text NOT NULL CHECK (kind IN ('grant', 'reserve', 'settle', 'refund')),
     reason text NOT NULL,
     created_at timestamptz NOT NULL DEFAULT now()
   )`,
  'CREATE INDEX credit_ledger_account ON credit_ledger (account_id, category, id)',
  `CREATE TABLE audit_log (
     id text PRIMARY KEY,
     actor text NOT NULL,
     action text NOT NULL,
     account_id text,
     target text NOT NULL,
     details jsonb NOT NULL DEFAULT '{}',
     created_at timestamptz NOT NULL DEFAULT now()
   )`,
  'CREATE INDEX audit_log_account ON audit_log (account_id, created_at)',
  `CREATE TABLE callback_inbox (
     id text PRIMARY KEY,
     body bytea NOT NULL,
     received_at timestamptz NOT NULL DEFAULT now()
   )`,
  'CREATE INDEX callback_inbox_received ON callback_inbox (received_at)',
  // The ledger is history: what was written stays as it is (a correction is another row).
  `CREATE FUNCTION refuse_change() RETURNS trigger LANGUAGE plpgsql AS $$
     BEGIN RAISE EXCEPTION '% is append-only', TG_TABLE_NAME; END $$`,
  'CREATE TRIGGER credit_ledger_append_only BEFORE UPDATE OR DELETE ON credit_ledger FOR EACH ROW EXECUTE FUNCTION refuse_change()',
  ...createMessageTables,
];

export class CreateGateway1763700000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    for (const statement of STATEMENTS) await runner.query(statement);
  }

  async down(): Promise<void> {
    throw new Error('migrations go forward only');
  }
}
