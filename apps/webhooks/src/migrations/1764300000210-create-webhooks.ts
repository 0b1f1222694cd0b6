import { createHourlyTotals, createMessageTables } from '@switchboard/database';
import type { MigrationInterface, QueryRunner } from 'typeorm';
import { createPartition, PARTITIONED, partitionsToKeepReady } from '../retention/partitions';
import { DELIVERY_HOURS } from '../statistics/delivery-hours';

const ENDPOINTS = `
  CREATE TABLE endpoints (
    id text PRIMARY KEY,
    account_id text NOT NULL,
    url text NOT NULL,
    sealed_verify_token text NOT NULL,
    sealed_secret text NOT NULL,
    set_by text NOT NULL,
    created_at timestamptz NOT NULL DEFAULT now(),
    updated_at timestamptz NOT NULL DEFAULT now(),
    -- NULL: all kinds of events.
    kinds text[],
    max_in_flight int CHECK (max_in_flight BETWEEN 1 AND 100),
    paused_at timestamptz,
    paused_reason text CHECK (paused_reason IN ('owner', 'gone')),
    deleted_at timestamptz,
    sealed_next_secret text,
    rotation_ends_at timestamptz,
    rotated_by text,
    failing_since timestamptz,
    degraded_at timestamptz,
    accepts_any_2xx boolean NOT NULL DEFAULT false,
    has_extended_retries boolean NOT NULL DEFAULT false
  );
  CREATE INDEX endpoints_of_account ON endpoints (account_id, id);
  CREATE UNIQUE INDEX endpoints_set_once ON endpoints (account_id, set_by);

  -- Accounts whose events are retained for fewer days than the installation's log.
  CREATE TABLE account_retention (
    account_id text PRIMARY KEY,
    event_days int NOT NULL CHECK (event_days > 0)
  );`;

/**
 * Log tables in weekly partitions that are dropped as a whole, so they have no foreign keys. Ids contain their time and
 * sort byte by byte (COLLATE "C"), so id ranges are time ranges.
 * Event kinds, error classes and the number of attempts have no CHECK: adding a value would scan the whole log.
 */
const LOG = `
  CREATE TABLE events (
    id text COLLATE "C" PRIMARY KEY,
    account_id text NOT NULL,
    kind text NOT NULL,
    message_id text COLLATE "C",
    subject text COLLATE "C",
    body bytea NOT NULL,
    trace jsonb NOT NULL DEFAULT '{}',
    occurred_at timestamptz NOT NULL,
    created_at timestamptz NOT NULL DEFAULT now(),
    -- The message's internal id; message_id is the upstream platform's.
    record_id text
  ) PARTITION BY RANGE (id);
  CREATE INDEX events_of_account ON events (account_id, id);
  CREATE INDEX events_of_message ON events (account_id, message_id) WHERE message_id IS NOT NULL;
  CREATE INDEX events_of_subject ON events (account_id, subject) WHERE subject IS NOT NULL;

  -- Hashes that recognise a repeated event.
  CREATE TABLE event_keys (
    key uuid PRIMARY KEY,
    created_at timestamptz NOT NULL DEFAULT now()
  );
  CREATE INDEX event_keys_age ON event_keys USING brin (created_at);

  CREATE TABLE deliveries (
    id text COLLATE "C" PRIMARY KEY,
    account_id text NOT NULL,
    endpoint_id text NOT NULL,
    event_id text COLLATE "C" NOT NULL,
    state text NOT NULL CONSTRAINT deliveries_state_check1 CHECK (state IN ('delivered', 'dropped')),
    attempts_made int NOT NULL,
    replay_id text,
    replayed_as text,
    created_at timestamptz NOT NULL,
    finished_at timestamptz NOT NULL
  ) PARTITION BY RANGE (id);
  CREATE INDEX deliveries_of_endpoint ON deliveries (endpoint_id, event_id);
  CREATE INDEX deliveries_dropped ON deliveries (account_id, event_id) WHERE state = 'dropped';

  CREATE TABLE attempts (
    delivery_id text COLLATE "C" NOT NULL,
    attempt int NOT NULL,
    account_id text NOT NULL,
    url text NOT NULL,
    started_at timestamptz NOT NULL,
    finished_at timestamptz,
    duration_ms int,
    status_code int,
    error_class text,
    answer_head bytea CONSTRAINT attempts_answer_head_check1 CHECK (octet_length(answer_head) <= 1024),
    PRIMARY KEY (delivery_id, attempt)
  ) PARTITION BY RANGE (delivery_id);`;

