import type { MigrationInterface, QueryRunner } from 'typeorm';

const createMedia = `
  CREATE TABLE media (
    id text COLLATE "C" PRIMARY KEY,
    account_id text NOT NULL,
    message_id text COLLATE "C" NOT NULL,
    number_id text NOT NULL REFERENCES numbers,
    upstream_media_id text NOT NULL,
    mime_type text NOT NULL,
    -- Base64, as upstream writes it; of the stored bytes once they are there.
    sha256 text,
    bytes bigint,
    filename text,
    blob_key text NOT NULL,
    state text NOT NULL CHECK (state IN ('pending', 'stored', 'failed')),
    attempts int NOT NULL DEFAULT 0,
    -- The truth about when it is fetched; the task that waits in the broker only reminds of it.
    next_attempt_at timestamptz NOT NULL DEFAULT now(),
    error text,
    created_at timestamptz NOT NULL DEFAULT now(),
    stored_at timestamptz
  )`;

// A status that came before we knew the upstream id it speaks of.
const createParkedStatuses = `
  CREATE TABLE parked_statuses (
    id text COLLATE "C" PRIMARY KEY,
    account_id text NOT NULL,
    number_id text NOT NULL REFERENCES numbers,
    upstream_id text NOT NULL,
    body jsonb NOT NULL,
    received_at timestamptz NOT NULL DEFAULT now(),
    next_try_at timestamptz NOT NULL DEFAULT now()
  )`;

const STATEMENTS = [
  createMedia,
  'CREATE INDEX media_of_account ON media (account_id, id)',
  'CREATE INDEX media_of_message ON media (message_id)',
  "CREATE INDEX media_pending ON media (next_attempt_at) WHERE state = 'pending'",
  createParkedStatuses,
  'CREATE INDEX parked_statuses_due ON parked_statuses (next_try_at)',
  'CREATE INDEX parked_statuses_received ON parked_statuses (received_at)',
  // What an inbound message refers to: {context, referral, errors}, as the event tells it.
  'ALTER TABLE messages ADD COLUMN reference jsonb',
  `ALTER TABLE numbers
     ADD COLUMN poll_due_at timestamptz NOT NULL DEFAULT now() + interval '1 minute',
     ADD COLUMN poll_failures int NOT NULL DEFAULT 0`,
  'CREATE INDEX numbers_poll_due ON numbers (poll_due_at)',
];

export class CreateMedia1763800000001 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    for (const statement of STATEMENTS) await runner.query(statement);
  }

  async down(): Promise<void> {
    throw new Error('migrations go forward only');
  }
}
