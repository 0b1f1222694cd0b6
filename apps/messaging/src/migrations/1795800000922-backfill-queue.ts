import type { MigrationInterface, QueryRunner } from 'typeorm';

const CONVERSATIONS_PER_STATEMENT = 5_000;

/**
 * Finds conversations that end with a message of the contact. They wait since their first unread message, or since
 * their last message if all are read. The trigger maintains the column since the previous migration, so a conversation
 * that was answered meanwhile does not match any more.
 * $1 last contact of the previous batch, $2 number of conversations
 */
const BACKFILL = `
  WITH batch AS MATERIALIZED (
    SELECT contact_id FROM conversations WHERE contact_id > $1 ORDER BY contact_id LIMIT $2 FOR NO KEY UPDATE
  ), filled AS (
    UPDATE conversations SET waiting_id = COALESCE(
      CASE WHEN unread_count > 0 THEN (
        SELECT min(unread.id) FROM messages AS unread
        WHERE unread.account_id = conversations.account_id AND unread.contact_id = conversations.contact_id
          AND unread.settled AND unread.direction = 'inbound' AND unread.origin <> 'history' AND unread.type <> 'system'
          AND unread.id > last_answer_id AND NOT is_withdrawal(unread.type, unread.content))
      END, last_message_id)
    FROM batch, messages AS last
    WHERE conversations.contact_id = batch.contact_id AND last.id = last_message_id AND waiting_id IS NULL AND NOT done
      AND last.direction = 'inbound' AND last.origin <> 'history' AND last.type <> 'system'
      AND NOT is_withdrawal(last.type, last.content)
  )
  SELECT max(contact_id) AS "lastId" FROM batch`;

export class BackfillQueue1795800000922 implements MigrationInterface {
  readonly transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    for (let after: string | null = ''; after !== null; ) {
      const rows = (await runner.query(BACKFILL, [after, CONVERSATIONS_PER_STATEMENT])) as { lastId: string | null }[];
      after = rows[0]?.lastId ?? null;
    }
  }

  async down(): Promise<void> {
    throw new Error('migrations go forward only');
  }
}
