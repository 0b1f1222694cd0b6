/** What a service's first migration runs so that it can publish through the outbox and recognise repeated messages. */
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
];
