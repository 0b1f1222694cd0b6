import type { MessageOrigin } from '@switchboard/contracts';
import { boundedScan, type Place, type SeenRow } from '@switchboard/database';
import { holdsFragment, type PeopleList } from '../contacts/contact-list.queries';
import { hasOpenWindow, type StoredWindow, WINDOW_IS_OPEN, windowColumn } from '../messages/service-window';

/** A row of a conversation list: a conversation with its newest message. */
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
  /** Time at which the contact wrote the newest message. Null if the account sent it. */
  receivedAt: Date | null;
  /** Time at which the contact deleted the newest message. */
  deletedAt: Date | null;
  origin: MessageOrigin;
  lastInboundAt: Date | null;
  windows: StoredWindow[];
  messageCount: number;
  unreadCount: number;
}

/** Filters of a conversation list. */
export interface ConversationFilters {
  accountId: string;
  windowOpen?: boolean;
  /** Lowest possible id of the last message in a conversation with an open window. */
  openSince: string;
  /** Fragment to search for in the contact's names and number. */
  search?: string;
  /** Contacts that a search found. */
  contactIds?: readonly string[];
  /** Last message of the last conversation on the previous page. */
  after?: string;
}

/**
 * Builds the query for a conversation list, newest message first. A conversation with an open window has a message of
 * the last day, so it is near the start of the list. A search scans conversations one after another, unless the
 * contacts are known.
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
    // Look up windows only for contacts who wrote to any number within the last day.
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

/** Returns SQL for one page of a list, with the contact and the newest message of each conversation. */
export function listConversationsSql(list: PeopleList, place: Pick<Place, 'offset' | 'take'>): string {
  return boundedScan(list, { ...place, columns: COLUMNS, joins: JOINS });
}
