import type { MigrationInterface, QueryRunner } from 'typeorm';

const UPSTREAM_ACCOUNTS = [
  `ALTER TABLE upstream_accounts
     ADD token_stored_at timestamptz,
     ADD sync_requested_at timestamptz,
     ADD reading_since timestamptz,
     ADD pages_read int NOT NULL DEFAULT 0,
     ADD templates_read int NOT NULL DEFAULT 0,
     ADD failures int NOT NULL DEFAULT 0,
     ADD failed_at timestamptz,
     ADD problem text,
     ADD rest_until timestamptz`,
  "COMMENT ON COLUMN upstream_accounts.token_stored_at IS 'when messaging stored the token: an older one never replaces it'",
  "COMMENT ON COLUMN upstream_accounts.reading_since IS 'when the reading began that runs, or was lost with its process once the lease is over'",
  "COMMENT ON COLUMN upstream_accounts.rest_until IS 'the upstream platform is throttling: nothing is asked before, whoever wants it'",
];

const TEMPLATE_EVENTS = [
  'ALTER TABLE template_events ADD upstream_status text, ADD previous_category text, ADD category text',
];

const TEMPLATE_DRAFTS = [
  `CREATE TABLE template_drafts (
     account_id text NOT NULL,
     id text NOT NULL,
     waba_id text NOT NULL,
     kind text NOT NULL CHECK (kind IN ('create', 'edit')),
     template_id text,
     name text NOT NULL,
     language text NOT NULL,
     category text NOT NULL,
     components json NOT NULL,
     ttl_seconds int,
     state text NOT NULL DEFAULT 'draft' CHECK (state IN ('draft', 'submitting', 'refused', 'submitted')),
     due_at timestamptz,
     attempts int NOT NULL DEFAULT 0,
     may_have_landed boolean NOT NULL DEFAULT false,
     problem text,
     created_at timestamptz NOT NULL DEFAULT now(),
     updated_at timestamptz NOT NULL DEFAULT now(),
     submitted_at timestamptz,
     PRIMARY KEY (account_id, id),
     FOREIGN KEY (account_id, waba_id) REFERENCES upstream_accounts
   )`,
  "COMMENT ON COLUMN template_drafts.may_have_landed IS 'a call went out whose answer nobody has written down'",
  `CREATE UNIQUE INDEX template_drafts_open ON template_drafts (account_id, waba_id, name, language) WHERE state <> 'submitted'`,
  `CREATE INDEX template_drafts_due ON template_drafts (due_at) WHERE state = 'submitting'`,
  'CREATE INDEX template_drafts_newest ON template_drafts (account_id, id COLLATE "C" DESC)',
];

export class ManageTemplates1763900000003 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    for (const sql of [...UPSTREAM_ACCOUNTS, ...TEMPLATE_EVENTS, ...TEMPLATE_DRAFTS]) await runner.query(sql);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE template_drafts');
    await runner.query('ALTER TABLE template_events DROP upstream_status, DROP previous_category, DROP category');
    await runner.query(
      `ALTER TABLE upstream_accounts DROP token_stored_at, DROP sync_requested_at, DROP reading_since, DROP pages_read,
         DROP templates_read, DROP failures, DROP failed_at, DROP problem, DROP rest_until`,
    );
  }
}
