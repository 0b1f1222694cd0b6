import { withLockRetry } from '@switchboard/database';
import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Marks a conversation whose unread and waiting messages the same function has yet to count. */
const UNCOUNTED = -1;

const UNREAD = `
  (SELECT count(*) FROM messages
   WHERE messages.account_id = conversations.account_id AND messages.contact_id = conversations.contact_id AND settled
     AND direction <> 'outbound' AND origin <> 'history' AND messages.id > last_answer_id AND NOT is_withdrawal(type, content))`;

const WAITING = 'CASE WHEN NOT done THEN first_unanswered(conversations.account_id, conversations.contact_id) END';

const NEWEST = `
  (SELECT max(id) FROM messages
   WHERE account_id = conversations.account_id AND contact_id = conversations.contact_id AND settled)`;

/** Condition that excludes most recipients of bulk jobs: the contact has written. */
const MAY_WAIT = 'last_inbound_at IS NOT NULL';

/** Selects from the newly settled inbound messages of a contact. */
const cameIn = (selected: string, contact: string, condition: string): string => `
  (SELECT ${selected} FROM unnest(inbound_contacts, inbound_ids, inbound_written) AS came (contact_id, id, is_written)
   WHERE came.contact_id = ${contact} AND ${condition})`;

/** Finds the first message of the contact after the newest answer. A reaction of the account is no answer. */
const FIRST_UNANSWERED = `
  CREATE OR REPLACE FUNCTION first_unanswered(account text, contact text) RETURNS text LANGUAGE sql STABLE
  SET search_path FROM CURRENT AS $$
    SELECT min(id) FROM messages
    WHERE account_id = account COLLATE "default" AND contact_id = contact COLLATE "C" AND settled
      AND direction <> 'outbound' AND origin <> 'history' AND type <> 'system' AND NOT is_withdrawal(type, content)
      AND id > COALESCE((
        SELECT max(id) FROM messages
        WHERE account_id = account COLLATE "default" AND contact_id = contact COLLATE "C" AND settled
          AND direction <> 'inbound' AND NOT failed AND type <> 'reaction'), '')
  $$`;

