import { createHourlyTotals, createMessageTables } from '@switchboard/database';
import type { MigrationInterface, QueryRunner } from 'typeorm';
import { createPartition, firstPartitions } from '../messages/message-partitions';
import { MESSAGE_HOURS, PRICE_HOURS } from '../statistics/message-hours';

const NUMBERS = `
  CREATE TABLE numbers (
    id text PRIMARY KEY,
    account_id text NOT NULL,
    phone_number text NOT NULL,
    phone_number_id text NOT NULL,
    waba_id text NOT NULL,
    sealed_access_token text NOT NULL,
    quality_rating text,
    messaging_limit text,
    status text NOT NULL,
    is_primary boolean NOT NULL,
    created_at timestamptz NOT NULL DEFAULT now(),
    updated_at timestamptz NOT NULL DEFAULT now(),
    poll_due_at timestamptz NOT NULL DEFAULT now() + interval '1 minute',
    poll_failures int NOT NULL DEFAULT 0,
    -- Set when the platform rejects sends for the number's credentials or status: no sends until an operator resumes it.
    stopped_at timestamptz,
    stopped_reason text,
    -- STANDARD or HIGH, as the platform names it; NULL until it was read.
    throughput_level text,
    -- The row stays, because messages refer to it; its credentials are deleted.
    removed_at timestamptz,
    -- The platform's last callback about the number, to the minute.
    last_callback_at timestamptz,
    -- Whether the business may use the platform's endpoint for marketing messages.
    marketing_onboarding text
  );
  CREATE UNIQUE INDEX numbers_one_primary ON numbers (account_id) WHERE is_primary;
  CREATE INDEX numbers_poll_due ON numbers (poll_due_at);
  CREATE UNIQUE INDEX numbers_upstream_id ON numbers (phone_number_id) WHERE removed_at IS NULL;
  CREATE UNIQUE INDEX numbers_of_account ON numbers (account_id, phone_number) WHERE removed_at IS NULL;
  -- Removed numbers included.
  CREATE INDEX numbers_account ON numbers (account_id);

  -- History of each number's quality, limit, throughput and status.
  CREATE TABLE number_changes (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    account_id text NOT NULL,
    number_id text NOT NULL REFERENCES numbers,
    at timestamptz NOT NULL DEFAULT clock_timestamp(),
    quality_rating text,
    messaging_limit text,
    throughput_level text,
    status text NOT NULL,
    stopped_reason text
  );
  CREATE INDEX number_changes_newest ON number_changes (account_id, number_id, id);
  CREATE FUNCTION record_number_change() RETURNS trigger LANGUAGE plpgsql
  SET search_path FROM CURRENT AS $$
   BEGIN
     INSERT INTO number_changes (account_id, number_id, quality_rating, messaging_limit, throughput_level, status, stopped_reason)
     SELECT NEW.account_id, NEW.id, NEW.quality_rating, NEW.messaging_limit, NEW.throughput_level,
       CASE WHEN NEW.stopped_at IS NULL THEN NEW.status ELSE 'STOPPED' END, NEW.stopped_reason;
     RETURN NULL;
   END $$;
  CREATE TRIGGER number_added AFTER INSERT ON numbers FOR EACH ROW EXECUTE FUNCTION record_number_change();
  CREATE TRIGGER number_changed AFTER UPDATE ON numbers FOR EACH ROW
    WHEN (OLD.quality_rating IS DISTINCT FROM NEW.quality_rating OR OLD.messaging_limit IS DISTINCT FROM NEW.messaging_limit
      OR OLD.throughput_level IS DISTINCT FROM NEW.throughput_level OR OLD.status IS DISTINCT FROM NEW.status
      OR OLD.stopped_at IS DISTINCT FROM NEW.stopped_at OR OLD.stopped_reason IS DISTINCT FROM NEW.stopped_reason)
    EXECUTE FUNCTION record_number_change();

  -- How far the platform has sent the earlier messages of a number's phone app. The row is older than the first of them.
  CREATE TABLE number_histories (
    number_id text PRIMARY KEY REFERENCES numbers,
    account_id text NOT NULL,
    phase int,
    -- Per cent of the whole.
    progress int,
    reported_at timestamptz,
    -- When the business last declined to share them.
    declined_at timestamptz
  );`;

