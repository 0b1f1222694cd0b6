import { createMessageTables } from '@switchboard/database';
import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Codes stand in the phone's one row, beside its failures and the times of its sends: one row lock decides on all of
 * them. More than one can be valid, while nobody knows yet whether the newest was delivered. The columns of the first
 * migration's single code are left for versions that still read them.
 */
const CODES = [
  'CREATE TYPE issued_code AS (send_id text, hmac bytea, expires_at timestamptz)',
  `ALTER TABLE codes
     ADD COLUMN issued issued_code[] NOT NULL DEFAULT '{}',
     ADD COLUMN sent_at timestamptz[] NOT NULL DEFAULT '{}',
     ADD COLUMN touched_at timestamptz NOT NULL DEFAULT now()`,
  "COMMENT ON COLUMN codes.issued IS 'valid codes, the oldest first'",
  'CREATE INDEX codes_touched ON codes (touched_at)',
];

const SENDS = [
  `CREATE TABLE sends (
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
     settled_at timestamptz
   )`,
  "CREATE INDEX sends_open ON sends (due_at) WHERE state = 'open'",
  'CREATE INDEX sends_settled ON sends (settled_at) WHERE settled_at IS NOT NULL',
  'CREATE INDEX sends_phone ON sends (account_id, phone)',
  "COMMENT ON COLUMN sends.attempt IS 'each one reserves a credit of its own'",
  "COMMENT ON COLUMN sends.due_at IS 'after this time nobody hands the message over any more, and its outcome is asked for'",
];

/** How often numbers that differ in their last four digits only were sent to. */
const PREFIXES = [
  `CREATE TABLE prefixes (
     account_id text NOT NULL,
     prefix text NOT NULL,
     sent_at timestamptz[] NOT NULL,
     touched_at timestamptz NOT NULL DEFAULT now(),
     PRIMARY KEY (account_id, prefix)
   )`,
  'CREATE INDEX prefixes_touched ON prefixes (touched_at)',
];

/** The answers to tries, for those that are asked again after a crash. */
const ATTEMPTS = [
  `CREATE TABLE attempts (
     id text PRIMARY KEY,
     account_id text NOT NULL,
     outcome text NOT NULL CHECK (outcome IN ('verified', 'refused', 'locked')),
     attempts_remaining int NOT NULL,
     unlocked_at timestamptz,
     at timestamptz NOT NULL DEFAULT now()
   )`,
  'CREATE INDEX attempts_at ON attempts (at)',
];

const SETTINGS = `
  CREATE TABLE account_settings (
    account_id text PRIMARY KEY,
    template_name text,
    template_language text,
    countries text[],
    sends_per_prefix int,
    updated_at timestamptz NOT NULL DEFAULT now(),
    CHECK ((template_name IS NULL) = (template_language IS NULL))
  )`;

/** Several rows a day, so that tries of different phones seldom wait for each other. */
const FIGURES = `
  CREATE TABLE figures (
    account_id text NOT NULL,
    day date NOT NULL,
    shard smallint NOT NULL,
    sent int NOT NULL DEFAULT 0,
    failed int NOT NULL DEFAULT 0,
    verified int NOT NULL DEFAULT 0,
    refused int NOT NULL DEFAULT 0,
    PRIMARY KEY (account_id, day, shard)
  )`;

export class AddSending1763900000020 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    for (const sql of [...CODES, ...SENDS, ...PREFIXES, ...ATTEMPTS, SETTINGS, FIGURES, ...createMessageTables])
      await runner.query(sql);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE sends, prefixes, attempts, account_settings, figures, outbox, inbox');
    await runner.query('ALTER TABLE codes DROP COLUMN issued, DROP COLUMN sent_at, DROP COLUMN touched_at');
    await runner.query('DROP TYPE issued_code');
  }
}
