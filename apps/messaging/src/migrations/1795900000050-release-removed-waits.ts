import { withLockRetry } from '@switchboard/database';
import type { MigrationInterface, QueryRunner } from 'typeorm';

const UNREAD = `
  (SELECT count(*) FROM messages
   WHERE messages.account_id = conversations.account_id AND messages.contact_id = conversations.contact_id AND settled
     AND direction <> 'outbound' AND origin <> 'history' AND messages.id > last_answer_id AND NOT is_withdrawal(type, content))`;

const NEWEST = `
  (SELECT max(id) FROM messages
   WHERE account_id = conversations.account_id AND contact_id = conversations.contact_id AND settled)`;

/**
 * Also derives since which message the conversation waits, if that message was removed. The remaining messages may not
 * need an answer.
 */
const RECORD_REMOVED = `
  CREATE OR REPLACE FUNCTION record_removed_messages() RETURNS trigger LANGUAGE plpgsql
  SET search_path FROM CURRENT AS $$
  DECLARE shortened text[];
  BEGIN
    SELECT array_agg(DISTINCT contact_id) INTO shortened FROM removed WHERE settled AND contact_id IS NOT NULL;
    PERFORM 1 FROM conversations WHERE contact_id = ANY (shortened) ORDER BY contact_id FOR UPDATE;

    WITH removed_of AS (
      SELECT contact_id, count(*)::int AS removed, max(id) AS newest_removed FROM removed
      WHERE settled AND contact_id IS NOT NULL GROUP BY contact_id
    ), shorter AS (
      SELECT contact_id, message_count - removed AS remaining, newest_removed
      FROM conversations JOIN removed_of USING (contact_id)
      WHERE contact_id = ANY (shortened)
    ), ended AS (
      DELETE FROM conversations USING shorter WHERE conversations.contact_id = shorter.contact_id AND remaining <= 0
    )
    UPDATE conversations SET message_count = remaining,
      unread_count = CASE unread_count WHEN 0 THEN 0 ELSE ${UNREAD} END,
      waiting_id = CASE WHEN waiting_id <= newest_removed
        THEN first_unanswered(conversations.account_id, conversations.contact_id) ELSE waiting_id END,
      last_message_id = CASE WHEN last_message_id <= newest_removed THEN ${NEWEST} ELSE last_message_id END
    FROM shorter WHERE conversations.contact_id = shorter.contact_id AND remaining > 0;

    PERFORM add_to_total(account_id, direction, -count(*)) FROM removed
    WHERE settled GROUP BY account_id, direction ORDER BY account_id, direction;
    RETURN NULL;
  END $$`;

export class ReleaseRemovedWaits1795900000050 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await withLockRetry(runner, [RECORD_REMOVED]);
  }

  async down(): Promise<void> {
    throw new Error('migrations go forward only');
  }
}