const SETTINGS = `
  -- No row, and NULL, mean the default; for days: retained without limit.
  CREATE TABLE account_settings (
    account_id text PRIMARY KEY,
    window_policy text NOT NULL DEFAULT 'enforce' CHECK (window_policy IN ('enforce', 'upstream')),
    opt_out_words text[],
    opt_in_words text[],
    message_days int CHECK (message_days > 0),
    media_days int CHECK (media_days > 0),
    updated_at timestamptz NOT NULL DEFAULT now(),
    marketing_endpoint boolean NOT NULL DEFAULT false
  );`;

const CONTACTS = `
  -- One row per contact of an account, whatever numbers of the account they write to. Seldom updated.
  CREATE TABLE contacts (
    id text COLLATE "C" PRIMARY KEY,
    account_id text NOT NULL,
    phone text,
    -- canonicalPhone(phone): equal for all formats of one number.
    phone_key text,
    user_id text,
    name text,
    profile_name text,
    opted_out boolean NOT NULL DEFAULT false,
    opted_out_at timestamptz,
    marketing_opted_out boolean NOT NULL DEFAULT false,
    marketing_opted_out_at timestamptz,
    -- Nothing at all is sent to a blocked contact.
    blocked boolean NOT NULL DEFAULT false,
    created_at timestamptz NOT NULL DEFAULT now(),
    -- The name by which the contact is known on the platform.
    username text,
    -- The contact's name in the phone app of the business, or NULL if it has none, since then.
    app_name text,
    app_name_at timestamptz,
    CHECK ((phone IS NULL) = (phone_key IS NULL)),
    CHECK (phone IS NOT NULL OR user_id IS NOT NULL)
  );
  CREATE INDEX contacts_newest ON contacts (account_id, id);
  CREATE INDEX contacts_opted_out ON contacts (account_id, opted_out, id);
  -- The key before the account: with statistics from a moment without contacts, the planner may choose any index that starts with
  -- the account, and reads all of its contacts for each recipient of a bulk job.
  -- Created last: of indexes with equal costs, the planner chooses the youngest.
  CREATE UNIQUE INDEX contacts_by_phone ON contacts (phone_key, account_id) WHERE phone_key IS NOT NULL;
  CREATE UNIQUE INDEX contacts_by_user ON contacts (user_id, account_id) WHERE user_id IS NOT NULL;`;

/**
 * Accents, vowel points, tone marks, nuktas and invisible characters: what users leave out when they search. Vowel
 * signs and viramas of Indic scripts and the voicing marks of kana stay, since they make another letter. Written out as
 * ranges, because the extension `unaccent` may be missing, and knows only Latin, Greek and Cyrillic.
 */
const MARKS = [
  String.raw`\u00AD\u0300-\u036F\u0483-\u0487\u0591-\u05BD\u05BF\u05C1\u05C2\u05C4\u05C5\u05C7\u0610-\u061A\u061C\u0640`,
  String.raw`\u064B-\u065F\u0670\u06D6-\u06DC\u06DF-\u06E4\u06E7\u06E8\u06EA-\u06ED\u0711\u0730-\u074A\u093C\u0951-\u0954`,
  String.raw`\u09BC\u0A3C\u0ABC\u0B3C\u0CBC\u0E48-\u0E4C\u0EC8-\u0ECC\u1AB0-\u1AFF\u1DC0-\u1DFF\u200B-\u200F\u202A-\u202E`,
  String.raw`\u2060-\u2064\u2066-\u2069\u20D0-\u20FF\uFE00-\uFE0F\uFE20-\uFE2F\uFEFF`,
].join('');

/** Letters that Unicode does not decompose, forms of one Arabic or Greek letter, and what users type for them. */
const LETTERS = { of: 'øłđðħıŧɓɗƙƴςىیکة', to: 'olddhitbdkyσييكه' };

/**
 * Disables the statistics of the index. Collecting them took 2 to 5 s of CPU time per 30,000 contacts. With them, the
 * planner searched common fragments row by row, ten times slower than with the index.
 */
export const SKIP_SEARCH_STATISTICS = 'ALTER INDEX contacts_search ALTER COLUMN 1 SET STATISTICS 0';

