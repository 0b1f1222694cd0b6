import { createMessageTables } from '@switchboard/database';
import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * No foreign keys: events, deliveries and attempts are to be cut by time and dropped as a whole.
 * `deliveries.next_attempt_at` is the truth about what is due; messages of the broker only say it sooner.
 */
const statements = [
  ...createMessageTables,
  `CREATE TABLE endpoints (
     id text PRIMARY KEY,
     account_id text NOT NULL,
     url text NOT NULL,
     sealed_verify_token text NOT NULL,
     sealed_secret text NOT NULL,
     enabled boolean NOT NULL DEFAULT true,
     set_by text NOT NULL,
     created_at timestamptz NOT NULL DEFAULT now(),
     updated_at timestamptz NOT NULL DEFAULT now()
   )`,
  'CREATE UNIQUE INDEX endpoints_one_per_account ON endpoints (account_id)',
  `CREATE TABLE events (
     id text PRIMARY KEY,
     account_id text NOT NULL,
     kind text NOT NULL CHECK (kind IN ('message', 'message_status', 'template_status', 'phone_number_quality')),
     dedup_key text NOT NULL,
     message_id text,
     body bytea NOT NULL,
     trace jsonb NOT NULL DEFAULT '{}',
     occurred_at timestamptz NOT NULL,
     created_at timestamptz NOT NULL DEFAULT now()
   )`,
  'CREATE UNIQUE INDEX events_once ON events (account_id, dedup_key)',
  `CREATE TABLE deliveries (
     id text PRIMARY KEY,
     event_id text NOT NULL,
     endpoint_id text NOT NULL,
     account_id text NOT NULL,
     state text NOT NULL DEFAULT 'pending' CHECK (state IN ('pending', 'delivered', 'dropped')),
     attempts_made int NOT NULL DEFAULT 0,
     next_attempt_at timestamptz NOT NULL DEFAULT now(),
     claimed_until timestamptz,
     created_at timestamptz NOT NULL DEFAULT now(),
     finished_at timestamptz
   )`,
  `CREATE INDEX deliveries_due ON deliveries (account_id, endpoint_id, next_attempt_at, id) WHERE state = 'pending'`,
  // The event first, unlike elsewhere: with the account first the planner may take this index, instead of the one
  // above, for claims.
  'CREATE INDEX deliveries_of_event ON deliveries (event_id, account_id)',
  `CREATE TABLE attempts (
     id text PRIMARY KEY,
     delivery_id text NOT NULL,
     account_id text NOT NULL,
     attempt int NOT NULL CHECK (attempt BETWEEN 1 AND 5),
     started_at timestamptz NOT NULL,
     finished_at timestamptz,
     duration_ms int,
     status_code int,
     error_class text CHECK (error_class IN ('dns', 'connect', 'tls', 'timeout', 'status', 'body', 'blocked')),
     answer_head bytea CHECK (octet_length(answer_head) <= 1024)
   )`,
  'CREATE UNIQUE INDEX attempts_of_delivery ON attempts (account_id, delivery_id, attempt)',
];

export class CreateWebhooks1763700000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    for (const statement of statements) await runner.query(statement);
  }

  async down(): Promise<void> {
    throw new Error('migrations only go forward');
  }
}
