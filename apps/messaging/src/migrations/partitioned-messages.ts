import { createPartition, type MessagePartition } from '../messages/message-partitions';

/**
 * Ids carry their time (UUIDv7), so ranges of the key are ranges of time and the key alone keeps a message single.
 * Text ids compare byte by byte, or ranges would depend on the server's language.
 */
const createTable = `
  CREATE TABLE messages (
    id text COLLATE "C" NOT NULL,
    account_id text NOT NULL,
    number_id text NOT NULL REFERENCES numbers,
    contact_id text COLLATE "C",
    direction text NOT NULL CHECK (direction IN ('inbound', 'outbound')),
    sender text NOT NULL,
    recipient text NOT NULL,
    profile_name text,
    upstream_id text,
    type text NOT NULL,
    content jsonb,
    caption text,
    media_id text,
    upload jsonb,
    state text NOT NULL CHECK (state IN ('sending', 'unknown', 'accepted', 'sent', 'failed', 'delivered', 'read', 'received')),
    -- These two change once as a rule, the state three times: indexes stand on these alone.
    settled boolean NOT NULL GENERATED ALWAYS AS (state NOT IN ('sending', 'unknown')) STORED,
    failed boolean NOT NULL GENERATED ALWAYS AS (state = 'failed') STORED,
    error jsonb,
    client_ref text,
    job_id text,
    repeatable boolean NOT NULL DEFAULT true,
    sending_since timestamptz,
    send_attempts int NOT NULL DEFAULT 0,
    created_at timestamptz NOT NULL DEFAULT now(),
    received_at timestamptz,
    accepted_at timestamptz,
    sent_at timestamptz,
    delivered_at timestamptz,
    read_at timestamptz,
    failed_at timestamptz,
    CHECK ((direction = 'inbound') = (state = 'received')),
    PRIMARY KEY (id)
  ) PARTITION BY RANGE (id)`;

/**
 * One index per filter, each in the order of the list: a page is read from its end, never sorted. None holds the state,
 * so that
 * `sent`, `delivered` and `read` touch no index (five times as many statuses a second); these are found among their
 * neighbours. What is not settled is in no list, so it enters the lists' indexes only then.
 */
const createIndexes = [
  'CREATE INDEX messages_newest ON messages (account_id, id) WHERE settled',
  'CREATE INDEX messages_of_contact ON messages (account_id, contact_id, id) WHERE settled',
  'CREATE INDEX messages_of_type ON messages (account_id, type, id) WHERE settled',
  "CREATE INDEX messages_inbound ON messages (account_id, id) WHERE settled AND direction = 'inbound'",
  'CREATE INDEX messages_failed ON messages (account_id, id) WHERE settled AND failed',
  'CREATE INDEX messages_of_job ON messages (account_id, job_id, id) WHERE settled AND job_id IS NOT NULL',
  "CREATE INDEX messages_by_upstream_id ON messages (upstream_id) WHERE direction = 'outbound'",
  // The reconciler's work list, for all accounts: short, because rows leave it within a second as a rule.
  'CREATE INDEX messages_unsettled ON messages (sending_since) WHERE NOT settled',
];

/** The messages table with its first partitions; `messages` and the names of its indexes must be free. */
export const createMessages = (partitions: readonly MessagePartition[]): string[] => [
  createTable,
  ...partitions.map(createPartition),
  ...createIndexes,
];

const COLUMNS = `id, account_id, number_id, direction, sender, recipient, profile_name, upstream_id, type, content, state, error, client_ref,
  sending_since, send_attempts, created_at, received_at, accepted_at, sent_at, delivered_at, read_at, failed_at`;

/** Frees the names that the first migration gave away. */
export const setOldTablesAside = [
  'ALTER TABLE messages RENAME TO old_messages',
  'ALTER TABLE old_messages DROP CONSTRAINT messages_pkey',
  'DROP INDEX messages_newest, messages_of_customer, messages_inbound_once, messages_by_upstream_id, messages_unsettled',
  'ALTER TABLE contacts RENAME TO old_contacts',
  'ALTER TABLE old_contacts DROP CONSTRAINT contacts_pkey',
];

/**
 * Every message finds its contact by the name under which it held its customer. $1 the last id that was moved, $2 most
 * rows
 */
export const moveMessages = `
  WITH part AS (
    SELECT old_messages.*, customers.contact_id FROM old_messages JOIN customers USING (account_id, customer)
    WHERE old_messages.id COLLATE "C" > $1 ORDER BY old_messages.id COLLATE "C" LIMIT $2
  ), moved AS (
    INSERT INTO messages (${COLUMNS}, contact_id) SELECT ${COLUMNS}, contact_id FROM part RETURNING id
  )
  SELECT id FROM moved ORDER BY id`;
