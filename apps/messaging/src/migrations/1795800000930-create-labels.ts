import { withLockRetry } from '@switchboard/database';
import type { MigrationInterface, QueryRunner } from 'typeorm';

const LABELS = `
  CREATE TABLE labels (
    id text COLLATE "C" PRIMARY KEY,
    account_id text NOT NULL,
    name text NOT NULL,
    -- The name without case, which is unique among the labels that are not deleted.
    name_key text COLLATE "C" NOT NULL,
    colour text NOT NULL,
    -- Set when the label is deleted: a sweep then removes it from all contacts, and deletes the row last.
    deleted_at timestamptz
  );
  CREATE UNIQUE INDEX labels_by_name ON labels (account_id, name_key) WHERE deleted_at IS NULL;
  CREATE INDEX labels_deleted ON labels (deleted_at) WHERE deleted_at IS NOT NULL`;

/** Cascades, because the previous version deletes contacts and knows no labels. */
const CONTACT_LABELS = `
  CREATE TABLE contact_labels (
    contact_id text COLLATE "C" NOT NULL REFERENCES contacts ON DELETE CASCADE,
    label_id text COLLATE "C" NOT NULL REFERENCES labels,
    account_id text NOT NULL,
    PRIMARY KEY (contact_id, label_id)
  );
  -- The contacts of a label, in the order of the list of contacts.
  CREATE INDEX contact_labels_by_label ON contact_labels (label_id, contact_id) INCLUDE (account_id)`;

export class CreateLabels1795800000930 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await withLockRetry(runner, [LABELS, CONTACT_LABELS]);
  }

  async down(): Promise<void> {
    throw new Error('migrations go forward only');
  }
}
