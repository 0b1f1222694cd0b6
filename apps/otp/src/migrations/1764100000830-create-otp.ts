import { createMessageTables } from '@switchboard/database';
import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * One row per phone holds its codes, failures and send times, so that one row lock covers all decisions. With failures
 * in a separate table, concurrent attempts would each see the earlier state, and more than five would be evaluated.
 * Several codes can be valid while the delivery of the newest one is unknown.
 */
const CODES = `
  CREATE TYPE issued_code AS (send_id text, hmac bytea, expires_at timestamptz);
  CREATE TABLE codes (
    account_id text NOT NULL,
    phone text NOT NULL,
    -- Replaced by issued, as are the next two.
    code_hmac bytea CHECK (octet_length(code_hmac) = 32),
    expires_at timestamptz,
    spent_at timestamptz,
    failed_at timestamptz[] NOT NULL DEFAULT '{}',
    last_outcome text CHECK (last_outcome IN ('verified', 'refused', 'locked')),
    issued issued_code[] NOT NULL DEFAULT '{}',
    sent_at timestamptz[] NOT NULL DEFAULT '{}',
    touched_at timestamptz NOT NULL DEFAULT now(),
    -- The last verified code. Its client may repeat the request when the response was lost.
    verified_hmac bytea,
    verified_by text,
    verified_at timestamptz,
    PRIMARY KEY (account_id, phone)
  );
  COMMENT ON COLUMN codes.issued IS 'valid codes, the oldest first';
  CREATE INDEX codes_touched ON codes (touched_at);

  -- Results of attempts, for clients that repeat a request after a crash.
  CREATE TABLE attempts (
    id text PRIMARY KEY,
    account_id text NOT NULL,
    outcome text NOT NULL CHECK (outcome IN ('verified', 'refused', 'locked')),
    attempts_remaining int NOT NULL,
    unlocked_at timestamptz,
    at timestamptz NOT NULL DEFAULT now()
  );
  CREATE INDEX attempts_at ON attempts (at);`;

const SENDS = `
  CREATE TABLE sends (
    message_id text PRIMARY KEY,
    account_id text NOT NULL,
    phone text NOT NULL,
    attempt int NOT NULL DEFAULT 1,
    state text NOT NULL DEFAULT 'open' CHECK (state IN ('open', 'accepted', 'failed', 'abandoned')),
    began_at timestamptz NOT NULL DEFAULT now(),
    expires_at timestamptz NOT NULL,
    due_at timestamptz NOT NULL,
    upstream_id text,
    refusal jsonb,
    settled_at timestamptz,
    -- Time when the credit was returned because the delivery failed.
    undelivered_at timestamptz
  );
  COMMENT ON COLUMN sends.attempt IS 'each one reserves a credit of its own';
  COMMENT ON COLUMN sends.due_at IS 'after this time nobody hands the message over any more, and its outcome is asked for';
  CREATE INDEX sends_open ON sends (due_at) WHERE state = 'open';
  CREATE INDEX sends_settled ON sends (settled_at) WHERE settled_at IS NOT NULL;
  CREATE INDEX sends_phone ON sends (account_id, phone);

  -- Sends to numbers that differ only in their last four digits.
  CREATE TABLE prefixes (
    account_id text NOT NULL,
    prefix text NOT NULL,
    sent_at timestamptz[] NOT NULL,
    touched_at timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (account_id, prefix)
  );
  CREATE INDEX prefixes_touched ON prefixes (touched_at);`;

const ACCOUNTS = `
  CREATE TABLE account_settings (
    account_id text PRIMARY KEY,
    template_name text,
    template_language text,
    countries text[],
    sends_per_prefix int,
    updated_at timestamptz NOT NULL DEFAULT now(),
    CHECK ((template_name IS NULL) = (template_language IS NULL))
  );

  -- Several rows per day, so that attempts for different phones rarely wait for each other.
  CREATE TABLE figures (
    account_id text NOT NULL,
    day date NOT NULL,
    shard smallint NOT NULL,
    sent int NOT NULL DEFAULT 0,
    failed int NOT NULL DEFAULT 0,
    verified int NOT NULL DEFAULT 0,
    refused int NOT NULL DEFAULT 0,
    PRIMARY KEY (account_id, day, shard)
  );`;

export class CreateOtp1764100000830 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    for (const sql of [CODES, SENDS, ACCOUNTS, ...createMessageTables]) await runner.query(sql);
  }

  async down(): Promise<void> {
    throw new Error('migrations go forward only');
  }
}
