import { createMessageTables } from '@switchboard/database';
import type { MigrationInterface, QueryRunner } from 'typeorm';

const UPSTREAM_ACCOUNTS = [
  `CREATE TABLE upstream_accounts (
     account_id text NOT NULL,
     waba_id text NOT NULL,
     sealed_access_token text NOT NULL,
     next_sync_at timestamptz NOT NULL DEFAULT now(),
     last_synced_at timestamptz,
     PRIMARY KEY (account_id, waba_id)
   )`,
  'CREATE INDEX upstream_accounts_due ON upstream_accounts (next_sync_at)',
  'CREATE INDEX upstream_accounts_waba ON upstream_accounts (waba_id)',
  "COMMENT ON COLUMN upstream_accounts.last_synced_at IS 'when the newest reading that was taken over began'",
];

const TEMPLATES = [
  `CREATE TABLE templates (
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
     PRIMARY KEY (account_id, id),
     FOREIGN KEY (account_id, waba_id) REFERENCES upstream_accounts
   )`,
  "COMMENT ON COLUMN templates.components IS 'as the API shows them; json keeps the order of the fields'",
  // Two businesses of one account may each have a template of the same name and language.
  'CREATE UNIQUE INDEX templates_name ON templates (account_id, name, language, waba_id)',
];

const TEMPLATE_EVENTS = [
  `CREATE TABLE template_events (
     id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
     account_id text NOT NULL,
     waba_id text NOT NULL,
     template_id text,
     callback_field text,
     previous_status text,
     status text,
     reason text,
     raw jsonb NOT NULL,
     at timestamptz NOT NULL DEFAULT now()
   )`,
  'CREATE INDEX template_events_template ON template_events (account_id, template_id, id)',
  "COMMENT ON TABLE template_events IS 'callbacks as they came (callback_field is set), and changes of status that a reading found (status is set)'",
];

export class CreateTemplates1763700000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    for (const sql of [...UPSTREAM_ACCOUNTS, ...TEMPLATES, ...TEMPLATE_EVENTS, ...createMessageTables])
      await runner.query(sql);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE templates, template_events, upstream_accounts, outbox, inbox');
  }
}
