import type { Audience } from '@switchboard/contracts';
import { boundedScan } from '@switchboard/database';
import { isBlockedByNumber } from '../blocks/blocks.queries';
import { contactRows, type PeopleList } from '../contacts/contact-list.queries';
import { hasOpenWindow } from '../messages/service-window';

/** A contact that matches an audience. */
export interface MemberRow {
  id: string;
  recipient: string;
  name: string | null;
}

/** Number of contacts that one count statement scans. */
export const COUNTED_AT_A_TIME = 10_000;

/** Time of the contact's last message; null if the contact never wrote. $1 account */
const LAST_INBOUND = `(
  SELECT last_inbound_at FROM conversations WHERE conversations.account_id = $1 AND contact_id = found.id)`;

/**
 * Builds the query for the contacts of an audience, newest first. Contacts are scanned in the order of their ids, those
 * of a label by the index of labels, so that contacts created later never move the position of a page.
 * @param after id of the last contact of the previous page
 */
export function audienceList(
  accountId: string,
  { labelId, wroteSince, silentSince, optedIn = false, windowOpen = false }: Audience,
  after?: string,
): PeopleList {
  const params: unknown[] = [accountId];
  const sql = (text: string, value: unknown): string => text.replace('?', `$${params.push(value)}`);
  const rows = contactRows({ labelId, after }, sql);
  const matches = [
    'NOT found.blocked',
    `NOT ${isBlockedByNumber('found')}`,
    'COALESCE(found.phone, found.user_id) IS NOT NULL',
    optedIn && 'NOT (found.opted_out OR found.marketing_opted_out)',
    wroteSince !== undefined && sql(`${LAST_INBOUND} >= ?::timestamptz`, wroteSince),
    silentSince !== undefined && sql(`COALESCE(${LAST_INBOUND} < ?::timestamptz, true)`, silentSince),
    windowOpen && hasOpenWindow('found.id'),
  ];
  return {
    rows,
    order: 'id DESC',
    key: 'id',
    matches: matches.filter(Boolean).join(' AND '),
    params,
  };
}

/** Returns SQL for one page of an audience. */
export const listAudienceSql = (list: PeopleList, take: number): string =>
  boundedScan(list, {
    offset: 0,
    take,
    columns: 'id, COALESCE(phone, user_id) AS recipient, COALESCE(name, app_name, profile_name) AS name',
  });

/** Returns SQL that counts the matching contacts among the next ones, and returns the last of these. */
export const countAudienceSql = ({ rows, order, matches = 'true' }: PeopleList): string => `
  SELECT count(*) FILTER (WHERE fits)::int AS count, count(*)::int AS scanned, min(id) AS last
  FROM (
    SELECT id, COALESCE(${matches}, false) AS fits
    FROM (${rows} ORDER BY ${order} LIMIT ${COUNTED_AT_A_TIME}) AS found
  ) AS scanned`;
