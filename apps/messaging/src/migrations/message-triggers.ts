/**
 * Everything that is derived from messages is kept by the database itself, in the statement that changes them: no
 * writer can forget it, and it is exact after a crash at any point. A message counts once it is settled: an inbound one
 * when it is stored, one of ours when it leaves `sending` and `unknown`.
 */
const createAddTotals = `
  CREATE FUNCTION add_to_total(account text, counted text, amount bigint) RETURNS void LANGUAGE sql
  SET search_path FROM CURRENT AS $$
    -- One slot for each connection, so that a transaction never waits for the same row twice.
    INSERT INTO list_totals AS totals (account_id, list, slot, total) VALUES (account, counted, pg_backend_pid() % 16, amount)
    ON CONFLICT (account_id, list, slot) DO UPDATE SET total = totals.total + EXCLUDED.total
  $$`;

/** What came in since an answer; `messages` shows the statement's own changes here. */
const unreadSince = (contact: string, answer: string): string => `
  (SELECT count(*) FROM messages
   WHERE account_id = ${contact}.account_id AND contact_id = ${contact}.contact_id AND settled AND direction = 'inbound' AND id > ${answer})`;

/**
 * Rows are touched in the order of their keys: two callbacks about the same people wait for each other, without a
 * deadlock.
 */
const createRecordSettled = `
  CREATE FUNCTION record_settled(newly messages[]) RETURNS void LANGUAGE plpgsql
  SET search_path FROM CURRENT AS $$
  DECLARE person record;
  BEGIN
    FOR person IN
      SELECT message.contact_id, min(message.account_id) AS account_id, max(message.id) AS last_message, count(*) AS added,
        coalesce(max(message.id) FILTER (WHERE direction = 'outbound' AND NOT failed), '') AS last_answer,
        -- The upstream's own notices open no window, and no window opens in the future.
        max(LEAST(received_at, now())) FILTER (WHERE direction = 'inbound' AND type <> 'system') AS opened_at,
        coalesce(array_agg(message.id) FILTER (WHERE direction = 'inbound'), '{}') AS inbound
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
    WHERE direction = 'inbound' AND type <> 'system' AND contact_id IS NOT NULL AND received_at IS NOT NULL
    GROUP BY number_id, contact_id ORDER BY number_id, contact_id
    ON CONFLICT (number_id, contact_id) DO UPDATE SET last_inbound_at = GREATEST(known.last_inbound_at, EXCLUDED.last_inbound_at);

    PERFORM add_to_total(account_id, direction, count(*)) FROM unnest(newly) GROUP BY account_id, direction ORDER BY account_id, direction;
  END $$`;

const createMessagesAdded = `
  CREATE FUNCTION record_added_messages() RETURNS trigger LANGUAGE plpgsql
  SET search_path FROM CURRENT AS $$
  DECLARE newly messages[];
  BEGIN
    SELECT array_agg(added) INTO newly FROM added WHERE settled;
    IF newly IS NOT NULL THEN PERFORM record_settled(newly); END IF;
    RETURN NULL;
  END $$`;

const createMessagesChanged = `
  CREATE FUNCTION record_changed_messages() RETURNS trigger LANGUAGE plpgsql
  SET search_path FROM CURRENT AS $$
  DECLARE newly messages[];
  BEGIN
    -- A callback of a thousand statuses as a rule settles nothing: that is seen without a join.
    IF NOT EXISTS (SELECT 1 FROM before WHERE NOT settled) THEN RETURN NULL; END IF;
    SELECT array_agg(after) INTO newly FROM after JOIN before USING (id)
    WHERE NOT before.settled AND after.settled;
    IF newly IS NOT NULL THEN PERFORM record_settled(newly); END IF;
    RETURN NULL;
  END $$`;

/**
 * Messages leave the oldest first, or all of a person at once: what is left of a conversation is its newest part, or
 * nothing.
 */
const createMessagesRemoved = `
  CREATE FUNCTION record_removed_messages() RETURNS trigger LANGUAGE plpgsql
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

/** For lists whose rows come and go one by one. */
const createCountRow = `
  CREATE FUNCTION count_row() RETURNS trigger LANGUAGE plpgsql
  SET search_path FROM CURRENT AS $$
  BEGIN
    PERFORM add_to_total(CASE TG_OP WHEN 'INSERT' THEN NEW.account_id ELSE OLD.account_id END, TG_ARGV[0], CASE TG_OP WHEN 'INSERT' THEN 1 ELSE -1 END);
    RETURN NULL;
  END $$`;

export const messageTriggers: string[] = [
  createAddTotals,
  createRecordSettled,
  createMessagesAdded,
  createMessagesChanged,
  createMessagesRemoved,
  createCountRow,
  `CREATE TRIGGER messages_added AFTER INSERT ON messages REFERENCING NEW TABLE AS added
   FOR EACH STATEMENT EXECUTE FUNCTION record_added_messages()`,
  `CREATE TRIGGER messages_changed AFTER UPDATE ON messages REFERENCING OLD TABLE AS before NEW TABLE AS after
   FOR EACH STATEMENT EXECUTE FUNCTION record_changed_messages()`,
  `CREATE TRIGGER messages_removed AFTER DELETE ON messages REFERENCING OLD TABLE AS removed
   FOR EACH STATEMENT EXECUTE FUNCTION record_removed_messages()`,
  "CREATE TRIGGER contacts_counted AFTER INSERT OR DELETE ON contacts FOR EACH ROW EXECUTE FUNCTION count_row('contacts')",
  "CREATE TRIGGER conversations_counted AFTER INSERT OR DELETE ON conversations FOR EACH ROW EXECUTE FUNCTION count_row('conversations')",
];
