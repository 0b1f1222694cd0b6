import type { MigrationInterface, QueryRunner } from 'typeorm';
import { createPartition, PARTITIONED, partitionsToKeepReady } from '../retention/partitions';

/**
 * What is still to do stands in one small table, so that claims cost the same however long the log is; what is done, in
 * tables cut by weeks, so that the log can be dropped piece by piece. Ids carry their time: cutting by id is cutting by
 * time.
 */
const endpointColumns = [
  'DROP INDEX endpoints_one_per_account',
  `ALTER TABLE endpoints
     ADD kinds text[],
     ADD max_in_flight int CHECK (max_in_flight BETWEEN 1 AND 100),
     ADD paused_at timestamptz,
     ADD paused_reason text CHECK (paused_reason IN ('owner', 'gone')),
     ADD deleted_at timestamptz,
     ADD sealed_next_secret text,
     ADD rotation_ends_at timestamptz,
     ADD rotated_by text,
     ADD failing_since timestamptz,
     ADD degraded_at timestamptz`,
  `UPDATE endpoints SET paused_at = now(), paused_reason = 'owner' WHERE NOT enabled`,
  'ALTER TABLE endpoints DROP COLUMN enabled',
  'CREATE INDEX endpoints_of_account ON endpoints (account_id, id)',
  'CREATE UNIQUE INDEX endpoints_set_once ON endpoints (account_id, set_by)',
];

const newTables = [
  `CREATE TABLE event_keys (
     key uuid PRIMARY KEY,
     created_at timestamptz NOT NULL DEFAULT now()
   )`,
  'CREATE INDEX event_keys_age ON event_keys USING brin (created_at)',
  `CREATE TABLE events (
     id text COLLATE "C" PRIMARY KEY,
     account_id text NOT NULL,
     kind text NOT NULL CHECK (kind IN ('message', 'message_status', 'template_status', 'phone_number_quality')),
     message_id text COLLATE "C",
     subject text COLLATE "C",
     body bytea NOT NULL,
     trace jsonb NOT NULL DEFAULT '{}',
     occurred_at timestamptz NOT NULL,
     created_at timestamptz NOT NULL DEFAULT now()
   ) PARTITION BY RANGE (id)`,
  'CREATE INDEX events_of_account ON events (account_id, id)',
  'CREATE INDEX events_of_message ON events (account_id, message_id) WHERE message_id IS NOT NULL',
  'CREATE INDEX events_of_subject ON events (account_id, subject) WHERE subject IS NOT NULL',
  `CREATE TABLE pending_deliveries (
     id text COLLATE "C" PRIMARY KEY,
     account_id text NOT NULL,
     endpoint_id text NOT NULL,
     event_id text COLLATE "C" NOT NULL,
     message_id text COLLATE "C",
     attempts_made int NOT NULL DEFAULT 0,
     next_attempt_at timestamptz NOT NULL DEFAULT now(),
     started_at timestamptz,
     claimed_until timestamptz,
     replay_id text,
     created_at timestamptz NOT NULL DEFAULT now()
   ) WITH (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 2000, autovacuum_analyze_scale_factor = 0.2, autovacuum_vacuum_cost_delay = 1)`,
  'CREATE INDEX pending_due ON pending_deliveries (endpoint_id, next_attempt_at, id) WHERE claimed_until IS NULL',
  'CREATE INDEX pending_claimed ON pending_deliveries (endpoint_id, claimed_until) WHERE claimed_until IS NOT NULL',
  'CREATE INDEX pending_of_message ON pending_deliveries (endpoint_id, message_id, event_id) WHERE message_id IS NOT NULL',
  `CREATE TABLE deliveries (
     id text COLLATE "C" PRIMARY KEY,
     account_id text NOT NULL,
     endpoint_id text NOT NULL,
     event_id text COLLATE "C" NOT NULL,
     state text NOT NULL CHECK (state IN ('delivered', 'dropped')),
     attempts_made int NOT NULL,
     replay_id text,
     replayed_as text,
     created_at timestamptz NOT NULL,
     finished_at timestamptz NOT NULL
   ) PARTITION BY RANGE (id)`,
  'CREATE INDEX deliveries_of_endpoint ON deliveries (endpoint_id, event_id)',
  `CREATE INDEX deliveries_dropped ON deliveries (account_id, event_id) WHERE state = 'dropped'`,
  `CREATE TABLE attempts (
     delivery_id text COLLATE "C" NOT NULL,
     attempt int NOT NULL CHECK (attempt BETWEEN 1 AND 5),
     account_id text NOT NULL,
     url text NOT NULL,
     started_at timestamptz NOT NULL,
     finished_at timestamptz,
     duration_ms int,
     status_code int,
     error_class text CHECK (error_class IN ('dns', 'connect', 'tls', 'timeout', 'status', 'body', 'blocked')),
     answer_head bytea CHECK (octet_length(answer_head) <= 1024),
     PRIMARY KEY (delivery_id, attempt)
   ) PARTITION BY RANGE (delivery_id)`,
  `CREATE TABLE replays (
     id text PRIMARY KEY,
     account_id text NOT NULL,
     endpoint_id text,
     position text COLLATE "C" NOT NULL,
     until text COLLATE "C" NOT NULL,
     total int NOT NULL,
     replayed int NOT NULL DEFAULT 0,
     created_at timestamptz NOT NULL DEFAULT now(),
     finished_at timestamptz
   )`,
  'CREATE INDEX replays_running ON replays (id) WHERE finished_at IS NULL',
  `CREATE VIEW delivery_log AS
     SELECT id, account_id, endpoint_id, event_id, 'pending'::text AS state, attempts_made, next_attempt_at, started_at, claimed_until, replay_id, NULL::text AS replayed_as, created_at, NULL::timestamptz AS finished_at
     FROM pending_deliveries
     UNION ALL
     SELECT id, account_id, endpoint_id, event_id, state, attempts_made, NULL, NULL, NULL, replay_id, replayed_as, created_at, finished_at
     FROM deliveries`,
];

