/**
 * Creates the tables for the outbox, for republishing after the loss of a broker, and for detecting repeated messages.
 * Part of a service's initial migration.
 */
export const createMessageTables: readonly string[] = [
  `CREATE TABLE outbox (
     id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
     message_id text NOT NULL,
     kind text NOT NULL CHECK (kind IN ('event', 'task')),
     name text NOT NULL,
     body text NOT NULL,
     headers jsonb NOT NULL DEFAULT '{}',
     delay_seconds int,
     attempts int NOT NULL DEFAULT 0,
     created_at timestamptz NOT NULL DEFAULT now()
   )`,
  `CREATE TABLE inbox (
     message_id text PRIMARY KEY,
     handled_at timestamptz NOT NULL DEFAULT now()
   )`,
  'CREATE INDEX inbox_handled_at ON inbox (handled_at)',
  // Published messages, retained for a while (docs/operations/backup-restore.md). They are read only for republishing,
  // so the table needs no index besides its key.
  `CREATE TABLE published (
     id bigint PRIMARY KEY,
     message_id text NOT NULL,
     kind text NOT NULL,
     name text NOT NULL,
     body text NOT NULL,
     headers jsonb NOT NULL,
     delay_seconds int,
     published_at timestamptz NOT NULL DEFAULT now()
   )`,
];

/**
 * Moves the retained messages back into the outbox, in order, to be published again under the same ids. It is a single
 * statement, so that a second run finds nothing.
 */
export const PUBLISH_AGAIN = `
  WITH again AS (DELETE FROM published RETURNING *)
  INSERT INTO outbox (message_id, kind, name, body, headers, delay_seconds)
  SELECT message_id, kind, name, body, headers, delay_seconds FROM again ORDER BY id`;
