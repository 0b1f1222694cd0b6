import { withLockRetry } from '@switchboard/database';
import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Notes and messages of a conversation share their order: both ids start with the time. Cascades, because the previous
 * version deletes contacts and knows no notes.
 */
const NOTES = `
  CREATE TABLE notes (
    id text COLLATE "C" PRIMARY KEY,
    account_id text NOT NULL,
    contact_id text COLLATE "C" NOT NULL REFERENCES contacts ON DELETE CASCADE,
    -- The user who wrote the note.
    author_id text NOT NULL,
    text text NOT NULL
  );
  CREATE INDEX notes_newest ON notes (account_id, id);
  CREATE INDEX notes_of_contact ON notes (contact_id, id);`;

export class CreateNotes1795800000940 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await withLockRetry(runner, [NOTES]);
  }

  async down(): Promise<void> {
    throw new Error('migrations go forward only');
  }
}
