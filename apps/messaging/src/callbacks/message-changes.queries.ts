import { batchOf, columnsOf } from '@switchboard/database';
import { MessageChange } from './message-change.entity';

export interface StoredChange {
  upstreamId: string;
  originalId: string;
  deletes: boolean;
  type: string | null;
  content: object | null;
  at: Date;
}

export const CHANGES = batchOf(
  columnsOf(MessageChange, ['upstreamId', 'originalId', 'contactId', 'deletes', 'type', 'content', 'at']),
  { from: 4 },
);

/**
 * Inserts changes whose writers are locked, and returns the upstream ids of the new ones. $1 account, $2 number, $3
 * direction of the changed messages, then `CHANGES`
 */
export const NOTE_CHANGES = `
  INSERT INTO message_changes (account_id, number_id, direction, ${CHANGES.names})
  SELECT $1, $2, $3, ${CHANGES.names} FROM ${CHANGES.unnest('change', 'place')}
  ORDER BY place
  ON CONFLICT (number_id, upstream_id) DO NOTHING
  RETURNING upstream_id AS "upstreamId"`;

/**
 * Messages by upstream id, each with its contact: the author of an inbound message or the recipient of an outbound one.
 */
export const WRITTEN = batchOf({ message: 'text', writer: 'text' }, { from: 3 });

/**
 * Finds the effective change of each message: a deletion, or else the last edit. Only changes by the author count: by
 * the contact, or by the business in the conversation with the contact.
 * $1 account, $2 number, then `WRITTEN`, then the direction of the messages
 */
export const COUNTING_CHANGES = `
  SELECT DISTINCT ON (original_id) upstream_id AS "upstreamId", original_id AS "originalId", deletes, type, content, at
  FROM message_changes
  JOIN ${WRITTEN.unnest('wanted')} ON message = original_id AND writer = contact_id
  WHERE account_id = $1 AND number_id = $2 AND original_id = ANY (${WRITTEN.list('message')})
    AND direction = $${WRITTEN.next}
  ORDER BY original_id, deletes DESC, at DESC, position DESC`;

export interface ChangedMessage {
  id: string;
  upstreamId: string;
  type: string;
  content: object | null;
  caption: string | null;
  /** Contact who wrote or received the message. */
  writer: string;
}

const lockChanged = (condition: string): string => `
  SELECT id, messages.upstream_id AS "upstreamId", type, content, caption, writer FROM messages
  JOIN (SELECT DISTINCT * FROM ${WRITTEN.unnest('given')}) AS wanted
    ON wanted.message = messages.upstream_id AND writer IN (contact_id, author_id)
  WHERE messages.upstream_id = ANY (${WRITTEN.list('message')}) AND ${condition} AND account_id = $1 AND number_id = $2
  ORDER BY id FOR UPDATE OF messages`;

/**
 * Locks the messages in id order, as all transactions do. One statement per direction, because each direction has its
 * own index. Excludes sends in progress.
 * $1 account, $2 number, then `WRITTEN`
 */
export const LOCK_CHANGED = {
  inbound: lockChanged("direction = 'inbound'"),
  outbound: lockChanged("direction = 'outbound' AND settled"),
};

/** Deletes the content and the reference to other messages. $1 account, $2 message, $3 time of the deletion */
export const DELETE_CONTENT = `
  UPDATE messages SET content = NULL, caption = NULL, media_id = NULL, reference = NULL, deleted_at = $3::timestamptz
  WHERE account_id = $1 AND id = $2`;

/** Makes the file unavailable immediately. Its bytes are deleted later. $1 account, $2 message */
export const REMOVE_FILE = `
  UPDATE media SET state = 'failed', error = 'the sender deleted the message', removed_at = now()
  WHERE account_id = $1 AND message_id = $2 AND removed_at IS NULL`;

/** Deletes the texts that edits of a deleted message contained. $1 account, $2 number, $3 upstream id of the message */
export const FORGET_EDITS = `
  UPDATE message_changes SET content = NULL WHERE account_id = $1 AND number_id = $2 AND original_id = $3
    AND content IS NOT NULL`;

/** Longer than the time during which upstream repeats callbacks. */
const KEPT = '14 days';

/** $1 maximum rows */
export const DELETE_OLD_CHANGES = `
  DELETE FROM message_changes WHERE (number_id, upstream_id) IN (
    SELECT number_id, upstream_id FROM message_changes WHERE received_at < now() - interval '${KEPT}'
    ORDER BY received_at LIMIT $1 FOR UPDATE SKIP LOCKED
  ) RETURNING upstream_id`;
