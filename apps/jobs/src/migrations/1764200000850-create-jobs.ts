import { createMessageTables } from '@switchboard/database';
import type { MigrationInterface, QueryRunner } from 'typeorm';

const JOBS = `
  CREATE TABLE jobs (
    account_id text NOT NULL,
    id text NOT NULL,
    type text NOT NULL CHECK (type IN ('bulk', 'excel')),
    status text NOT NULL DEFAULT 'queued'
      CHECK (status IN ('queued', 'processing', 'paused', 'completed', 'failed', 'cancelled')),
    template text,
    total int NOT NULL CHECK (total >= 0),
    created_at timestamptz NOT NULL DEFAULT now(),
    -- What the job sends, and from which number.
    message jsonb NOT NULL DEFAULT '{}',
    phone_number text,
    template_language text,
    retry_of text,
    pause_reason text,
    error jsonb,
    scheduled_at timestamptz,
    started_at timestamptz,
    completed_at timestamptz,
    -- Unused by any version.
    deadline_at timestamptz,
    -- True while anything is left to do: releasing, waiting for results, closing.
    is_open boolean NOT NULL DEFAULT true,
    -- All recipients below this position were released at least once.
    released_to int NOT NULL DEFAULT 0,
    -- No recipient below this position is waiting for a result.
    settled_to int NOT NULL DEFAULT 0,
    -- The last outcomes, oldest first: 1 for a failure.
    recent text NOT NULL DEFAULT '',
    -- Number of recipients by status, updated with every change of a recipient.
    pending int NOT NULL DEFAULT 0 CHECK (pending >= 0),
    released int NOT NULL DEFAULT 0 CHECK (released >= 0),
    unknown int NOT NULL DEFAULT 0 CHECK (unknown >= 0),
    accepted int NOT NULL DEFAULT 0 CHECK (accepted >= 0),
    sent int NOT NULL DEFAULT 0 CHECK (sent >= 0),
    delivered int NOT NULL DEFAULT 0 CHECK (delivered >= 0),
    read int NOT NULL DEFAULT 0 CHECK (read >= 0),
    failed int NOT NULL DEFAULT 0 CHECK (failed >= 0),
    cancelled int NOT NULL DEFAULT 0 CHECK (cancelled >= 0),
    rejected int NOT NULL DEFAULT 0 CHECK (rejected >= 0),
    duplicates int NOT NULL DEFAULT 0 CHECK (duplicates >= 0),
    expire_at timestamptz,
    paused_at timestamptz,
    -- Format of the job's file, and the warnings about it.
    sheet jsonb,
    warnings jsonb,
    -- Ids sort by time of creation, so the key also lists an account's jobs.
    PRIMARY KEY (account_id, id)
    -- The counts change constantly and are not indexed, so that an update stays within its page.
  ) WITH (fillfactor = 40);
  -- Results from the messaging service name the job alone.
  CREATE UNIQUE INDEX jobs_id ON jobs (id);
  CREATE INDEX jobs_open ON jobs (account_id, phone_number) WHERE is_open;
  CREATE INDEX jobs_by_status ON jobs (account_id, status, id);`;

const RECIPIENTS = `
  CREATE TABLE recipients (
    job_id text NOT NULL,
    position int NOT NULL,
    account_id text NOT NULL,
    phone text NOT NULL,
    client_ref text,
    components jsonb,
    status text NOT NULL,
    -- Chosen at the first release and retained, so that a repeated command sends one message.
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
  ) WITH (fillfactor = 70);
  -- The status is not indexed, so that updates to accepted, sent, delivered and read stay within their page.
  CREATE INDEX recipients_returned ON recipients (job_id, position) WHERE is_returned;
  CREATE INDEX recipients_lost ON recipients (job_id, position) WHERE is_lost;
  CREATE INDEX recipients_by_phone ON recipients (account_id, phone, job_id);

  -- Parts of a list during its upload. Unlogged: after a crash of the database the client uploads again.
  CREATE UNLOGGED TABLE staged_rows (
    account_id text NOT NULL,
    job_id text NOT NULL,
    part int NOT NULL,
    rows text NOT NULL,
    created_at timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (account_id, job_id, part)
  );`;

const LANES = `
  -- One business number of an account: its jobs release recipients at the number's pace. The process that locks the row
  -- releases them.
  CREATE TABLE lanes (
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
  ) WITH (fillfactor = 40);`;

export class CreateJobs1764200000850 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    for (const sql of [JOBS, RECIPIENTS, LANES, ...createMessageTables]) await runner.query(sql);
  }

  async down(): Promise<void> {
    throw new Error('migrations go forward only');
  }
}
