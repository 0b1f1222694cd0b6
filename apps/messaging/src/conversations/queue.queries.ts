import { IS_THEIRS } from '../messages/message-state';

/**
 * Locks a conversation, so that the change waits for messages that are being stored, and names the acting user for the
 * rest of the transaction (`create-activities`). $1 account, $2 contact, $3 user
 */
export const LOCK_AND_NAME_ACTOR = `
  SELECT assignee_id AS "assigneeId", set_config('switchboard.actor', $3, true)
  FROM conversations WHERE account_id = $1 AND contact_id = $2 FOR UPDATE`;

/** Messages that the contact wrote, without notices of the platform and removed reactions. */
const WRITTEN = `
  account_id = :accountId AND contact_id = :contactId AND settled AND ${IS_THEIRS} AND origin <> 'history'
  AND type <> 'system' AND NOT is_withdrawal(type, content)`;
/** Newest message that the account has seen. NULL if the caller named none. */
const SEEN = 'CASE WHEN :seenUpTo::text IS NOT NULL THEN LEAST(:seenUpTo::text COLLATE "C", last_message_id) END';

/** Same condition as for the conversation's unread count (`add-queue`). */
const UNREAD = `
  (SELECT count(*) FROM messages
   WHERE account_id = :accountId AND contact_id = :contactId AND settled AND ${IS_THEIRS} AND origin <> 'history'
     AND NOT is_withdrawal(type, content) AND id > (${SEEN}))`;

const IS_SEEN = `NOT EXISTS (SELECT FROM messages WHERE ${WRITTEN} AND id > COALESCE(${SEEN}, last_message_id))`;

/**
 * Changes the queue state of a conversation. The caller has locked the row, so the statement sees all messages
 * that are in the conversation. A message that arrived after `seenUpTo` keeps the conversation open.
 */
export const CHANGE_CONVERSATION = `
  UPDATE conversations SET
    assignee_id = CASE WHEN :isAssigned::boolean THEN :assigneeId ELSE assignee_id END,
    unread_count = CASE WHEN last_answer_id < ${SEEN} THEN ${UNREAD} ELSE unread_count END,
    last_answer_id = GREATEST(last_answer_id, ${SEEN}),
    done = CASE :done::boolean WHEN true THEN done OR ${IS_SEEN} WHEN false THEN false ELSE done END,
    waiting_id = CASE
      WHEN :done AND (done OR ${IS_SEEN}) THEN NULL
      WHEN done AND NOT :done THEN first_unanswered(account_id, contact_id)
      ELSE waiting_id
    END
  WHERE account_id = :accountId AND contact_id = :contactId
  RETURNING assignee_id AS "assigneeId", done, waiting_id AS "waitingId", unread_count AS "unreadCount"`;

/** Unassigns some conversations of a user, in the order in which messages lock them. $1 account, $2 user, $3 limit */
export const UNASSIGN_SOME = `
  UPDATE conversations SET assignee_id = NULL
  WHERE account_id = $1 AND contact_id = ANY (ARRAY(
    SELECT contact_id FROM conversations WHERE account_id = $1 AND assignee_id = $2
    ORDER BY contact_id LIMIT $3 FOR NO KEY UPDATE
  ))
  RETURNING 1`;
