import { whenFree } from '@switchboard/database';
import type { MigrationInterface, QueryRunner } from 'typeorm';

const STATEMENTS = [
  `ALTER TABLE messages
     ADD COLUMN edited_at timestamptz,
     ADD COLUMN deleted_at timestamptz,
     -- Of a message to a group: it belongs to no conversation, so its contact is null and its writer stands here.
     ADD COLUMN group_id text,
     ADD COLUMN author_id text COLLATE "C"`,
  // The sender deleted the message: nobody gets the file any more, and its bytes are to be removed.
  'ALTER TABLE media ADD COLUMN removed_at timestamptz',
  // Edits and deletions as they were reported: a repeated one is known, and one that comes before its message waits.
  `CREATE TABLE message_changes (
     number_id text NOT NULL REFERENCES numbers,
     -- Of the edit or the deletion itself.
     upstream_id text NOT NULL,
     account_id text NOT NULL,
     contact_id text COLLATE "C" NOT NULL,
     original_id text NOT NULL,
     deletes boolean NOT NULL,
     type text,
     content jsonb,
     at timestamptz NOT NULL,
     -- Of two within a second the one that was reported later counts.
     position bigint GENERATED ALWAYS AS IDENTITY,
     received_at timestamptz NOT NULL DEFAULT now(),
     PRIMARY KEY (number_id, upstream_id)
   )`,
  'CREATE INDEX message_changes_of_message ON message_changes (number_id, original_id)',
  'CREATE INDEX message_changes_of_contact ON message_changes (contact_id)',
  'CREATE INDEX message_changes_received ON message_changes (received_at)',
];

/** Messages that customers edited or deleted, and those that they wrote to groups. */
export class RecordWhatPeopleChange1764100000030 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await whenFree(runner, STATEMENTS);
  }

  async down(): Promise<void> {
    throw new Error('migrations go forward only');
  }
}
