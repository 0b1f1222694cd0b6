import { createMessageTables } from '@switchboard/database';
import type { MigrationInterface, QueryRunner } from 'typeorm';

const COUNTS = [
  'pending',
  'released',
  'unknown',
  'accepted',
  'sent',
  'delivered',
  'read',
  'failed',
  'cancelled',
  'rejected',
  'duplicates',
];

const STATEMENTS = [
  ...createMessageTables,
  // What a job sends and from which number; the counts are kept with every change of a recipient.
  `ALTER TABLE jobs
     ADD COLUMN message jsonb NOT NULL DEFAULT '{}',
     ADD COLUMN phone_number text,
     ADD COLUMN template_language text,
     ADD COLUMN retry_of text,
     ADD COLUMN pause_reason text,
     ADD COLUMN error jsonb,
     ADD COLUMN scheduled_at timestamptz,
     ADD COLUMN started_at timestamptz,
     ADD COLUMN completed_at timestamptz,
     ADD COLUMN deadline_at timestamptz,
     -- Whether anything is left to do: releasing, waiting for results, closing.
     ADD COLUMN is_open boolean NOT NULL DEFAULT true,
     -- Recipients below this position were released at least once.
     ADD COLUMN released_to int NOT NULL DEFAULT 0,
     -- Below this position nobody waits for a result.
     ADD COLUMN settled_to int NOT NULL DEFAULT 0,
     -- The last outcomes, the newest at the end: 1 for a failure.
     ADD COLUMN recent text NOT NULL DEFAULT '',
     ${COUNTS.map((name) => `ADD COLUMN ${name} int NOT NULL DEFAULT 0 CHECK (${name} >= 0)`).join(', ')}`,
  // Counts change all the time and are in no index: such a change replaces the row within its page.
  'ALTER TABLE jobs SET (fillfactor = 40)',
  // What messaging reports names the job alone, and recipients hang on it.
  'CREATE UNIQUE INDEX jobs_id ON jobs (id)',
  'CREATE INDEX jobs_open ON jobs (account_id, phone_number) WHERE is_open',
  `CREATE TABLE recipients (
     job_id text NOT NULL,
     position int NOT NULL,
     account_id text NOT NULL,
     phone text NOT NULL,
     client_ref text,
     components jsonb,
     status text NOT NULL,
     -- Chosen when the recipient is first released, and kept: whatever is handed over twice is sent once.
     message_id text,
     upstream_id text,
     error jsonb,
     releases smallint NOT NULL DEFAULT 0,
     -- Released before, and certainly not sent.
     is_returned boolean NOT NULL DEFAULT false,
     not_before timestamptz,
     -- Failed, rejected or cancelled.
     is_lost boolean NOT NULL DEFAULT false,
     released_at timestamptz,
     accepted_at timestamptz,
     sent_at timestamptz,
     delivered_at timestamptz,
     read_at timestamptz,
     failed_at timestamptz,
     PRIMARY KEY (job_id, position)
   ) WITH (fillfactor = 70)`,
  // No index holds the status: what is accepted, sent, delivered and read replaces the row within its page.
  'CREATE INDEX recipients_returned ON recipients (job_id, position) WHERE is_returned',
  'CREATE INDEX recipients_lost ON recipients (job_id, position) WHERE is_lost',
  'CREATE INDEX recipients_phone ON recipients (account_id, phone)',
  // A number of an account, at whose pace the recipients of its jobs are released. Who holds the row releases.
  `CREATE TABLE lanes (
     account_id text NOT NULL,
     phone_number text NOT NULL,
     throughput int NOT NULL CHECK (throughput > 0),
     rate double precision NOT NULL CHECK (rate > 0),
     carry double precision NOT NULL DEFAULT 0,
     slowed_at timestamptz,
     rest_until timestamptz,
     round_at timestamptz NOT NULL DEFAULT now(),
     next_round_at timestamptz NOT NULL DEFAULT now(),
     turn text,
     PRIMARY KEY (account_id, phone_number)
   ) WITH (fillfactor = 40)`,
  // Parts of a list on their way to a job; what a crash of the database takes is given again by whoever asks.
  `CREATE UNLOGGED TABLE staged_rows (
     account_id text NOT NULL,
     job_id text NOT NULL,
     part int NOT NULL,
     rows text NOT NULL,
     created_at timestamptz NOT NULL DEFAULT now(),
     PRIMARY KEY (account_id, job_id, part)
   )`,
];

export class CreateRecipients1763900000002 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    for (const statement of STATEMENTS) await runner.query(statement);
  }

  async down(): Promise<void> {
    throw new Error('migrations go forward only');
  }
}