const CONTACT_SEARCH = String.raw`
  -- Letters without case, accents, blanks and pluses, so that "Garcia" finds "García" and 9198… finds "+91 98". Plain ASCII, such as
  -- phone numbers, skips the costly part. Decomposed (NFKD) to remove the marks, and composed again (NFKC) for Hangul and kana.
  -- COST makes the planner use the indexes: it cannot see how much each call does.
  CREATE FUNCTION search_form(given text) RETURNS text LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE COST 1000 AS $$
  BEGIN
    IF given IS NULL THEN RETURN ''; END IF;
    IF octet_length(given) = length(given) THEN RETURN lower(translate(given, E' +\t\n\r', '')); END IF;
    given := lower(regexp_replace(normalize(given, NFKD), '[${MARKS}]', '', 'g'));
    given := translate(given, '${LETTERS.of}' || E' +\t\n\r', '${LETTERS.to}');
    RETURN normalize(replace(replace(replace(replace(given, 'ß', 'ss'), 'æ', 'ae'), 'œ', 'oe'), 'þ', 'th'), NFKC);
  END $$;

  -- The searched texts. Blanks separate the phone and the names, so that no fragment matches across two of them.
  CREATE FUNCTION contact_search_text(phone text, name text, profile_name text) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE
  RETURN coalesce(phone, '') || ' ' || left(search_form(name), 128) || ' ' || left(search_form(profile_name), 128);
  -- With the @ that users type before it: found with and without.
  CREATE FUNCTION contact_username_text(username text) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE
  RETURN '@' || left(search_form(username), 128);
  CREATE FUNCTION contact_app_name_text(app_name text) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE
  RETURN left(search_form(app_name), 128);

  -- All pieces of two and three characters, each prefixed with the account: a search never reads what another account stored,
  -- and needs no extension. A loop, because a statement within the function took seven times as long.
  CREATE FUNCTION contact_search_keys(account_id text, searched text) RETURNS text[] LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE AS $$
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
  END $$;

  -- Pieces that a text with the fragment must have: adjacent ones of three characters and the last one, or the whole fragment if
  -- it is shorter. More would be looked up in vain: every result is compared with the fragment itself.
  CREATE FUNCTION fragment_search_keys(account_id text, fragment text) RETURNS text[] LANGUAGE sql IMMUTABLE PARALLEL SAFE
  RETURN ARRAY(
    SELECT DISTINCT account_id || ' ' || substr(fragment, start, least(length(fragment), 3))
    FROM (SELECT generate_series(1, greatest(length(fragment) - 2, 1), 3) UNION SELECT greatest(length(fragment) - 2, 1)) AS places (start)
  );

  CREATE INDEX contacts_search ON contacts USING gin (contact_search_keys(account_id, contact_search_text(phone, name, profile_name)))
    WITH (fastupdate = off);
  -- Few contacts have these names; the others cost these indexes nothing.
  CREATE INDEX contacts_username_search ON contacts
    USING gin (contact_search_keys(account_id, contact_username_text(username))) WHERE username IS NOT NULL;
  CREATE INDEX contacts_app_name_search ON contacts
    USING gin (contact_search_keys(account_id, contact_app_name_text(app_name))) WHERE app_name IS NOT NULL;
  ${SKIP_SEARCH_STATISTICS};`;

/**
 * Ids carry their time (UUIDv7) and sort byte by byte (COLLATE "C"), so ranges of the key are ranges of time.
 *
 * One index per filter, each in the order of the list: a page is read from its end, never sorted. None has the state,
 * so that `sent`, `delivered` and `read` update no index (five times as many statuses per second); these are found by a
 * scan of the list. An unsettled message is in no list, so it enters their indexes only once it is settled.
 */