/**
 * Open deliveries are in a separate small table, so that the cost of a claim does not depend on the length of the log.
 * `next_attempt_at` decides what is due. A message of the broker only wakes a process sooner.
 */
const PENDING_DELIVERIES = `
  CREATE TABLE pending_deliveries (
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
    created_at timestamptz NOT NULL DEFAULT now(),
    -- The process of the last claim. When it dies, its claims end immediately.
    claimed_by int
  ) WITH (
    autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 2000,
    autovacuum_analyze_scale_factor = 0.2, autovacuum_vacuum_cost_delay = 1
  );
  -- The order of creation matters: of indexes with equal costs, the planner chooses the youngest.
  CREATE INDEX pending_due ON pending_deliveries (endpoint_id, next_attempt_at, id) WHERE claimed_until IS NULL;
  CREATE INDEX pending_claimed ON pending_deliveries (endpoint_id, claimed_until) WHERE claimed_until IS NOT NULL;
  -- Due retries of all endpoints.
  CREATE INDEX pending_retries_due ON pending_deliveries (next_attempt_at, id)
    WHERE claimed_until IS NULL AND attempts_made > 0;
  -- In log order per endpoint, like deliveries_of_endpoint.
  CREATE INDEX pending_of_event ON pending_deliveries (endpoint_id, event_id);
  -- First attempts that were stored and not started, by process.
  CREATE INDEX pending_stored ON pending_deliveries (claimed_by, id)
    WHERE claimed_until IS NULL AND attempts_made = 0 AND claimed_by IS NOT NULL;
  -- Without the endpoint: the planner would choose another index that starts with it and read the endpoint's backlog.
  CREATE INDEX pending_by_message ON pending_deliveries (message_id) WHERE message_id IS NOT NULL;
  -- A claim takes an endpoint's due retries before its first attempts, which can be many.
  CREATE INDEX pending_retries ON pending_deliveries (endpoint_id, next_attempt_at, id)
    WHERE claimed_until IS NULL AND attempts_made > 0;

  CREATE VIEW delivery_log AS
    SELECT id, account_id, endpoint_id, event_id, 'pending'::text AS state, attempts_made, next_attempt_at, started_at, claimed_until, replay_id, NULL::text AS replayed_as, created_at, NULL::timestamptz AS finished_at
    FROM pending_deliveries
    UNION ALL
    SELECT id, account_id, endpoint_id, event_id, state, attempts_made, NULL, NULL, NULL, replay_id, replayed_as, created_at, finished_at
    FROM deliveries;`;

const REPLAYS = `
  CREATE TABLE replays (
    id text PRIMARY KEY,
    account_id text NOT NULL,
    endpoint_id text,
    position text COLLATE "C" NOT NULL,
    until text COLLATE "C" NOT NULL,
    total int NOT NULL,
    replayed int NOT NULL DEFAULT 0,
    created_at timestamptz NOT NULL DEFAULT now(),
    finished_at timestamptz,
    stepped_at timestamptz,
    -- NULL: all kinds of events.
    kind text
  );
  CREATE INDEX replays_running ON replays (id) WHERE finished_at IS NULL;
  -- Round robin over the accounts, and over the replays of each.
  CREATE INDEX replays_in_turn ON replays (account_id, stepped_at NULLS FIRST, id) WHERE finished_at IS NULL;
  CREATE INDEX replays_newest ON replays (account_id, id COLLATE "C");`;

export class CreateWebhooks1764300000210 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    for (const sql of [ENDPOINTS, LOG, PENDING_DELIVERIES, REPLAYS, ...createMessageTables]) await runner.query(sql);
    for (const { table } of PARTITIONED)
      await runner.query(`CREATE TABLE ${table}_default PARTITION OF ${table} DEFAULT`);
    const now = new Date();
    for (const partition of partitionsToKeepReady({ from: now, now }))
      await createPartition((sql) => runner.query(sql), partition);
    await createHourlyTotals(runner, DELIVERY_HOURS);
  }

  async down(): Promise<void> {
    throw new Error('migrations go forward only');
  }
}
