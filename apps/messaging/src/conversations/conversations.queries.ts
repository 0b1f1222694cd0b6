import type { MessageOrigin } from '@switchboard/contracts';
import { lookThrough, type Place, type SeenRow } from '@switchboard/database';
import { holdsFragment, type PeopleList } from '../contacts/contact-list.queries';
import { hasOpenWindow, type StoredWindow, WINDOW_IS_OPEN, windowColumn } from '../messages/service-window';

/** A conversation with its newest message, as the list reads it. */
export interface ConversationRow extends SeenRow {
  contactId: string;
  phone: string | null;
  userId: string | null;
  username: string | null;
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
  /** When the customer deleted the newest message. */
  deletedAt: Date | null;
  origin: MessageOrigin;
  lastInboundAt: Date | null;
  windows: StoredWindow[];
  messageCount: number;
  unreadCount: number;
}

/** What a list of conversations is narrowed to. */
export interface ConversationFilters {
  accountId: string;
  windowOpen?: boolean;
  /** The least id of a last message that can lie in an open window. */
  openSince: string;
  /** A fragment of the searched text. */
  search?: string;
  /** The contacts that a search has found. */
  contactIds?: readonly string[];
  /** The last message of the conversation before the page. */
  after?: string;
}

/**
 * The one with the newest message first. An open window has a message of the last day, so the open ones stand at the
 * beginning of the list. What is searched for is looked for in one after another, unless the contacts are known.
 */
export function conversationList({
  accountId,
  windowOpen,
  openSince,
  search,
  contactIds,
  after,
}: ConversationFilters): PeopleList {
  const params: unknown[] = [accountId];
  const sql = (text: string, value: unknown): string => text.replace('?', `$${params.push(value)}`);
  const conditions = [
    'account_id = $1',
    contactIds && sql('contact_id = ANY (?::text[])', contactIds),
    after !== undefined && sql('last_message_id < ?', after),
    windowOpen === true && sql('last_message_id >= ?', openSince),
  ];
  const matches = [
    // Windows are looked up only of those who wrote on the last day, to whichever number.
    windowOpen !== undefined &&
      sql(`(COALESCE(${WINDOW_IS_OPEN}, false) AND ${hasOpenWindow('found.contact_id')}) = ?`, windowOpen),
    search !== undefined &&
      `(SELECT ${holdsFragment(sql('search_form(?)', search))} FROM contacts WHERE contacts.id = found.contact_id)`,
  ];
  return {
    rows: `SELECT * FROM conversations WHERE ${conditions.filter(Boolean).join(' AND ')}`,
    order: 'last_message_id DESC',
    key: 'last_message_id',
    matches: matches.filter(Boolean).join(' AND ') || undefined,
    params,
  };
}

const COLUMNS = `
  seen.contact_id AS "contactId", person.phone, person.user_id AS "userId", person.username, COALESCE(person.name, person.app_name, person.profile_name) AS name,
  last_message_id AS "lastMessageId", last.upstream_id AS "upstreamId", last.direction, last.type, last.content, last.caption, last.state,
  last.received_at AS "receivedAt", last.deleted_at AS "deletedAt", last.origin, last_inbound_at AS "lastInboundAt", ${windowColumn('seen.contact_id')},
  message_count AS "messageCount", unread_count AS "unreadCount"`;
const JOINS = `
  LEFT JOIN contacts AS person ON person.id = seen.contact_id
  LEFT JOIN LATERAL (SELECT * FROM messages WHERE messages.id = seen.last_message_id) AS last ON true`;

/** One page of a list, each with its person and its newest message. */
export function listConversationsSql(list: PeopleList, place: Pick<Place, 'offset' | 'take'>): string {
  return lookThrough(list, { ...place, columns: COLUMNS, joins: JOINS });
}