const MESSAGES = `
  CREATE TABLE messages (
    id text COLLATE "C" NOT NULL,
    account_id text NOT NULL,
    number_id text NOT NULL CONSTRAINT messages_number_id_fkey1 REFERENCES numbers,
    contact_id text COLLATE "C",
    direction text NOT NULL CONSTRAINT messages_direction_check1 CHECK (direction IN ('inbound', 'outbound')),
    sender text NOT NULL,
    recipient text NOT NULL,
    profile_name text,
    upstream_id text,
    type text NOT NULL,
    content jsonb,
    caption text,
    media_id text,
    upload jsonb,
    state text NOT NULL CONSTRAINT messages_state_check1
      CHECK (state IN ('sending', 'unknown', 'accepted', 'sent', 'failed', 'delivered', 'read', 'received')),
    -- These two change once as a rule, the state three times: indexes use these only.
    settled boolean NOT NULL GENERATED ALWAYS AS (state NOT IN ('sending', 'unknown')) STORED,
    failed boolean NOT NULL GENERATED ALWAYS AS (state = 'failed') STORED,
    error jsonb,
    client_ref text,
    job_id text,
    repeatable boolean NOT NULL DEFAULT true,
    sending_since timestamptz,
    send_attempts int NOT NULL DEFAULT 0,
    created_at timestamptz NOT NULL DEFAULT now(),
    received_at timestamptz,
    accepted_at timestamptz,
    sent_at timestamptz,
    delivered_at timestamptz,
    read_at timestamptz,
    failed_at timestamptz,
    -- What an inbound message refers to: {context, referral, errors}, as in the event.
    reference jsonb,
    -- The encrypted content of a message with a secret, while it may have to be sent again; content is masked.
    sealed_content text,
    -- Whether the message has a one-time code: its sender is notified when the delivery fails.
    is_secret boolean NOT NULL DEFAULT false,
    -- How the platform charges the message.
    pricing jsonb,
    edited_at timestamptz,
    deleted_at timestamptz,
    -- Set for a message to a group: it belongs to no conversation, so contact_id is NULL and author_id has the writer.
    group_id text,
    author_id text COLLATE "C",
    -- Why the platform held the message back after it was accepted.
    held_reason text,
    -- api, business_app or history.
    origin text NOT NULL DEFAULT 'api',
    -- traceparent of the span that sent the message, for links to it; NULL when no collector received that span.
    send_trace text,
    CONSTRAINT messages_check1 CHECK ((direction = 'inbound') = (state = 'received')),
    PRIMARY KEY (id)
  ) PARTITION BY RANGE (id);
  CREATE INDEX messages_newest ON messages (account_id, id) WHERE settled;
  CREATE INDEX messages_of_contact ON messages (account_id, contact_id, id) WHERE settled;
  CREATE INDEX messages_of_type ON messages (account_id, type, id) WHERE settled;
  CREATE INDEX messages_inbound ON messages (account_id, id) WHERE settled AND direction = 'inbound';
  CREATE INDEX messages_failed ON messages (account_id, id) WHERE settled AND failed;
  CREATE INDEX messages_of_job ON messages (account_id, job_id, id) WHERE settled AND job_id IS NOT NULL;
  CREATE INDEX messages_by_upstream_id ON messages (upstream_id) WHERE direction = 'outbound';
  -- The reconciler's list, over all accounts: short, because rows leave it within a second as a rule.
  CREATE INDEX messages_unsettled ON messages (sending_since) WHERE NOT settled;
  CREATE INDEX messages_by_client_ref ON messages (account_id, client_ref, id) WHERE client_ref IS NOT NULL;
  CREATE INDEX messages_by_inbound_id ON messages (upstream_id) WHERE direction = 'inbound';
  CREATE INDEX messages_of_group ON messages (account_id, group_id, id) WHERE group_id IS NOT NULL;`;

/** NOT VALID, as in databases that 0.2.0 created. */
const MESSAGES_SECRET_GONE = `
  ALTER TABLE messages ADD CONSTRAINT messages_secret_gone CHECK (sealed_content IS NULL OR state IN ('sending', 'unknown')) NOT VALID`;

