import type { MigrationInterface, QueryRunner } from 'typeorm';

const CONVERSATIONS_PER_TRANSACTION = 5_000;

/** Locks the next conversations, so that no message is added to them. $1 last contact before them, $2 number */
const LOCK_NEXT = `
  SELECT contact_id AS "contactId" FROM conversations
  WHERE contact_id > $1 ORDER BY contact_id LIMIT $2 FOR NO KEY UPDATE`;

/**
 * Finds the first message since which each conversation waits. A statement of its own, so that it sees the messages
 * that were stored before the lock. An earlier migration lets the trigger maintain the column, but starting with the
 * message that is then the newest.
 * $1 contacts
 */
const BACKFILL = `
  UPDATE conversations SET waiting_id = LEAST(conversations.waiting_id, found.waiting_id)
  FROM (
    SELECT contact_id, first_unanswered(account_id, contact_id) AS waiting_id FROM conversations
    WHERE contact_id = ANY ($1) AND last_inbound_at IS NOT NULL AND NOT done
  ) AS found
  WHERE conversations.contact_id = found.contact_id
    AND conversations.waiting_id IS DISTINCT FROM LEAST(conversations.waiting_id, found.waiting_id)`;

export class BackfillQueue1795800000922 implements MigrationInterface {
  readonly transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    for (let after: string | undefined = ''; after !== undefined; ) {
      await runner.startTransaction();
      const next = (await runner.query(LOCK_NEXT, [after, CONVERSATIONS_PER_TRANSACTION])) as { contactId: string }[];
      await runner.query(BACKFILL, [next.map(({ contactId }) => contactId)]);
      await runner.commitTransaction();
      after = next.at(-1)?.contactId;
    }
  }

  async down(): Promise<void> {
    throw new Error('migrations go forward only');
  }
}
