/** People an account writes with: one row each, whatever numbers of the account they write to. Changed seldom. */
const createContacts = `
  CREATE TABLE contacts (
    id text COLLATE "C" PRIMARY KEY,
    account_id text NOT NULL,
    phone text,
    -- What canonicalPhone makes of the phone: people are told apart by it.
    phone_key text,
    user_id text,
    name text,
    profile_name text,
    opted_out boolean NOT NULL DEFAULT false,
    opted_out_at timestamptz,
    marketing_opted_out boolean NOT NULL DEFAULT false,
    marketing_opted_out_at timestamptz,
    -- Nothing at all is sent to them.
    blocked boolean NOT NULL DEFAULT false,
    created_at timestamptz NOT NULL DEFAULT now(),
    CHECK ((phone IS NULL) = (phone_key IS NULL)),
    CHECK (phone IS NOT NULL OR user_id IS NOT NULL)
  )`;

/**
 * What was written with a contact; kept by a trigger on messages. Changed with every message, so it is apart from the
 * contact.
 */
const createConversations = `
  CREATE TABLE conversations (
    contact_id text COLLATE "C" PRIMARY KEY,
    account_id text NOT NULL,
    last_message_id text COLLATE "C" NOT NULL,
    -- Our newest message that did not fail at once.
    last_answer_id text COLLATE "C" NOT NULL DEFAULT '',
    -- The last customer's message that opened a service window, on whichever of the account's numbers.
    last_inbound_at timestamptz,
    message_count int NOT NULL,
    -- Inbound messages since our last answer.
    unread_count int NOT NULL
  )`;

/** When a customer last wrote to one of our numbers; kept by a trigger on messages. */
const createServiceWindows = `
  CREATE TABLE service_windows (
    number_id text NOT NULL REFERENCES numbers,
    contact_id text COLLATE "C" NOT NULL,
    account_id text NOT NULL,
    last_inbound_at timestamptz NOT NULL,
    PRIMARY KEY (number_id, contact_id)
  )`;

/**
 * How long an account's lists are, kept by triggers. Several slots, so that sends side by side do not wait for one row.
 */
const createListTotals = `
  CREATE TABLE list_totals (
    account_id text NOT NULL,
    list text NOT NULL CHECK (list IN ('inbound', 'outbound', 'contacts', 'conversations')),
    slot int NOT NULL,
    total bigint NOT NULL,
    PRIMARY KEY (account_id, list, slot)
  ) WITH (fillfactor = 50)`;

/** An absent row, and a null, mean the default. Days: null keeps for ever. */
const createAccountSettings = `
  CREATE TABLE account_settings (
    account_id text PRIMARY KEY,
    window_policy text NOT NULL DEFAULT 'enforce' CHECK (window_policy IN ('enforce', 'upstream')),
    opt_out_words text[],
    opt_in_words text[],
    message_days int CHECK (message_days > 0),
    media_days int CHECK (media_days > 0),
    updated_at timestamptz NOT NULL DEFAULT now()
  )`;

export const contactTables: string[] = [
  createContacts,
  createConversations,
  createServiceWindows,
  createListTotals,
  createAccountSettings,
];

/** Without blanks and pluses, so that "Asha R" is found by "ashar" and 9198… by "+91 98". */
const createSearchForm = String.raw`
  CREATE FUNCTION search_form(given text) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE
  RETURN lower(translate(normalize(coalesce(given, ''), NFKC), E' +\t\n\r', ''))`;

/** What is searched: the phone and both names, a blank between them, so that nothing is found across two of them. */
const createSearchText = `
  CREATE FUNCTION contact_search_text(phone text, name text, profile_name text) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE
  RETURN coalesce(phone, '') || ' ' || left(search_form(name), 128) || ' ' || left(search_form(profile_name), 128)`;

/**
 * All pieces of two and of three characters of a text, each with the account before it: one account's search never
 * reads what another one stored, and needs no extension of the server.
 */
const createSearchKeys = `
  CREATE FUNCTION contact_search_keys(account_id text, searched text) RETURNS text[] LANGUAGE sql IMMUTABLE PARALLEL SAFE
  RETURN ARRAY(
    SELECT DISTINCT account_id || ' ' || substr(word, start, size)
    FROM unnest(string_to_array(searched, ' ')) AS word, generate_series(2, 3) AS size, generate_series(1, length(word) - size + 1) AS start
  )`;

/**
 * Pieces that a text must have to hold the fragment: of three characters, side by side, and the last one; of two when
 * it is no longer. The others would be looked up in vain: what is found is compared with the fragment itself.
 */
const createFragmentKeys = `
  CREATE FUNCTION fragment_search_keys(account_id text, fragment text) RETURNS text[] LANGUAGE sql IMMUTABLE PARALLEL SAFE
  RETURN ARRAY(
    SELECT DISTINCT account_id || ' ' || substr(fragment, start, least(length(fragment), 3))
    FROM (SELECT generate_series(1, greatest(length(fragment) - 2, 1), 3) UNION SELECT greatest(length(fragment) - 2, 1)) AS places (start)
  )`;

export const searchFunctions: string[] = [createSearchForm, createSearchText, createSearchKeys, createFragmentKeys];

export const contactIndexes: string[] = [
  'CREATE UNIQUE INDEX contacts_one_per_phone ON contacts (account_id, phone_key) WHERE phone_key IS NOT NULL',
  'CREATE UNIQUE INDEX contacts_one_per_user ON contacts (account_id, user_id) WHERE user_id IS NOT NULL',
  'CREATE INDEX contacts_newest ON contacts (account_id, id)',
  'CREATE INDEX contacts_opted_out ON contacts (account_id, opted_out, id)',
  `CREATE INDEX contacts_search ON contacts USING gin (contact_search_keys(account_id, contact_search_text(phone, name, profile_name)))
   WITH (fastupdate = off)`,
  // The windows' time stands beside: a list of open or closed ones passes over the others without reading their rows.
  'CREATE INDEX conversations_newest ON conversations (account_id, last_message_id) INCLUDE (last_inbound_at)',
];
