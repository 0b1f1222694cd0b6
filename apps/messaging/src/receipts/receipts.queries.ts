import { IS_THEIRS } from '../messages/message-state';

/** A message with the number that received it. */
export interface ReceivedRow {
  id: string;
  upstreamId: string | null;
  direction: 'inbound' | 'outbound';
  readAt: Date | null;
  contactId: string | null;
  numberId: string;
  phoneNumberId: string;
  sealedAccessToken: string;
}

const FIND = `
  SELECT messages.id, upstream_id AS "upstreamId", direction, read_at AS "readAt", contact_id AS "contactId",
    number_id AS "numberId", phone_number_id AS "phoneNumberId", sealed_access_token AS "sealedAccessToken"
  FROM messages JOIN numbers ON numbers.id = number_id
  WHERE messages.account_id = $1 AND`;

/** $1 account, $2 message */
export const FIND_RECEIVED = `${FIND} messages.id = $2`;

/** Searches the inbound index first. Each direction has its own index. $1 account, $2 upstream id */
export const FIND_RECEIVED_BY_UPSTREAM_ID = ['inbound', 'outbound']
  .map((direction) => `${FIND} upstream_id = $2 AND direction = '${direction}'`)
  .join(' UNION ALL ');

/** Marks a message as read. Keeps the time of the first receipt. $1 account, $2 message */
export const NOTE_READ = `
  UPDATE messages SET read_at = COALESCE(read_at, now()) WHERE account_id = $1 AND id = $2 AND ${IS_THEIRS}
  RETURNING read_at AS "readAt"`;

/** Locks the conversation, so that the count waits for messages that are being stored. $1 account, $2 contact */
export const LOCK_CONVERSATION = 'SELECT 1 FROM conversations WHERE account_id = $1 AND contact_id = $2 FOR UPDATE';

/**
 * Also marks older messages as read, as a reply does. The unread messages are those after the last read message or the
 * last reply, whichever is newer.
 * $1 account, $2 contact, $3 message
 */
export const NOTE_CONVERSATION_READ = `
  UPDATE conversations
  SET last_answer_id = $3, unread_count = (
    SELECT count(*) FROM messages
    WHERE account_id = $1 AND contact_id = $2 AND settled AND direction = 'inbound' AND origin <> 'history'
      AND NOT is_withdrawal(type, content) AND id > $3)
  WHERE account_id = $1 AND contact_id = $2 AND last_answer_id < $3`;