const CONVERSATIONS = `
  -- The messages with a contact; updated with every message, so it is apart from the contact. Kept by triggers on messages.
  CREATE TABLE conversations (
    contact_id text COLLATE "C" PRIMARY KEY,
    account_id text NOT NULL,
    last_message_id text COLLATE "C" NOT NULL,
    -- The newest outbound message that did not fail immediately.
    last_answer_id text COLLATE "C" NOT NULL DEFAULT '',
    -- The last inbound message that opened a service window, on any of the account's numbers.
    last_inbound_at timestamptz,
    message_count int NOT NULL,
    -- Inbound messages since last_answer_id.
    unread_count int NOT NULL
  );
  -- Includes the time of the window: a list of open or closed windows skips the others without reading their rows.
  CREATE INDEX conversations_newest ON conversations (account_id, last_message_id) INCLUDE (last_inbound_at);

  -- When a contact last wrote to a number. Kept by triggers on messages.
  CREATE TABLE service_windows (
    number_id text NOT NULL REFERENCES numbers,
    contact_id text COLLATE "C" NOT NULL,
    account_id text NOT NULL,
    last_inbound_at timestamptz NOT NULL,
    PRIMARY KEY (number_id, contact_id)
  );

  -- Length of an account's lists, kept by triggers. Several slots, so that concurrent sends do not wait for one row.
  CREATE TABLE list_totals (
    account_id text NOT NULL,
    list text NOT NULL CHECK (list IN ('inbound', 'outbound', 'contacts', 'conversations')),
    slot int NOT NULL,
    total bigint NOT NULL,
    PRIMARY KEY (account_id, list, slot)
  ) WITH (fillfactor = 50);`;

/** Marks a conversation whose unread messages the same function has yet to count. */
const UNCOUNTED = -1;

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
 * The database derives conversations, service windows and totals in the statement that changes messages: no writer can
 * forget it, and it is exact after a crash at any point. A message counts once it is settled: an inbound one when it is
 * stored, an outbound one when it leaves `sending` and `unknown`.
 *
 * Each function derives all rows of a statement together, in the order of their keys: concurrent callbacks about the
 * same contacts wait for each other without a deadlock. Counts that must see what other transactions committed while
 * this one waited for its rows are statements of their own, after the locks.
 */
const DERIVED = `
  CREATE FUNCTION add_to_total(account text, counted text, amount bigint) RETURNS void LANGUAGE sql
  SET search_path FROM CURRENT AS $$
    -- One slot for each connection, so that a transaction never waits for the same row twice.
    INSERT INTO list_totals AS totals (account_id, list, slot, total) VALUES (account, counted, pg_backend_pid() % 16, amount)
    ON CONFLICT (account_id, list, slot) DO UPDATE SET total = totals.total + EXCLUDED.total
  $$;

  -- The platform reports the withdrawal of a reaction as a reaction with an empty emoji, or without one.
  CREATE FUNCTION is_withdrawal(type text, content jsonb) RETURNS boolean LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
    SELECT type = 'reaction' AND COALESCE(content ->> 'emoji', '') = ''
  $$;

  -- Messages of history are in the conversation and the totals, but open no window and are not unread. A withdrawal is neither
  -- unread, nor an answer, nor the last message, unless the conversation has nothing else.
  CREATE FUNCTION record_settled(newly messages[]) RETURNS void LANGUAGE plpgsql
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
  END $$;

  CREATE FUNCTION record_added_messages() RETURNS trigger LANGUAGE plpgsql
  SET search_path FROM CURRENT AS $$
  DECLARE newly messages[];
  BEGIN
    SELECT array_agg(added) INTO newly FROM added WHERE settled;
    IF newly IS NOT NULL THEN PERFORM record_settled(newly); END IF;
    RETURN NULL;
  END $$;
  CREATE TRIGGER messages_added AFTER INSERT ON messages REFERENCING NEW TABLE AS added
    FOR EACH STATEMENT EXECUTE FUNCTION record_added_messages();

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
  END $$;
  CREATE TRIGGER messages_changed AFTER UPDATE ON messages REFERENCING OLD TABLE AS before NEW TABLE AS after
    FOR EACH STATEMENT EXECUTE FUNCTION record_changed_messages();

  -- Messages are removed the oldest first, or all of a contact together: what is left of a conversation is its newest part, or
  -- nothing. A conversation whose last message was removed ends with the withdrawals that came after it.
  CREATE FUNCTION record_removed_messages() RETURNS trigger LANGUAGE plpgsql
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
  END $$;
  CREATE TRIGGER messages_removed AFTER DELETE ON messages REFERENCING OLD TABLE AS removed
    FOR EACH STATEMENT EXECUTE FUNCTION record_removed_messages();

  -- Many contacts are added and removed in one statement; its rows are named counted.
  CREATE FUNCTION count_rows() RETURNS trigger LANGUAGE plpgsql
  SET search_path FROM CURRENT AS $$
  BEGIN
    PERFORM add_to_total(account_id, TG_ARGV[0], CASE TG_OP WHEN 'INSERT' THEN count(*) ELSE -count(*) END)
    FROM counted GROUP BY account_id ORDER BY account_id;
    RETURN NULL;
  END $$;
  CREATE TRIGGER contacts_added AFTER INSERT ON contacts REFERENCING NEW TABLE AS counted
    FOR EACH STATEMENT EXECUTE FUNCTION count_rows('contacts');
  CREATE TRIGGER contacts_removed AFTER DELETE ON contacts REFERENCING OLD TABLE AS counted
    FOR EACH STATEMENT EXECUTE FUNCTION count_rows('contacts');

  CREATE FUNCTION count_row() RETURNS trigger LANGUAGE plpgsql
  SET search_path FROM CURRENT AS $$
  BEGIN
    PERFORM add_to_total(CASE TG_OP WHEN 'INSERT' THEN NEW.account_id ELSE OLD.account_id END, TG_ARGV[0], CASE TG_OP WHEN 'INSERT' THEN 1 ELSE -1 END);
    RETURN NULL;
  END $$;
  -- Deferred: a transaction that held the total while it waits for another conversation could deadlock with that one's holder.
  CREATE CONSTRAINT TRIGGER conversations_counted AFTER INSERT OR DELETE ON conversations DEFERRABLE INITIALLY DEFERRED
    FOR EACH ROW EXECUTE FUNCTION count_row('conversations');`;

