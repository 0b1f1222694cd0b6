import { changeCondition, whenFree } from '@switchboard/database';
import type { MigrationInterface, QueryRunner } from 'typeorm';
import { MESSAGE_HOURS } from '../statistics/message-hours';

const STATEMENTS = [
  // Where a message comes from: `api`, `business_app` or `history`.
  "ALTER TABLE messages ADD COLUMN origin text NOT NULL DEFAULT 'api'",
  // Whose messages are changed: those that came in, or those of the business, which somebody changed in its phone app.
  "ALTER TABLE message_changes ADD COLUMN direction text NOT NULL DEFAULT 'inbound'",
];

/** What came in since an answer, and happened while the number was here. */
const unreadSince = (contact: string, answer: string): string => `
  (SELECT count(*) FROM messages
   WHERE account_id = ${contact}.account_id AND contact_id = ${contact}.contact_id AND settled AND direction = 'inbound'
     AND origin <> 'history' AND id > ${answer})`;

/**
 * As before, but for messages of long ago: these stand in the conversation and in the lengths of lists, while they open
 * no window and are not unread.
 */
const RECORD_SETTLED = `
  CREATE OR REPLACE FUNCTION record_settled(newly messages[]) RETURNS void LANGUAGE plpgsql
  SET search_path FROM CURRENT AS $$
  DECLARE person record;
  BEGIN
    FOR person IN
      SELECT message.contact_id, min(message.account_id) AS account_id, max(message.id) AS last_message, count(*) AS added,
        coalesce(max(message.id) FILTER (WHERE direction = 'outbound' AND NOT failed), '') AS last_answer,
        -- The upstream's own notices open no window, and no window opens in the future.
        max(LEAST(received_at, now())) FILTER (WHERE direction = 'inbound' AND type <> 'system' AND origin <> 'history') AS opened_at,
        coalesce(array_agg(message.id) FILTER (WHERE direction = 'inbound' AND origin <> 'history'), '{}') AS inbound
      FROM unnest(newly) AS message WHERE message.contact_id IS NOT NULL
      GROUP BY message.contact_id ORDER BY message.contact_id
    LOOP
      INSERT INTO conversations AS known (contact_id, account_id, last_message_id, last_answer_id, last_inbound_at, message_count, unread_count)
      VALUES (person.contact_id, person.account_id, person.last_message, person.last_answer, person.opened_at, person.added,
        (SELECT count(*) FROM unnest(person.inbound) AS id WHERE id > person.last_answer))
      ON CONFLICT (contact_id) DO UPDATE
      SET last_message_id = GREATEST(known.last_message_id, EXCLUDED.last_message_id),
          last_answer_id = GREATEST(known.last_answer_id, EXCLUDED.last_answer_id),
          last_inbound_at = GREATEST(known.last_inbound_at, EXCLUDED.last_inbound_at),
          message_count = known.message_count + EXCLUDED.message_count,
          unread_count = CASE
            WHEN EXCLUDED.last_answer_id <= known.last_answer_id
              THEN known.unread_count + (SELECT count(*) FROM unnest(person.inbound) AS id WHERE id > known.last_answer_id)
            WHEN EXCLUDED.last_answer_id > known.last_message_id THEN EXCLUDED.unread_count
            -- An answer that was settled after newer messages had come in.
            ELSE ${unreadSince('known', 'EXCLUDED.last_answer_id')}
          END;
    END LOOP;

    INSERT INTO service_windows AS known (number_id, contact_id, account_id, last_inbound_at)
    SELECT number_id, contact_id, min(account_id), max(LEAST(received_at, now()))
    FROM unnest(newly)
    WHERE direction = 'inbound' AND type <> 'system' AND origin <> 'history' AND contact_id IS NOT NULL AND received_at IS NOT NULL
    GROUP BY number_id, contact_id ORDER BY number_id, contact_id
    ON CONFLICT (number_id, contact_id) DO UPDATE SET last_inbound_at = GREATEST(known.last_inbound_at, EXCLUDED.last_inbound_at);

    PERFORM add_to_total(account_id, direction, count(*)) FROM unnest(newly) GROUP BY account_id, direction ORDER BY account_id, direction;
  END $$`;

const RECORD_REMOVED = `
  CREATE OR REPLACE FUNCTION record_removed_messages() RETURNS trigger LANGUAGE plpgsql
  SET search_path FROM CURRENT AS $$
  BEGIN
    WITH removed_of AS (
      SELECT contact_id, count(*)::int AS removed FROM removed
      WHERE settled AND contact_id IS NOT NULL GROUP BY contact_id
    ), locked AS (
      SELECT contact_id, message_count - removed AS remaining FROM conversations JOIN removed_of USING (contact_id)
      ORDER BY contact_id FOR UPDATE OF conversations
    ), ended AS (
      DELETE FROM conversations USING locked WHERE conversations.contact_id = locked.contact_id AND remaining <= 0
    )
    UPDATE conversations SET message_count = remaining,
      unread_count = CASE unread_count WHEN 0 THEN 0 ELSE ${unreadSince('conversations', 'last_answer_id')} END
    FROM locked WHERE conversations.contact_id = locked.contact_id AND remaining > 0;

    PERFORM add_to_total(account_id, direction, -count(*)) FROM removed
    WHERE settled GROUP BY account_id, direction ORDER BY account_id, direction;
    RETURN NULL;
  END $$`;

/** Messages of the business's phone app beside those of the API (ADR 56). */
export class TellOriginsApart1764200000010 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await whenFree(runner, [...STATEMENTS, RECORD_SETTLED, RECORD_REMOVED]);
    // No message of before is of that origin, so the figures of before are right.
    await changeCondition(runner, { ...MESSAGE_HOURS, condition: "settled AND origin <> 'history'" });
  }

  async down(): Promise<void> {
    throw new Error('migrations go forward only');
  }
}
