import { idOfPerson } from '../people/person-keys';

/** Retention limits of an account, on the database clock. Null retains data forever. */
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

/** $1 account, $2 exclusive upper bound of the ids of old messages */
const OLD_MESSAGES = 'account_id = $1 AND settled AND id < $2';
/**
 * Settled messages of a contact. Unsettled ones are found through the small index of the reconciler.
 * $1 account, $2 contact
 */
const MESSAGES_OF_CONTACT = 'account_id = $1 AND contact_id = $2 AND settled';
const UNSETTLED_OF_CONTACT = 'account_id = $1 AND contact_id = $2 AND NOT settled';
/** Messages that a contact wrote to groups, which are in no conversation. $1 account, $2 contact */
const WRITTEN_TO_GROUPS = 'account_id = $1 AND group_id IS NOT NULL AND author_id = $2';

/** Reads the oldest messages first. $3 maximum rows */
const page = (condition: string): string => `SELECT id FROM messages WHERE ${condition} ORDER BY id LIMIT $3`;

export const OLDEST_MESSAGES = page(OLD_MESSAGES);
export const OLDEST_OF_CONTACT = page(MESSAGES_OF_CONTACT);
export const UNSETTLED_MESSAGES_OF_CONTACT = page(UNSETTLED_OF_CONTACT);
export const MESSAGES_TO_GROUPS = page(WRITTEN_TO_GROUPS);

export const COUNT_OLD_MESSAGES = `SELECT count(*)::int AS count FROM messages WHERE ${OLD_MESSAGES}`;
export const COUNT_MESSAGES_OF_CONTACT = `
  SELECT ((SELECT count(*) FROM messages WHERE ${MESSAGES_OF_CONTACT})
    + (SELECT count(*) FROM messages WHERE ${WRITTEN_TO_GROUPS}))::int AS count`;

/** Locks the messages in the same order as status updates do. $1 account, $2 ids */
export const DELETE_MESSAGES = `
  WITH locked AS MATERIALIZED (SELECT id FROM messages WHERE account_id = $1 AND id = ANY ($2::text[]) ORDER BY id
    FOR UPDATE)
  DELETE FROM messages USING locked WHERE messages.id = locked.id AND messages.id = ANY ($2::text[])
    RETURNING messages.id`;

/** A file of a message. Its bytes are deleted before its row. */
export interface MediaRef {
  id: string;
  blobKey: string;
}

const MEDIA = 'SELECT id, blob_key AS "blobKey" FROM media';
/** $1 account, $2 messages */
export const MEDIA_OF_MESSAGES = `${MEDIA} WHERE account_id = $1 AND message_id = ANY ($2::text[])`;
/**
 * Marks files as removed that a send stored while its message was being deleted; `MediaService` deletes them.
 * $1 account, $2 messages
 */
export const REMOVE_LATE_MEDIA =
  'UPDATE media SET removed_at = now() WHERE account_id = $1 AND message_id = ANY ($2::text[]) AND removed_at IS NULL';
/** $1 account, $2 exclusive upper bound of the ids of old media, $3 maximum rows */
export const OLD_MEDIA = `${MEDIA} WHERE account_id = $1 AND id < $2 ORDER BY id LIMIT $3`;
/** $1 account, $2 ids */
export const DELETE_MEDIA = 'DELETE FROM media WHERE account_id = $1 AND id = ANY ($2::text[]) RETURNING id';
/**
 * Counts old media, including those of old messages.
 * $1 account, $2 and $3 exclusive upper bounds of the ids of old media and old messages
 */
export const COUNT_OLD_MEDIA =
  'SELECT count(*)::int AS count FROM media WHERE account_id = $1 AND (id < $2 OR message_id < $3)';
/** $1 account, $2 contact */
export const COUNT_MEDIA_OF_CONTACT = `
  SELECT count(*)::int AS count FROM (
    SELECT id FROM messages WHERE ${MESSAGES_OF_CONTACT} UNION ALL SELECT id FROM messages WHERE ${WRITTEN_TO_GROUPS}
  ) AS written JOIN media ON message_id = written.id`;

/** $1 account, $2 exclusive upper bound of the ids, $3 limit */
const deleteOld = (table: 'notes' | 'activities'): string => `
  DELETE FROM ${table} WHERE account_id = $1 AND id = ANY (ARRAY(
    SELECT id FROM ${table} WHERE account_id = $1 AND id < $2 ORDER BY id LIMIT $3
  ))
  RETURNING id`;

/** Delete old notes and activities, which are retained as long as messages. */
export const DELETE_OLD_NOTES = deleteOld('notes');
export const DELETE_OLD_ACTIVITIES = deleteOld('activities');

/** $1 account, $2 match key or null, $3 user id or null */
export const FIND_CONTACT = idOfPerson('$1', '$2', '$3');

/**
 * Reads every phone number and user id by which events identify the contact.
 * $1 account, $2 contact, $3 maximum names
 */
export const NAMES_OF_CONTACT = `
  SELECT name FROM (
    SELECT phone AS name FROM contacts WHERE account_id = $1 AND id = $2
    UNION SELECT user_id FROM contacts WHERE account_id = $1 AND id = $2
    UNION SELECT parent_user_id FROM contacts WHERE account_id = $1 AND id = $2
    UNION SELECT CASE direction WHEN 'inbound' THEN sender ELSE recipient END FROM messages WHERE ${MESSAGES_OF_CONTACT}
    UNION SELECT recipient FROM messages WHERE ${UNSETTLED_OF_CONTACT}
    UNION SELECT sender FROM messages WHERE ${WRITTEN_TO_GROUPS}
  ) AS names WHERE name IS NOT NULL ORDER BY name LIMIT $3`;

/**
 * Waits for pending writes of the contact's messages and blocks new ones. A writer holds at least a key-share lock on
 * the contact until it commits.
 * $1 account, $2 contact
 */
export const LOCK_CONTACT = 'SELECT id FROM contacts WHERE account_id = $1 AND id = $2 FOR UPDATE';

/** Deletes a locked contact. Returns no row while the contact has messages. $1 account, $2 contact */
export const DELETE_CONTACT = `
  WITH gone AS (
    DELETE FROM contacts
    WHERE account_id = $1 AND id = $2
      AND NOT EXISTS (SELECT 1 FROM messages WHERE ${MESSAGES_OF_CONTACT})
      AND NOT EXISTS (SELECT 1 FROM messages WHERE ${UNSETTLED_OF_CONTACT})
      AND NOT EXISTS (SELECT 1 FROM messages WHERE ${WRITTEN_TO_GROUPS})
    RETURNING id, phone_key, user_id
  ), changes AS (
    DELETE FROM message_changes USING gone WHERE account_id = $1 AND contact_id = gone.id
  ), notes AS (
    DELETE FROM notes USING gone WHERE notes.account_id = $1 AND contact_id = gone.id
  ), windows AS (
    DELETE FROM service_windows USING gone, numbers
    WHERE numbers.account_id = $1 AND number_id = numbers.id AND contact_id = gone.id
  ), blocked AS (
    DELETE FROM blocks USING gone WHERE blocks.account_id = $1 AND blocks.phone_key IN (gone.phone_key, gone.user_id)
  )
  SELECT id FROM gone`;
