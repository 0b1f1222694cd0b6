import { boundedScan, type BoundedScan, type Place } from '@switchboard/database';
import { blockedOnColumn } from '../blocks/blocks.queries';
import { idOfPerson } from '../people/person-keys';
import { labelsColumn } from '../labels/labels.queries';
import type { QueueRow } from '../messages/queue-state';
import { type StoredWindow, windowColumn } from '../messages/service-window';

/** A contact with the queue state and counts of its conversation, whose columns are null without one. */
export interface ContactRow extends Omit<QueueRow, 'done'> {
  done: boolean | null;
  messageCount: number | null;
  unreadCount: number | null;
  id: string;
  phone: string | null;
  userId: string | null;
  username: string | null;
  parentUserId: string | null;
  name: string | null;
  appName: string | null;
  profileName: string | null;
  optedOut: boolean;
  optedOutAt: Date | null;
  optedOutSource: string | null;
  optedOutDetail: string | null;
  marketingOptOut: boolean;
  marketingOptOutAt: Date | null;
  blocked: boolean;
  lastMessageId: string | null;
  lastInboundAt: Date | null;
  windows: StoredWindow[];
  blockedOn: string[];
  labels: string[];
  createdAt: Date;
}

/** $1 account */
const columnsOf = (contact: string): string => `
  ${contact}.id, phone, user_id AS "userId", username, parent_user_id AS "parentUserId", COALESCE(name, app_name, profile_name) AS name, app_name AS "appName", profile_name AS "profileName", opted_out AS "optedOut",
  opted_out_at AS "optedOutAt", opted_out_source AS "optedOutSource", opted_out_detail AS "optedOutDetail", marketing_opted_out AS "marketingOptOut", marketing_opted_out_at AS "marketingOptOutAt", blocked, last_message_id AS "lastMessageId", last_inbound_at AS "lastInboundAt",
  ${windowColumn(`${contact}.id`)}, ${blockedOnColumn(contact)}, ${labelsColumn(`${contact}.id`)}, created_at AS "createdAt",
  assignee_id AS "assigneeId", done, waiting_id AS "waitingId", message_count AS "messageCount", unread_count AS "unreadCount"`;
const WITH_CONVERSATION = 'contacts LEFT JOIN conversations ON contact_id = contacts.id';

/** Filters of a list of contacts. */
export interface ContactFilters {
  accountId: string;
  optedOut?: boolean;
  /** Fragment to search for in the names and the number. */
  search?: string;
  /** Label that the contacts have. */
  labelId?: string;
  /** Id of the last contact on the previous page. */
  after?: string;
}

/** Returns an SQL condition: a contact's number or one of its names contains the fragment. */
export const holdsFragment = (fragment: string): string =>
  `(strpos(contact_search_text(phone, name, profile_name), ${fragment}) > 0 OR strpos(contact_username_text(username), ${fragment}) > 0
    OR strpos(contact_app_name_text(app_name), ${fragment}) > 0)`;

/** Query for a list, newest first, and its parameters. The first parameter is the account. */
export interface PeopleList extends BoundedScan {
  params: unknown[];
}

/**
 * Returns the query for the contacts of an account, or for those of a label by the index of labels. $1 account
 * @param sql adds a parameter to a condition
 * @param condition further condition of the contacts
 */
export function contactRows(
  { labelId, after }: Pick<ContactFilters, 'labelId' | 'after'>,
  sql: (text: string, value: unknown) => string,
  condition: string | false = false,
): string {
  const conditions = [
    'contacts.account_id = $1',
    condition,
    labelId !== undefined && sql('contact_labels.account_id = $1 AND label_id = ?', labelId),
    // The planner does not derive the condition of the joined column.
    after !== undefined && sql(labelId === undefined ? 'contacts.id < ?' : 'contact_labels.contact_id < ?', after),
  ];
  const from = labelId === undefined ? 'contacts' : 'contact_labels JOIN contacts ON contacts.id = contact_id';
  return `SELECT contacts.* FROM ${from} WHERE ${conditions.filter(Boolean).join(' AND ')}`;
}

/**
 * Builds the query for a contact list, in the order of ids, which is the order of creation. A search scans contacts one
 * after another, which suits fragments that match many of the newest contacts.
 */
export function contactList({ accountId, optedOut, search, labelId, after }: ContactFilters): PeopleList {
  const params: unknown[] = [accountId];
  const sql = (text: string, value: unknown): string => text.replace('?', `$${params.push(value)}`);
  // The index of a label has no opt-outs.
  const optOut = optedOut !== undefined && sql('opted_out = ?', optedOut);
  const rows = contactRows({ labelId, after }, sql, labelId === undefined && optOut);
  const matches = [
    labelId !== undefined && optOut,
    search !== undefined && holdsFragment(sql('search_form(?)', search)),
  ];
  return {
    rows,
    order: 'id DESC',
    key: 'id',
    matches: matches.filter(Boolean).join(' AND ') || undefined,
    params,
  };
}

/** Returns SQL for one page of a list. */
export function listContactsSql(list: PeopleList, place: Pick<Place, 'offset' | 'take'>): string {
  return boundedScan(list, {
    ...place,
    columns: columnsOf('seen'),
    joins: 'LEFT JOIN conversations ON contact_id = seen.id',
  });
}

/** Reads contacts by id, newest first. $1 account, $2 ids */
export const CONTACTS_BY_ID = `
  SELECT ${columnsOf('contacts')} FROM ${WITH_CONVERSATION}
  WHERE contacts.account_id = $1 AND contacts.id = ANY ($2::text[])
  ORDER BY contacts.id DESC`;

/**
 * Finds a contact by phone number (any equivalent format) or by user id. $1 account, $2 match key or null, $3 user id
 * or null, $4 opted out or null
 */
export const FIND_PERSON = `
  SELECT id FROM contacts WHERE account_id = $1 AND id = ANY (ARRAY${idOfPerson('$1', '$2', '$3')})
    AND ($4::boolean IS NULL OR opted_out = $4)`;

const fragmentIn = (text: string): string => `
  SELECT id FROM contacts
  WHERE contact_search_keys(account_id, ${text}) @> fragment_search_keys($1, search_form($2))
    AND account_id = $1 AND strpos(${text}, search_form($2)) > 0 AND ($3::boolean IS NULL OR opted_out = $3)`;

/**
 * Finds contacts whose names or number contain a fragment, unordered, through the search-key indexes. Each index search
 * stops at the limit; otherwise removing duplicates would compare all matches of a common fragment. `MATERIALIZED`
 * makes the planner plan each search for all of its matches. With the limit alone, it may scan the contacts of the
 * account instead of using the index.
 * $1 account, $2 fragment, $3 opted out or null, $4 maximum rows
 */
export const FIND_BY_FRAGMENT = `
  WITH by_text AS MATERIALIZED (${fragmentIn('contact_search_text(phone, name, profile_name)')}),
    by_username AS MATERIALIZED (${fragmentIn('contact_username_text(username)')} AND username IS NOT NULL),
    by_app_name AS MATERIALIZED (${fragmentIn('contact_app_name_text(app_name)')} AND app_name IS NOT NULL)
  (SELECT id FROM by_text LIMIT $4) UNION (SELECT id FROM by_username LIMIT $4)
    UNION (SELECT id FROM by_app_name LIMIT $4)
  LIMIT $4`;
