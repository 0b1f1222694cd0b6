import { createMessageTables } from '@switchboard/database';
import type { MigrationInterface, QueryRunner } from 'typeorm';

const createNumbers = `
  CREATE TABLE numbers (
    id text PRIMARY KEY,
    account_id text NOT NULL,
    phone_number text NOT NULL,
    phone_number_id text NOT NULL UNIQUE,
    waba_id text NOT NULL,
    sealed_access_token text NOT NULL,
    quality_rating text,
    messaging_limit text,
    status text NOT NULL,
    is_primary boolean NOT NULL,
    created_at timestamptz NOT NULL DEFAULT now(),
    updated_at timestamptz NOT NULL DEFAULT now(),
    UNIQUE (account_id, phone_number)
  )`;

// Ids sort by time of creation, so this table can later be partitioned by ranges of its key.
const createMessages = `
  CREATE TABLE messages (
    id text PRIMARY KEY,
    account_id text NOT NULL,
    number_id text NOT NULL REFERENCES numbers,
    direction text NOT NULL CHECK (direction IN ('inbound', 'outbound')),
    sender text NOT NULL,
    recipient text NOT NULL,
    customer text NOT NULL GENERATED ALWAYS AS (CASE direction WHEN 'inbound' THEN sender ELSE recipient END) STORED,
    profile_name text,
    upstream_id text,
    type text NOT NULL,
    content jsonb,
    state text NOT NULL CHECK (state IN ('sending', 'unknown', 'accepted', 'sent', 'failed', 'delivered', 'read', 'received')),
    error jsonb,
    client_ref text,
    sending_since timestamptz,
    send_attempts int NOT NULL DEFAULT 0,
    created_at timestamptz NOT NULL DEFAULT now(),
    received_at timestamptz,
    accepted_at timestamptz,
    sent_at timestamptz,
    delivered_at timestamptz,
    read_at timestamptz,
    failed_at timestamptz,
    CHECK ((direction = 'inbound') = (state = 'received'))
  )`;

const createContacts = `
  CREATE TABLE contacts (
    id text PRIMARY KEY,
    account_id text NOT NULL,
    number_id text NOT NULL REFERENCES numbers,
    phone text NOT NULL,
    user_id text,
    profile_name text,
    last_inbound_at timestamptz,
    created_at timestamptz NOT NULL DEFAULT now(),
    UNIQUE (account_id, number_id, phone)
  )`;

const createIndexes = [
  'CREATE UNIQUE INDEX numbers_one_primary ON numbers (account_id) WHERE is_primary',
  'CREATE INDEX messages_newest ON messages (account_id, created_at DESC, id DESC)',
  'CREATE INDEX messages_of_customer ON messages (account_id, customer, created_at DESC, id DESC)',
  "CREATE UNIQUE INDEX messages_inbound_once ON messages (account_id, number_id, upstream_id) WHERE direction = 'inbound'",
  "CREATE INDEX messages_by_upstream_id ON messages (account_id, upstream_id) WHERE direction = 'outbound'",
  // The reconciler's work list, for all accounts: short, because rows leave it within a second as a rule.
  "CREATE INDEX messages_unsettled ON messages (sending_since) WHERE state IN ('sending', 'unknown')",
];

export class CreateMessages1763700000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    for (const sql of [createNumbers, createMessages, createContacts, ...createIndexes, ...createMessageTables])
      await runner.query(sql);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE messages, contacts, numbers, outbox, inbox');
  }
}
