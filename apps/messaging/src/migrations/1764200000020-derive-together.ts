import { whenFree } from '@switchboard/database';
import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Stands in the unread messages of a conversation until the same function has counted them. */
const UNCOUNTED = -1;

/** What came in since the last answer. No index of one direction has these words for the direction (`IS_OURS`). */
const UNREAD = `
  (SELECT count(*) FROM messages
   WHERE account_id = conversations.account_id AND contact_id = conversations.contact_id AND settled
     AND direction <> 'outbound' AND origin <> 'history' AND id > last_answer_id)`;

/** The newly settled messages that may be unread: `came`, of a person. */
const cameIn = (contact: string, answer: string): string => `
  (SELECT count(*) FROM unnest(inbound_contacts, inbound_ids) AS came (contact_id, id)
   WHERE came.contact_id = ${contact} AND came.id > ${answer})`;

/**
 * As before, with one statement for the conversations of all people instead of one for each of them. What came in since
 * an answer that was settled late is counted by a statement of its own, once all rows are held: it sees what was
 * committed while this one waited for them.
 */
const RECORD_SETTLED = `
  CREATE OR REPLACE FUNCTION record_settled(newly messages[]) RETURNS void LANGUAGE plpgsql
  SET search_path FROM CURRENT AS $$
  DECLARE
    inbound_contacts text[];
    inbound_ids text[];
    uncounted text[];
  BEGIN
    SELECT array_agg(contact_id), array_agg(id) INTO inbound_contacts, inbound_ids FROM unnest(newly)
    WHERE direction = 'inbound' AND origin <> 'history' AND contact_id IS NOT NULL;

    WITH person AS (
      SELECT message.contact_id, min(message.account_id) AS account_id, max(message.id) AS last_message, count(*) AS added,
        coalesce(max(message.id) FILTER (WHERE direction = 'outbound' AND NOT failed), '') AS last_answer,
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
      RETURNING contact_id, unread_count
    )
    SELECT array_agg(contact_id) INTO uncounted FROM stored WHERE unread_count = ${UNCOUNTED};

    IF uncounted IS NOT NULL THEN
      UPDATE conversations SET unread_count = ${UNREAD} WHERE contact_id = ANY (uncounted);
    END IF;

    INSERT INTO service_windows AS known (number_id, contact_id, account_id, last_inbound_at)
    SELECT number_id, contact_id, min(account_id), max(LEAST(received_at, now()))
    FROM unnest(newly)
    WHERE direction = 'inbound' AND type <> 'system' AND origin <> 'history' AND contact_id IS NOT NULL AND received_at IS NOT NULL
    GROUP BY number_id, contact_id ORDER BY number_id, contact_id
    ON CONFLICT (number_id, contact_id) DO UPDATE SET last_inbound_at = GREATEST(known.last_inbound_at, EXCLUDED.last_inbound_at);

    PERFORM add_to_total(account_id, direction, count(*)) FROM unnest(newly) GROUP BY account_id, direction ORDER BY account_id, direction;
  END $$`;

/** As before, but it counts once it holds the rows: what was committed while it waited for them counts, too. */
const RECORD_REMOVED = `
  CREATE OR REPLACE FUNCTION record_removed_messages() RETURNS trigger LANGUAGE plpgsql
  SET search_path FROM CURRENT AS $$
  DECLARE shortened text[];
  BEGIN
    SELECT array_agg(DISTINCT contact_id) INTO shortened FROM removed WHERE settled AND contact_id IS NOT NULL;
    PERFORM 1 FROM conversations WHERE contact_id = ANY (shortened) ORDER BY contact_id FOR UPDATE;

    WITH removed_of AS (
      SELECT contact_id, count(*)::int AS removed FROM removed
      WHERE settled AND contact_id IS NOT NULL GROUP BY contact_id
    ), shorter AS (
      SELECT contact_id, message_count - removed AS remaining FROM conversations JOIN removed_of USING (contact_id)
      WHERE contact_id = ANY (shortened)
    ), ended AS (
      DELETE FROM conversations USING shorter WHERE conversations.contact_id = shorter.contact_id AND remaining <= 0
    )
    UPDATE conversations SET message_count = remaining,
      unread_count = CASE unread_count WHEN 0 THEN 0 ELSE ${UNREAD} END
    FROM shorter WHERE conversations.contact_id = shorter.contact_id AND remaining > 0;

    PERFORM add_to_total(account_id, direction, -count(*)) FROM removed
    WHERE settled GROUP BY account_id, direction ORDER BY account_id, direction;
    RETURN NULL;
  END $$`;

/** For lists whose rows come and go many at once; the rows of the statement are `counted`. */
const COUNT_ROWS = `
  CREATE FUNCTION count_rows() RETURNS trigger LANGUAGE plpgsql
  SET search_path FROM CURRENT AS $$
  BEGIN
    PERFORM add_to_total(account_id, TG_ARGV[0], CASE TG_OP WHEN 'INSERT' THEN count(*) ELSE -count(*) END)
    FROM counted GROUP BY account_id ORDER BY account_id;
    RETURN NULL;
  END $$`;

/**
 * The same pieces as before in a seventh of the time: a statement within a function costs more than a loop. The index
 * stores a piece once that comes twice.
 */
const SEARCH_KEYS = `
  CREATE OR REPLACE FUNCTION contact_search_keys(account_id text, searched text) RETURNS text[] LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE AS $$
  DECLARE
    keys text[] := '{}';
    head text := account_id || ' ';
    word text;
  BEGIN
    FOREACH word IN ARRAY coalesce(string_to_array(searched, ' '), '{}') LOOP
      FOR start IN 1..length(word) - 1 LOOP
        keys := keys || (head || substr(word, start, 2));
        IF start < length(word) - 1 THEN keys := keys || (head || substr(word, start, 3)); END IF;
      END LOOP;
    END LOOP;
    RETURN keys;
  END $$`;

/** What is derived from messages and contacts is derived of all rows of a statement together. */
export class DeriveTogether1764200000020 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await whenFree(runner, [
      RECORD_SETTLED,
      RECORD_REMOVED,
      COUNT_ROWS,
      SEARCH_KEYS,
      'DROP TRIGGER contacts_counted ON contacts',
      `CREATE TRIGGER contacts_added AFTER INSERT ON contacts REFERENCING NEW TABLE AS counted
       FOR EACH STATEMENT EXECUTE FUNCTION count_rows('contacts')`,
      `CREATE TRIGGER contacts_removed AFTER DELETE ON contacts REFERENCING OLD TABLE AS counted
       FOR EACH STATEMENT EXECUTE FUNCTION count_rows('contacts')`,
    ]);
  }

  async down(): Promise<void> {
    throw new Error('migrations go forward only');
  }
}
