import type { ConversationView, MessageOrigin } from '@switchboard/contracts';
import { boundedScan, type Place, type SeenRow } from '@switchboard/database';
import { holdsFragment, type PeopleList } from '../contacts/contact-list.queries';
import { hasLabel, labelsColumn } from '../labels/labels.queries';
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
  /** User or API key that sent the newest message. */
  senderId: string | null;
  jobId: string | null;
  lastInboundAt: Date | null;
  windows: StoredWindow[];
  messageCount: number;
  unreadCount: number;
  waitingId: string | null;
  done: boolean;
  assigneeId: string | null;
  labels: string[];
}

/** Filters of a conversation list. */
export interface ConversationFilters {
  accountId: string;
  /** Defaults to `all`. */
  view?: ConversationView;
  /** User to whom the conversations are assigned. */
  assigneeId?: string;
  windowOpen?: boolean;
  /** Lowest possible id of the last message in a conversation with an open window. */
  openSince: string;
  /** Fragment to search for in the contact's names and number. */
  search?: string;
  /** Label of the contacts. */
  labelId?: string;
  /** Contacts that a search found or that have a label. */
  contactIds?: readonly string[];
  /** Message by which the last conversation of the previous page is ordered. */
  after?: string;
}

/** Returns the condition of a view, which its own index serves. @param user SQL of the user of the view `mine` */
function inView(view: ConversationView, user: string): string {
  const conditions: Record<ConversationView, string> = {
    unread: 'unread_count > 0',
    unanswered: 'waiting_id IS NOT NULL',
    mine: `assignee_id = ${user} AND NOT done`,
    unassigned: 'assignee_id IS NULL AND NOT done AND last_inbound_at IS NOT NULL',
    all: 'true',
    done: 'done',
  };
  return conditions[view];
}

/** Views whose index is also in the order of the conversations of one user. The others filter by user. */
const INDEXED_BY_USER: readonly ConversationView[] = ['mine', 'all', 'done'];

/** Views that are counted up to a limit. */
export const COUNTED_VIEWS = ['unread', 'unanswered', 'mine', 'unassigned', 'done'] as const;

const countOf = (view: ConversationView): string => `
  (SELECT count(*) FROM (
    SELECT 1 FROM conversations WHERE account_id = $1 AND ${inView(view, '$2')} LIMIT $3
  ) AS counted)::int AS ${view}`;

/** Counts the conversations of the views, each up to a limit. $1 account, $2 user, $3 limit */
export const COUNT_VIEWS = `
  SELECT ${COUNTED_VIEWS.map(countOf).join(', ')}`;

/**
 * Builds the query for a conversation list, newest message first, or the longest wait first. A conversation with an
 * open window has a message of the last day, so it is near the start of the list. A search scans conversations one
 * after another, unless the contacts are known.
 */
export function conversationList({
  accountId,
  view = 'all',
  assigneeId,
  windowOpen,
  openSince,
  search,
  labelId,
  contactIds,
  after,
}: ConversationFilters): PeopleList {
  const params: unknown[] = [accountId];
  const [key, direction, following] =
    view === 'unanswered' ? (['waiting_id', 'ASC', '>'] as const) : (['last_message_id', 'DESC', '<'] as const);
  const sql = (text: string, value: unknown): string => text.replace('?', `$${params.push(value)}`);
  const assignedTo = view === 'mine' ? undefined : assigneeId;
  const conditions = [
    'account_id = $1',
    view === 'mine' ? sql(inView(view, '?'), assigneeId ?? null) : inView(view, ''),
    assignedTo !== undefined && INDEXED_BY_USER.includes(view) && sql('assignee_id = ?', assignedTo),
    contactIds && sql('contact_id = ANY (?::text[])', contactIds),
    after !== undefined && sql(`${key} ${following} ?`, after),
    windowOpen === true && sql('last_message_id >= ?', openSince),
  ];
  const matches = [
    assignedTo !== undefined && !INDEXED_BY_USER.includes(view) && sql('found.assignee_id = ?', assignedTo),
    // Look up windows only for contacts who wrote to any number within the last day.
    windowOpen !== undefined &&
      sql(`(COALESCE(${WINDOW_IS_OPEN}, false) AND ${hasOpenWindow('found.contact_id')}) = ?`, windowOpen),
    labelId !== undefined && hasLabel('found.contact_id', sql('?', labelId)),
    search !== undefined &&
      `(SELECT ${holdsFragment(sql('search_form(?)', search))} FROM contacts WHERE contacts.id = found.contact_id)`,
  ];
  return {
    rows: `SELECT * FROM conversations WHERE ${conditions.filter(Boolean).join(' AND ')}`,
    order: `${key} ${direction}`,
    key,
    matches: matches.filter(Boolean).join(' AND ') || undefined,
    params,
  };
}

const COLUMNS = `
  seen.contact_id AS "contactId", person.phone, person.user_id AS "userId", person.username, COALESCE(person.name, person.app_name, person.profile_name) AS name,
  last_message_id AS "lastMessageId", last.upstream_id AS "upstreamId", last.direction, last.type, last.content, last.caption, last.state,
  last.received_at AS "receivedAt", last.deleted_at AS "deletedAt", last.origin,
  last.sender_id AS "senderId", last.job_id AS "jobId", last_inbound_at AS "lastInboundAt", ${windowColumn('seen.contact_id')},
  message_count AS "messageCount", unread_count AS "unreadCount",
  waiting_id AS "waitingId", done, assignee_id AS "assigneeId", ${labelsColumn('seen.contact_id')}`;
const JOINS = `
  LEFT JOIN contacts AS person ON person.id = seen.contact_id
  LEFT JOIN LATERAL (SELECT * FROM messages WHERE messages.id = seen.last_message_id) AS last ON true`;

/** Returns SQL for one page of a list, with the contact and the newest message of each conversation. */
export function listConversationsSql(list: PeopleList, place: Pick<Place, 'offset' | 'take'>): string {
  return boundedScan(list, { ...place, columns: COLUMNS, joins: JOINS });
}
