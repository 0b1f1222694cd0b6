import { whenFree } from '@switchboard/database';
import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Marks the unread messages of a conversation until the same function has counted them. */
const UNCOUNTED = -1;

/** The platform reports the withdrawal of a reaction as a reaction with an empty emoji, or without one. */
const IS_WITHDRAWAL = `
  CREATE FUNCTION is_withdrawal(type text, content jsonb) RETURNS boolean LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
    SELECT type = 'reaction' AND COALESCE(content ->> 'emoji', '') = ''
  $$`;

/** Counts inbound messages since the last answer. No index of one direction has these words for the direction. */
const UNREAD = `
  (SELECT count(*) FROM messages
   WHERE account_id = conversations.account_id AND contact_id = conversations.contact_id AND settled
     AND direction <> 'outbound' AND origin <> 'history' AND id > last_answer_id AND NOT is_withdrawal(type, content))`;

/** The newest message of a conversation, withdrawals included. */
const NEWEST = `
  (SELECT max(id) FROM messages
   WHERE account_id = conversations.account_id AND contact_id = conversations.contact_id AND settled)`;

/** Counts the newly settled messages of a contact that may be unread. */
const cameIn = (contact: string, answer: string): string => `
  (SELECT count(*) FROM unnest(inbound_contacts, inbound_ids) AS came (contact_id, id)
   WHERE came.contact_id = ${contact} AND came.id > ${answer})`;

/**
 * As before, but the withdrawal of a reaction is neither unread, nor an answer, nor the last message. A conversation
 * that has nothing else ends with it all the same.
 */
const RECORD_SETTLED = `
  CREATE OR REPLACE FUNCTION record_settled(newly messages[]) RETURNS void LANGUAGE plpgsql
  SET search_path FROM CURRENT AS $$
  DECLARE
    inbound_contacts text[];
    inbound_ids text[];
    uncounted text[];
    unended text[];
  BEGIN
    SELECT array_agg(contact_id), array_agg(id) INTO inbound_contacts, inbound_ids FROM unnest(newly)
    WHERE direction = 'inbound' AND origin <> 'history' AND contact_id IS NOT NULL AND NOT is_withdrawal(type, content);

    WITH person AS (
      SELECT message.contact_id, min(message.account_id) AS account_id, count(*) AS added,
        coalesce(max(message.id) FILTER (WHERE NOT is_withdrawal(type, content)), '') AS last_message,
        coalesce(max(message.id) FILTER (
          WHERE direction = 'outbound' AND NOT failed AND NOT is_withdrawal(type, content)), '') AS last_answer,
        -- The upstream's own notices open no window, and no window opens in the future.
        max(LEAST(received_at, now())) FILTER (WHERE direction = 'inbound' AND type <> 'system' AND origin <> 'history') AS opened_at
      FROM unnest(newly) AS message WHERE message.contact_id IS NOT NULL
      GROUP BY message.contact_id
    ), stored AS (
      INSERT INTO conversations AS known (contact_id, account_id, last_message_id, last_answer_id, last_inbound_at, message_count, unread_count)
      SELECT contact_id, account_id, last_message, last_answer, opened_at, added, ${cameIn('person.contact_id', 'person.last_answer')}
      FROM person ORDER BY contact_id
      ON CONFLICT (contact_id) DO UPDATE
      SET last_message_id = GREATEST(known.last_message_id, EXCLUDED.last_message_id),
          last_answer_id = GREATEST(known.last_answer_id, EXCLUDED.last_answer_id),
          last_inbound_at = GREATEST(known.last_inbound_at, EXCLUDED.last_inbound_at),
          message_count = known.message_count + EXCLUDED.message_count,
          unread_count = CASE
            WHEN EXCLUDED.last_answer_id <= known.last_answer_id
              THEN known.unread_count + ${cameIn('known.contact_id', 'known.last_answer_id')}
            WHEN EXCLUDED.last_answer_id > known.last_message_id THEN EXCLUDED.unread_count
            -- An answer that was settled after newer messages had come in.
            ELSE ${UNCOUNTED}
          END
      RETURNING contact_id, unread_count, last_message_id
    )
    SELECT array_agg(contact_id) FILTER (WHERE unread_count = ${UNCOUNTED}),
      array_agg(contact_id) FILTER (WHERE last_message_id = '') INTO uncounted, unended FROM stored;

    IF uncounted IS NOT NULL THEN
      UPDATE conversations SET unread_count = ${UNREAD} WHERE contact_id = ANY (uncounted);
    END IF;
    IF unended IS NOT NULL THEN
      UPDATE conversations SET last_message_id = ${NEWEST} WHERE contact_id = ANY (unended);
    END IF;

    INSERT INTO service_windows AS known (number_id, contact_id, account_id, last_inbound_at)
    SELECT number_id, contact_id, min(account_id), max(LEAST(received_at, now()))
    FROM unnest(newly)
    WHERE direction = 'inbound' AND type <> 'system' AND origin <> 'history' AND contact_id IS NOT NULL AND received_at IS NOT NULL
    GROUP BY number_id, contact_id ORDER BY number_id, contact_id
    ON CONFLICT (number_id, contact_id) DO UPDATE SET last_inbound_at = GREATEST(known.last_inbound_at, EXCLUDED.last_inbound_at);

    PERFORM add_to_total(account_id, direction, count(*)) FROM unnest(newly) GROUP BY account_id, direction ORDER BY account_id, direction;
  END $$`;

/** As before; a conversation whose last message was removed ends with the withdrawals that came after it. */
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
      last_message_id = CASE WHEN last_message_id <= newest_removed THEN ${NEWEST} ELSE last_message_id END
    FROM shorter WHERE conversations.contact_id = shorter.contact_id AND remaining > 0;

    PERFORM add_to_total(account_id, direction, -count(*)) FROM removed
    WHERE settled GROUP BY account_id, direction ORDER BY account_id, direction;
    RETURN NULL;
  END $$`;

/** Withdrawing a reaction leaves the conversation as it was. */
export class IgnoreWithdrawnReactions1764500000010 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await whenFree(runner, [IS_WITHDRAWAL, RECORD_SETTLED, RECORD_REMOVED]);
  }

  async down(): Promise<void> {
    throw new Error('migrations go forward only');
  }
}