/** As before, but a reaction of the account is no answer: the conversation stays unread and unanswered. */
const RECORD_SETTLED = `
  CREATE OR REPLACE FUNCTION record_settled(newly messages[]) RETURNS void LANGUAGE plpgsql
  SET search_path FROM CURRENT AS $$
  DECLARE
    inbound_contacts text[];
    inbound_ids text[];
    inbound_written boolean[];
    uncounted text[];
    unended text[];
  BEGIN
    SELECT array_agg(contact_id), array_agg(id), array_agg(type <> 'system')
    INTO inbound_contacts, inbound_ids, inbound_written FROM unnest(newly)
    WHERE direction = 'inbound' AND origin <> 'history' AND contact_id IS NOT NULL AND NOT is_withdrawal(type, content);

    WITH person AS (
      SELECT message.contact_id, min(message.account_id) AS account_id, count(*) AS added,
        coalesce(max(message.id) FILTER (WHERE NOT is_withdrawal(type, content)), '') AS last_message,
        coalesce(max(message.id) FILTER (
          WHERE direction = 'outbound' AND NOT failed AND type <> 'reaction'), '') AS last_answer,
        -- The upstream's own notices open no window, and no window opens in the future.
        max(LEAST(received_at, now())) FILTER (WHERE direction = 'inbound' AND type <> 'system' AND origin <> 'history') AS opened_at
      FROM unnest(newly) AS message WHERE message.contact_id IS NOT NULL
      GROUP BY message.contact_id
    ), stored AS (
      INSERT INTO conversations AS known (contact_id, account_id, last_message_id, last_answer_id, last_inbound_at, message_count,
        unread_count, waiting_id)
      SELECT contact_id, account_id, last_message, last_answer, opened_at, added,
        ${cameIn('count(*)', 'person.contact_id', 'came.id > person.last_answer')},
        ${cameIn('min(came.id)', 'person.contact_id', 'is_written AND came.id > person.last_answer')}
      FROM person ORDER BY contact_id
      ON CONFLICT (contact_id) DO UPDATE
      SET last_message_id = GREATEST(known.last_message_id, EXCLUDED.last_message_id),
          last_answer_id = GREATEST(known.last_answer_id, EXCLUDED.last_answer_id),
          last_inbound_at = GREATEST(known.last_inbound_at, EXCLUDED.last_inbound_at),
          message_count = known.message_count + EXCLUDED.message_count,
          unread_count = CASE
            -- An answer that was settled after newer messages had come in and were seen.
            WHEN EXCLUDED.last_answer_id > known.waiting_id AND EXCLUDED.last_answer_id <= known.last_answer_id
              THEN ${UNCOUNTED}
            WHEN EXCLUDED.last_answer_id <= known.last_answer_id
              THEN known.unread_count + ${cameIn('count(*)', 'known.contact_id', 'came.id > known.last_answer_id')}
            WHEN EXCLUDED.last_answer_id > known.last_message_id THEN EXCLUDED.unread_count
            -- An answer that was settled after newer messages had come in.
            ELSE ${UNCOUNTED}
          END,
          waiting_id = CASE
            WHEN EXCLUDED.last_answer_id <= known.last_answer_id THEN LEAST(known.waiting_id,
              ${cameIn('min(came.id)', 'known.contact_id', 'is_written AND (known.done OR came.id > known.last_answer_id)')})
            WHEN EXCLUDED.last_answer_id > known.last_message_id THEN EXCLUDED.waiting_id
          END,
          done = known.done AND NOT EXISTS ${cameIn('1', 'known.contact_id', 'is_written')}
      RETURNING contact_id, unread_count, last_message_id
    )
    SELECT array_agg(contact_id) FILTER (WHERE unread_count = ${UNCOUNTED}),
      array_agg(contact_id) FILTER (WHERE last_message_id = '') INTO uncounted, unended FROM stored;

    IF uncounted IS NOT NULL THEN
      UPDATE conversations SET unread_count = ${UNREAD}, waiting_id = ${WAITING} WHERE contact_id = ANY (uncounted);
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

/** As before, but a reaction that fails after it was sent does not reopen the conversation. */
const RECORD_CHANGED = `
  CREATE OR REPLACE FUNCTION record_changed_messages() RETURNS trigger LANGUAGE plpgsql
  SET search_path FROM CURRENT AS $$
  DECLARE
    newly messages[];
    affected text[];
    failing messages[];
  BEGIN
    -- A callback of a thousand statuses as a rule settles nothing and reports no failure: that is seen without a join.
    IF EXISTS (SELECT 1 FROM before WHERE NOT settled) THEN
      SELECT array_agg(after) INTO newly FROM after JOIN before USING (id)
      WHERE NOT before.settled AND after.settled;
    END IF;
    IF EXISTS (SELECT 1 FROM after WHERE failed) OR EXISTS (SELECT 1 FROM before WHERE failed) THEN
      SELECT array_agg(after.contact_id), array_agg(after) FILTER (WHERE after.failed) INTO affected, failing
      FROM after JOIN before USING (id) JOIN conversations ON conversations.contact_id = after.contact_id
      WHERE before.settled AND before.failed <> after.failed AND after.type <> 'reaction' AND ${MAY_WAIT};
    END IF;
    IF affected IS NOT NULL THEN
      PERFORM 1 FROM conversations WHERE contact_id = ANY (affected || ARRAY(SELECT contact_id FROM unnest(newly)))
      ORDER BY contact_id FOR NO KEY UPDATE;
    END IF;
    IF newly IS NOT NULL THEN PERFORM record_settled(newly); END IF;
    IF affected IS NOT NULL THEN
      UPDATE conversations SET waiting_id = found.waiting_id, done = false
      FROM (
        SELECT contact_id, first_unanswered(account_id, contact_id) AS waiting_id
        FROM conversations WHERE contact_id = ANY (affected)
      ) AS found
      WHERE conversations.contact_id = found.contact_id AND conversations.waiting_id IS DISTINCT FROM found.waiting_id
        AND (NOT done OR EXISTS (
          SELECT 1 FROM unnest(failing) AS failed_answer
          WHERE failed_answer.contact_id = found.contact_id AND failed_answer.id > found.waiting_id COLLATE "C"));
    END IF;
    RETURN NULL;
  END $$`;

export class IgnoreReactions1795900000121 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await withLockRetry(runner, [FIRST_UNANSWERED, RECORD_SETTLED, RECORD_CHANGED]);
  }

  async down(): Promise<void> {
    throw new Error('migrations go forward only');
  }
}
