import { WINDOW_IS_OPEN } from '../messages/service-window';

/** A conversation with its newest message, as the list reads it. */
export interface ConversationRow {
  contactId: string;
  phone: string | null;
  userId: string | null;
  name: string | null;
  lastMessageId: string;
  upstreamId: string | null;
  direction: 'inbound' | 'outbound';
  type: string;
  content: object | null;
  caption: string | null;
  state: string;
  /** When the customer wrote the newest message; null when it is ours. */
  receivedAt: Date | null;
  lastInboundAt: Date | null;
  windowOpen: boolean;
  messageCount: number;
  unreadCount: number;
}

/**
 * $1 account, $2 window open, $3 the least id of a last message that can lie in an open window; null means any. An open window
 * has a message of the last day, so the open ones stand at the beginning of the list.
 */
const FILTERS = `
  conversations.account_id = $1
  AND ($2::boolean IS NULL OR COALESCE(${WINDOW_IS_OPEN}, false) = $2)
  AND ($2::boolean IS NOT TRUE OR last_message_id >= $3)`;

export const CONVERSATIONS_BY_WINDOW = `SELECT 1 FROM conversations WHERE ${FILTERS}`;

const CONVERSATION = `
  page.contact_id AS "contactId", page.phone, page.user_id AS "userId", page.name, page.last_message_id AS "lastMessageId",
  upstream_id AS "upstreamId", direction, type, content, caption, state, received_at AS "receivedAt", page.last_inbound_at AS "lastInboundAt",
  page.window_open AS "windowOpen", page.message_count AS "messageCount", page.unread_count AS "unreadCount"`;

const HEAD = `
  contact_id, phone, user_id, COALESCE(name, profile_name) AS name, last_message_id, last_inbound_at,
  COALESCE(${WINDOW_IS_OPEN}, false) AS window_open, message_count, unread_count`;
const WITH_CONTACT = 'conversations JOIN contacts ON contacts.id = contact_id';

/** The newest message of each row of `page`, which stays in its order. */
const withLastMessage = (page: string): string => `
  SELECT ${CONVERSATION}
  FROM (${page}) AS page CROSS JOIN LATERAL (SELECT * FROM messages WHERE messages.id = page.last_message_id) AS last
  ORDER BY page.last_message_id DESC`;

/**
 * The one with the newest message first.
 * $4 the last message of the conversation before the page or null, $5 a fragment of the searched text or null, $6 rows to pass over, $7 most rows
 */
export const LIST_CONVERSATIONS = withLastMessage(`
  SELECT ${HEAD} FROM ${WITH_CONTACT}
  WHERE ${FILTERS} AND ($4::text IS NULL OR last_message_id < $4)
    AND ($5::text IS NULL OR strpos(contact_search_text(phone, name, profile_name), search_form($5)) > 0)
  ORDER BY last_message_id DESC
  OFFSET $6 LIMIT $7`);

/** The conversations of some contacts, the one with the newest message first. $4 the same, $5 contacts, $6 and $7 the same */
export const LIST_CONVERSATIONS_OF = withLastMessage(`
  SELECT ${HEAD} FROM ${WITH_CONTACT}
  WHERE ${FILTERS} AND ($4::text IS NULL OR last_message_id < $4) AND contact_id = ANY ($5::text[])
  ORDER BY last_message_id DESC
  OFFSET $6 LIMIT $7`);

/** $4 contacts */
export const COUNT_CONVERSATIONS_OF = `SELECT count(*)::int AS total FROM conversations WHERE ${FILTERS} AND contact_id = ANY ($4::text[])`;
