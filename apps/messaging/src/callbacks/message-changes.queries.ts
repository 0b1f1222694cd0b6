/** What is known of a change. */
export interface StoredChange {
  upstreamId: string;
  originalId: string;
  deletes: boolean;
  type: string | null;
  content: object | null;
  at: Date;
}

/**
 * Notes changes whose writers are locked; answers with the upstream ids of those that were not known. $1 account, $2
 * number, then lists: $3 upstream ids, $4 those of the changed messages, $5 contacts, $6 whether they delete, $7 types,
 * $8 contents, $9 times. $10 the direction of the changed messages
 */
export const NOTE_CHANGES = `
  INSERT INTO message_changes (account_id, number_id, upstream_id, original_id, contact_id, deletes, type, content, at,
    direction)
  SELECT $1, $2, upstream_id, original_id, contact_id, deletes, type, content, at, $10
  FROM unnest($3::text[], $4::text[], $5::text[], $6::boolean[], $7::text[], $8::jsonb[], $9::timestamptz[])
    WITH ORDINALITY AS change (upstream_id, original_id, contact_id, deletes, type, content, at, place)
  ORDER BY place
  ON CONFLICT (number_id, upstream_id) DO NOTHING
  RETURNING upstream_id AS "upstreamId"`;

/**
 * The change of each message that counts: a deletion, or else the last edit. Only their writers change them: the
 * customer, or the business in the chat with the customer. $1 account, $2 number, then lists: $3 upstream ids of the
 * messages, $4 their customers. $5 the direction of the messages
 */
export const COUNTING_CHANGES = `
  SELECT DISTINCT ON (original_id) upstream_id AS "upstreamId", original_id AS "originalId", deletes, type, content, at
  FROM message_changes
  JOIN unnest($3::text[], $4::text[]) AS wanted (message, writer) ON message = original_id AND writer = contact_id
  WHERE account_id = $1 AND number_id = $2 AND original_id = ANY ($3::text[]) AND direction = $5
  ORDER BY original_id, deletes DESC, at DESC, position DESC`;

/** A message that is changed. */
export interface ChangedMessage {
  id: string;
  upstreamId: string;
  type: string;
  content: object | null;
  caption: string | null;
  /** The contact who wrote it, or to whom it was written. */
  writer: string;
}

const lockChanged = (condition: string): string => `
  SELECT id, messages.upstream_id AS "upstreamId", type, content, caption, writer FROM messages
  JOIN (SELECT DISTINCT * FROM unnest($3::text[], $4::text[]) AS given (upstream_id, writer)) AS wanted
    ON wanted.upstream_id = messages.upstream_id AND writer IN (contact_id, author_id)
  WHERE messages.upstream_id = ANY ($3::text[]) AND ${condition} AND account_id = $1 AND number_id = $2
  ORDER BY id FOR UPDATE OF messages`;

/**
 * Locks the messages, in the order of their ids as everywhere. Either direction has an index of its own; what is still
 * being sent is not changed. $1 account, $2 number, then lists: $3 upstream ids, $4 their customers
 */
export const LOCK_CHANGED = {
  inbound: lockChanged("direction = 'inbound'"),
  outbound: lockChanged("direction = 'outbound' AND settled"),
};

/** $1 account, $2 message, $3 type, $4 content, $5 caption, $6 when it was edited */
export const EDIT_MESSAGE = `
  UPDATE messages SET type = $3, content = $4::jsonb, caption = $5, edited_at = $6::timestamptz
  WHERE account_id = $1 AND id = $2`;

/** Nothing of what was written stays, nor whom it answered. $1 account, $2 message, $3 when it was deleted */
export const DELETE_CONTENT = `
  UPDATE messages SET content = NULL, caption = NULL, media_id = NULL, reference = NULL, deleted_at = $3::timestamptz
  WHERE account_id = $1 AND id = $2`;

/** From here on nobody gets the file; its bytes go by and by. $1 account, $2 message */
export const REMOVE_FILE = `
  UPDATE media SET state = 'failed', error = 'the sender deleted the message', removed_at = now()
  WHERE account_id = $1 AND message_id = $2 AND removed_at IS NULL`;

/** Texts of a deleted message that its edits brought. $1 account, $2 number, $3 upstream id of the message */
export const FORGET_EDITS = `
  UPDATE message_changes SET content = NULL WHERE account_id = $1 AND number_id = $2 AND original_id = $3
    AND content IS NOT NULL`;

/** Longer than upstream repeats anything. */
const KEPT = '14 days';

/** $1 most rows */
export const PURGE_CHANGES = `
  DELETE FROM message_changes WHERE (number_id, upstream_id) IN (
    SELECT number_id, upstream_id FROM message_changes WHERE received_at < now() - interval '${KEPT}'
    ORDER BY received_at LIMIT $1 FOR UPDATE SKIP LOCKED
  ) RETURNING upstream_id`;