/** What there is goes over; keys of old events are made as `eventKey` makes them. */
const moves = [
  `INSERT INTO event_keys (key) SELECT encode(substr(sha256(convert_to(account_id || E'\\n' || dedup_key, 'UTF8')), 1, 16), 'hex')::uuid FROM old_events ON CONFLICT DO NOTHING`,
  `INSERT INTO events (id, account_id, kind, message_id, body, trace, occurred_at, created_at)
     SELECT id, account_id, kind, message_id, body, trace, occurred_at, created_at FROM old_events`,
  `INSERT INTO pending_deliveries (id, account_id, endpoint_id, event_id, message_id, attempts_made, next_attempt_at, started_at, claimed_until, created_at)
     SELECT d.id, d.account_id, d.endpoint_id, d.event_id, e.message_id, d.attempts_made, d.next_attempt_at,
       CASE WHEN d.claimed_until IS NOT NULL THEN now() END, d.claimed_until, d.created_at
     FROM old_deliveries d JOIN old_events e ON e.id = d.event_id WHERE d.state = 'pending'`,
  `INSERT INTO deliveries (id, account_id, endpoint_id, event_id, state, attempts_made, created_at, finished_at)
     SELECT id, account_id, endpoint_id, event_id, state, attempts_made, created_at, COALESCE(finished_at, created_at) FROM old_deliveries WHERE state <> 'pending'`,
  `INSERT INTO attempts (delivery_id, attempt, account_id, url, started_at, finished_at, duration_ms, status_code, error_class, answer_head)
     SELECT a.delivery_id, a.attempt, a.account_id, COALESCE(ep.url, ''), a.started_at, a.finished_at, a.duration_ms, a.status_code, a.error_class, a.answer_head
     FROM old_attempts a LEFT JOIN old_deliveries d ON d.id = a.delivery_id LEFT JOIN endpoints ep ON ep.id = d.endpoint_id`,
];

const OLD_TABLES = ['events', 'deliveries', 'attempts'];

export class SplitDeliveries1763800020000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    const run = async (statements: string[]) => {
      for (const statement of statements) await runner.query(statement);
    };
    await run(endpointColumns);
    await run(
      OLD_TABLES.flatMap((table) => [
        `ALTER TABLE ${table} RENAME TO old_${table}`,
        `ALTER INDEX ${table}_pkey RENAME TO old_${table}_pkey`,
      ]),
    );
    await run(newTables);
    await run(PARTITIONED.map(({ table }) => `CREATE TABLE ${table}_default PARTITION OF ${table} DEFAULT`));
    const oldest: { at: Date | null }[] = await runner.query('SELECT min(created_at) AS at FROM old_events');
    const span = { from: oldest[0]?.at ?? new Date(), now: new Date() };
    for (const partition of partitionsToKeepReady(span)) await createPartition((sql) => runner.query(sql), partition);
    await run(moves);
    await run(OLD_TABLES.map((table) => `DROP TABLE old_${table}`));
  }

  async down(): Promise<void> {
    throw new Error('migrations only go forward');
  }
}
