import { idOfPerson } from '../people/person-keys';

/** What may go of an account, on the database's clock. Null keeps for ever. */
export interface AccountLimits {
  accountId: string;
  messagesBefore: Date | null;
  mediaBefore: Date | null;
}

/** $1 one account, or null for all */
export const FIND_LIMITS = `
  SELECT account_id AS "accountId", now() - make_interval(days => message_days)
    AS "messagesBefore", now() - make_interval(days => media_days) AS "mediaBefore"
  FROM account_settings
  WHERE (message_days IS NOT NULL OR media_days IS NOT NULL) AND ($1::text IS NULL OR account_id = $1)
  ORDER BY account_id`;

/** $1 account, $2 the id that all old messages lie below */
const OLD_MESSAGES = 'account_id = $1 AND settled AND id < $2';
/** $1 account, $2 contact. What is not settled yet is found by the reconciler's short list. */
const MESSAGES_OF_CONTACT = 'account_id = $1 AND contact_id = $2 AND settled';
const UNSETTLED_OF_CONTACT = 'account_id = $1 AND contact_id = $2 AND NOT settled';
/** What a person wrote to groups, which belongs to no conversation. $1 account, $2 contact */
const WRITTEN_TO_GROUPS = 'account_id = $1 AND group_id IS NOT NULL AND author_id = $2';

/** The oldest first. $3 most rows */
const page = (condition: string): string => `SELECT id FROM messages WHERE ${condition} ORDER BY id LIMIT $3`;

export const OLDEST_MESSAGES = page(OLD_MESSAGES);
export const OLDEST_OF_CONTACT = page(MESSAGES_OF_CONTACT);
export const UNSETTLED_MESSAGES_OF_CONTACT = page(UNSETTLED_OF_CONTACT);
export const MESSAGES_TO_GROUPS = page(WRITTEN_TO_GROUPS);

export const COUNT_OLD_MESSAGES = `SELECT count(*)::int AS count FROM messages WHERE ${OLD_MESSAGES}`;
export const COUNT_MESSAGES_OF_CONTACT = `
  SELECT ((SELECT count(*) FROM messages WHERE ${MESSAGES_OF_CONTACT})
    + (SELECT count(*) FROM messages WHERE ${WRITTEN_TO_GROUPS}))::int AS count`;

/** Locked in the order in which statuses lock them. $1 account, $2 ids */
export const DELETE_MESSAGES = `
  WITH locked AS MATERIALIZED (SELECT id FROM messages WHERE account_id = $1 AND id = ANY ($2::text[]) ORDER BY id
    FOR UPDATE)
  DELETE FROM messages USING locked WHERE messages.id = locked.id AND messages.id = ANY ($2::text[])
    RETURNING messages.id`;

/** A received file: its bytes go first, its row after them. */
export interface MediaRef {
  id: string;
  blobKey: string;
}

const MEDIA = 'SELECT id, blob_key AS "blobKey" FROM media';
/** $1 account, $2 messages */
export const MEDIA_OF_MESSAGES = `${MEDIA} WHERE account_id = $1 AND message_id = ANY ($2::text[])`;
/** $1 account, $2 the id that all old media lie below, $3 most rows */
export const OLD_MEDIA = `${MEDIA} WHERE account_id = $1 AND id < $2 ORDER BY id LIMIT $3`;
/** $1 account, $2 ids */
export const DELETE_MEDIA = 'DELETE FROM media WHERE account_id = $1 AND id = ANY ($2::text[]) RETURNING id';
/**
 * $1 account, $2 the id that all old media lie below, $3 the same of messages: what goes with a message is counted,
 * too.
 */
export const COUNT_OLD_MEDIA =
  'SELECT count(*)::int AS count FROM media WHERE account_id = $1 AND (id < $2 OR message_id < $3)';
/** $1 account, $2 contact */
export const COUNT_MEDIA_OF_CONTACT = `
  SELECT count(*)::int AS count FROM (
    SELECT id FROM messages WHERE ${MESSAGES_OF_CONTACT} UNION ALL SELECT id FROM messages WHERE ${WRITTEN_TO_GROUPS}
  ) AS written JOIN media ON message_id = written.id`;

/** $1 account, $2 match key or null, $3 user id or null */
export const FIND_CONTACT = idOfPerson('$1', '$2', '$3');

/** Every name that the person's events bear. $1 account, $2 contact, $3 most names */
export const NAMES_OF_CONTACT = `
  SELECT name FROM (
    SELECT phone AS name FROM contacts WHERE account_id = $1 AND id = $2
    UNION SELECT user_id FROM contacts WHERE account_id = $1 AND id = $2
    UNION SELECT CASE direction WHEN 'inbound' THEN sender ELSE recipient END FROM messages WHERE ${MESSAGES_OF_CONTACT}
    UNION SELECT recipient FROM messages WHERE ${UNSETTLED_OF_CONTACT}
    UNION SELECT sender FROM messages WHERE ${WRITTEN_TO_GROUPS}
  ) AS names WHERE name IS NOT NULL ORDER BY name LIMIT $3`;

/**
 * Waits for everybody who is writing down a message of theirs, and lets nobody begin another: writers hold the contact,
 * if only for a key share, until they commit. $1 account, $2 contact
 */
export const LOCK_CONTACT = 'SELECT id FROM contacts WHERE account_id = $1 AND id = $2 FOR UPDATE';

/**
 * The person themselves, once they are locked; no row comes back while a message of theirs is there. $1 account, $2
 * contact
 */
export const DELETE_CONTACT = `
  WITH gone AS (
    DELETE FROM contacts
    WHERE account_id = $1 AND id = $2
      AND NOT EXISTS (SELECT 1 FROM messages WHERE ${MESSAGES_OF_CONTACT})
      AND NOT EXISTS (SELECT 1 FROM messages WHERE ${UNSETTLED_OF_CONTACT})
      AND NOT EXISTS (SELECT 1 FROM messages WHERE ${WRITTEN_TO_GROUPS})
    RETURNING id, phone_key
  ), changes AS (
    DELETE FROM message_changes USING gone WHERE account_id = $1 AND contact_id = gone.id
  ), windows AS (
    DELETE FROM service_windows USING gone, numbers
    WHERE numbers.account_id = $1 AND number_id = numbers.id AND contact_id = gone.id
  ), blocked AS (
    DELETE FROM blocks USING gone WHERE blocks.account_id = $1 AND blocks.phone_key = gone.phone_key
  )
  SELECT id FROM gone`;