const MEDIA = `
  CREATE TABLE media (
    id text COLLATE "C" PRIMARY KEY,
    account_id text NOT NULL,
    message_id text COLLATE "C" NOT NULL,
    number_id text NOT NULL REFERENCES numbers,
    upstream_media_id text NOT NULL,
    mime_type text NOT NULL,
    -- Base64, as in the platform's API; of the stored bytes once there are any.
    sha256 text,
    bytes bigint,
    filename text,
    blob_key text NOT NULL,
    state text NOT NULL CHECK (state IN ('pending', 'stored', 'failed')),
    attempts int NOT NULL DEFAULT 0,
    -- Decides when the file is fetched; the task in the broker is only a reminder.
    next_attempt_at timestamptz NOT NULL DEFAULT now(),
    error text,
    created_at timestamptz NOT NULL DEFAULT now(),
    stored_at timestamptz,
    -- The sender deleted the message: the file is not served any more, and its bytes are to be deleted.
    removed_at timestamptz
  );
  CREATE INDEX media_of_account ON media (account_id, id);
  CREATE INDEX media_of_message ON media (message_id);
  CREATE INDEX media_pending ON media (next_attempt_at) WHERE state = 'pending';
  CREATE INDEX media_removed ON media (removed_at) WHERE removed_at IS NOT NULL;

  -- Files that the platform has: the same bytes are not uploaded twice within the life of their media id.
  CREATE TABLE uploaded_media (
    number_id text NOT NULL REFERENCES numbers,
    sha256 text NOT NULL,
    mime_type text NOT NULL,
    upstream_media_id text NOT NULL,
    expires_at timestamptz NOT NULL,
    PRIMARY KEY (number_id, sha256, mime_type)
  );`;

