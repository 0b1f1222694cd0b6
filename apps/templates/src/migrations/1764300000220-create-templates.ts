import { createMessageTables } from '@switchboard/database';
import type { MigrationInterface, QueryRunner } from 'typeorm';

const UPSTREAM_ACCOUNTS = `
  CREATE TABLE upstream_accounts (
    account_id text NOT NULL,
    waba_id text NOT NULL,
    sealed_access_token text NOT NULL,
    next_sync_at timestamptz NOT NULL DEFAULT now(),
    last_synced_at timestamptz,
    token_stored_at timestamptz,
    sync_requested_at timestamptz,
    reading_since timestamptz,
    pages_read int NOT NULL DEFAULT 0,
    templates_read int NOT NULL DEFAULT 0,
    failures int NOT NULL DEFAULT 0,
    failed_at timestamptz,
    problem text,
    rest_until timestamptz,
    left_at timestamptz,
    PRIMARY KEY (account_id, waba_id)
  );
  CREATE INDEX upstream_accounts_due ON upstream_accounts (next_sync_at);
  CREATE INDEX upstream_accounts_waba ON upstream_accounts (waba_id);
  COMMENT ON COLUMN upstream_accounts.last_synced_at IS 'when the newest reading that was taken over began';
  COMMENT ON COLUMN upstream_accounts.token_stored_at IS 'when messaging stored the token: an older one never replaces it';
  COMMENT ON COLUMN upstream_accounts.reading_since IS 'when the reading began that runs, or was lost with its process once the lease is over';
  COMMENT ON COLUMN upstream_accounts.rest_until IS 'the upstream platform is throttling: nothing is asked before, whoever wants it';
  COMMENT ON COLUMN upstream_accounts.left_at IS 'since when the account has no number of the business: nothing is read, and its token is forgotten';`;

const TEMPLATES = `
  CREATE TABLE templates (
    account_id text NOT NULL,
    id text NOT NULL,
    waba_id text NOT NULL,
    name text NOT NULL,
    language text NOT NULL,
    category text NOT NULL,
    status text NOT NULL CHECK (status IN ('APPROVED', 'PENDING', 'REJECTED', 'FLAGGED', 'DISABLED')),
    upstream_status text NOT NULL,
    components json NOT NULL,
    raw jsonb NOT NULL,
    updated_at timestamptz NOT NULL DEFAULT now(),
    -- Set while the published status is FLAGGED although the template can be sent.
    flag_reason text,
    PRIMARY KEY (account_id, id),
    FOREIGN KEY (account_id, waba_id) REFERENCES upstream_accounts
  );
  COMMENT ON COLUMN templates.components IS 'as the API shows them; json keeps the order of the fields';
  -- Two businesses of one account may each have a template with the same name and language.
  CREATE UNIQUE INDEX templates_name ON templates (account_id, name, language, waba_id);

  CREATE TABLE template_events (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    account_id text NOT NULL,
    waba_id text NOT NULL,
    template_id text,
    callback_field text,
    previous_status text,
    status text,
    reason text,
    raw jsonb NOT NULL,
    at timestamptz NOT NULL DEFAULT now(),
    upstream_status text,
    previous_category text,
    category text,
    -- When a sync published the callback's reason and warnings, which happens once.
    answered_at timestamptz
  );
  COMMENT ON TABLE template_events IS 'callbacks as they came (callback_field is set), and changes of status that a reading found (status is set)';
  CREATE INDEX template_events_template ON template_events (account_id, template_id, id);
  CREATE INDEX template_events_unanswered ON template_events (account_id, waba_id)
    WHERE callback_field = 'message_template_status_update' AND answered_at IS NULL;`;

const DRAFTS = `
  CREATE TABLE template_drafts (
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
  );
  COMMENT ON COLUMN template_drafts.may_have_landed IS 'a call went out whose answer nobody has written down';
  CREATE UNIQUE INDEX template_drafts_open ON template_drafts (account_id, waba_id, name, language) WHERE state <> 'submitted';
  CREATE INDEX template_drafts_due ON template_drafts (due_at) WHERE state = 'submitting';
  CREATE INDEX template_drafts_newest ON template_drafts (account_id, id COLLATE "C" DESC);

  -- Sample files of drafts for the review. Their bytes are in the blob store.
  CREATE TABLE header_samples (
    account_id text NOT NULL,
    id text NOT NULL,
    mime_type text NOT NULL,
    bytes bigint NOT NULL,
    filename text,
    created_at timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (account_id, id)
  );
  CREATE INDEX header_samples_oldest ON header_samples (created_at);`;

export class CreateTemplates1764300000220 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    for (const sql of [UPSTREAM_ACCOUNTS, TEMPLATES, DRAFTS, ...createMessageTables]) await runner.query(sql);
  }

  async down(): Promise<void> {
    throw new Error('migrations go forward only');
  }
}