const CALLBACKS = `
  -- One row: since when the gateways have received callbacks without a break, and until when that is known.
  CREATE TABLE callback_door (
    only_row boolean PRIMARY KEY DEFAULT true CHECK (only_row),
    open_since timestamptz NOT NULL,
    seen_at timestamptz NOT NULL
  );

  -- Statuses that arrived before their upstream_id was known.
  CREATE TABLE parked_statuses (
    id text COLLATE "C" PRIMARY KEY,
    account_id text NOT NULL,
    number_id text NOT NULL REFERENCES numbers,
    upstream_id text NOT NULL,
    body jsonb NOT NULL,
    received_at timestamptz NOT NULL DEFAULT now(),
    next_try_at timestamptz NOT NULL DEFAULT now()
  );
  CREATE INDEX parked_statuses_due ON parked_statuses (next_try_at);
  CREATE INDEX parked_statuses_received ON parked_statuses (received_at);

  -- Callbacks about numbers that no account has, until one adds them.
  CREATE TABLE unowned_callbacks (
    id text COLLATE "C" PRIMARY KEY,
    phone_number_id text NOT NULL,
    -- As it was published: {callbackId, wabaId, value}.
    body jsonb NOT NULL,
    received_at timestamptz NOT NULL DEFAULT now()
  );
  CREATE INDEX unowned_callbacks_of_number ON unowned_callbacks (phone_number_id, id);
  CREATE INDEX unowned_callbacks_received ON unowned_callbacks (received_at);

  -- Edits and deletions as reported: a repeated one is recognised, and one that arrives before its message waits.
  CREATE TABLE message_changes (
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
    -- Of two within a second, the one that was reported later wins.
    position bigint GENERATED ALWAYS AS IDENTITY,
    received_at timestamptz NOT NULL DEFAULT now(),
    -- Of the changed message: outbound ones are changed in the phone app of the business.
    direction text NOT NULL DEFAULT 'inbound',
    PRIMARY KEY (number_id, upstream_id)
  );
  CREATE INDEX message_changes_of_message ON message_changes (number_id, original_id);
  CREATE INDEX message_changes_of_contact ON message_changes (contact_id);
  CREATE INDEX message_changes_received ON message_changes (received_at);

  -- Reports of the platform about business accounts and their numbers, one row per account concerned.
  CREATE TABLE account_notices (
    id text COLLATE "C" PRIMARY KEY,
    account_id text NOT NULL,
    -- Equal for a repeated callback.
    fact text NOT NULL,
    waba_id text NOT NULL,
    notice text NOT NULL,
    severity text NOT NULL,
    summary text NOT NULL,
    -- The account's numbers that it concerns.
    phone_numbers text[] NOT NULL,
    restrictions jsonb NOT NULL,
    messaging_limit text,
    details jsonb NOT NULL,
    occurred_at timestamptz NOT NULL,
    created_at timestamptz NOT NULL DEFAULT now(),
    UNIQUE (account_id, fact)
  );
  CREATE INDEX account_notices_newest ON account_notices (account_id, id);
  CREATE INDEX account_notices_standing ON account_notices (account_id, waba_id, notice, occurred_at);`;

const BLOCKS = `
  -- A copy of the block lists that the platform has, one per business number (ADR 50).
  CREATE TABLE blocks (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    account_id text NOT NULL,
    number_id text NOT NULL REFERENCES numbers,
    phone text NOT NULL,
    phone_key text NOT NULL,
    blocked_at timestamptz NOT NULL DEFAULT now(),
    UNIQUE (number_id, phone_key)
  );
  CREATE INDEX blocks_newest ON blocks (account_id, id);
  CREATE INDEX blocks_of_person ON blocks (account_id, phone_key);

  -- When the list of a number is to be read again, and when the service last changed it.
  CREATE TABLE block_reads (
    number_id text PRIMARY KEY REFERENCES numbers,
    account_id text NOT NULL,
    due_at timestamptz NOT NULL,
    changed_at timestamptz NOT NULL DEFAULT '-infinity',
    failures int NOT NULL DEFAULT 0
  );
  CREATE INDEX block_reads_due ON block_reads (due_at);`;

export class CreateMessaging1764500000010 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    for (const sql of [NUMBERS, SETTINGS, CONTACTS, CONTACT_SEARCH, MESSAGES]) await runner.query(sql);
    for (const partition of firstPartitions(new Date())) await runner.query(createPartition(partition));
    for (const sql of [MESSAGES_SECRET_GONE, CONVERSATIONS, DERIVED, MEDIA, CALLBACKS, BLOCKS]) await runner.query(sql);
    for (const sql of createMessageTables) await runner.query(sql);
    await createHourlyTotals(runner, MESSAGE_HOURS);
    await createHourlyTotals(runner, PRICE_HOURS);
  }

  async down(): Promise<void> {
    throw new Error('migrations go forward only');
  }
}
