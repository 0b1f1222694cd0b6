import { firstIdAt, type ListEventsCommand } from '@switchboard/contracts';
import {
  SCAN_LIMIT,
  type BoundedScan,
  scanQuery,
  boundedScan,
  query,
  seenOf,
  type SeenRow,
} from '@switchboard/database';
import type { DataSource } from 'typeorm';

export interface EventRow {
  id: string;
  kind: string;
  message_id: string | null;
  subject: string | null;
  status: string | null;
  occurred_at: Date;
  created_at: Date;
}

export interface DeliveryRow {
  id: string;
  event_id: string;
  endpoint_id: string;
  state: 'pending' | 'delivered' | 'dropped';
  attempts_made: number;
  next_attempt_at: Date | null;
  started_at: Date | null;
  claimed_until: Date | null;
  replay_id: string | null;
  replayed_as: string | null;
  created_at: Date;
  finished_at: Date | null;
  last_status_code: number | null;
  last_error_class: string | null;
}

export interface AttemptRow {
  delivery_id: string;
  attempt: number;
  url: string;
  started_at: Date;
  finished_at: Date | null;
  duration_ms: number | null;
  status_code: number | null;
  error_class: string | null;
  answer_head: Buffer | null;
}

const ABOUT = 'e.kind, e.message_id, e.subject, e.status, e.occurred_at, e.created_at';
const COLUMNS = `e.id, ${ABOUT}`;

export interface EventPage {
  /** Contains one row more than the page if there is a next page. */
  rows: EventRow[];
  /** The event to continue after, if the scan reached its limit before the page was full. */
  cutOffAt: string | null;
}

export interface Statement {
  sql: string;
  params: unknown[];
}

/** The account's endpoints, including deleted ones. $1 account */
const ENDPOINTS = 'ARRAY(SELECT id FROM endpoints WHERE account_id = $1)';
/** One more than the number of events that a page may scan. */
const MANY = SCAN_LIMIT + 1;
const begins = (text: string): string =>
  `subject LIKE replace(replace(replace(${text}, '\\', '\\\\'), '%', '\\%'), '_', '\\_') || '%'`;

/** Events of a message. $1 account, $2 upstream id */
const OF_MESSAGE = `SELECT id FROM events WHERE account_id = $1 AND message_id = $2 LIMIT ${MANY}`;
/**
 * Events that match a search. ORDER BY subject makes the planner use the index on subject.
 * $1 account, $2 search text
 */
const SEARCHED = `
  SELECT id FROM events WHERE account_id = $1 AND id = $2 UNION (${OF_MESSAGE})
  UNION (SELECT id FROM events WHERE account_id = $1 AND ${begins('$2')} ORDER BY subject LIMIT ${MANY})`;

/**
 * Returns SQL that finds the events identified by a filter, and the identifier. Undefined if the filter has no
 * identifier.
 */
function namesOf({ messageId, search }: ListEventsCommand): { sql: string; name: string } | undefined {
  if (messageId !== undefined) return { sql: OF_MESSAGE, name: messageId };
  return search === undefined ? undefined : { sql: SEARCHED, name: search };
}

/**
 * Returns a statement that checks whether a filter identifies more events than a page may scan. Undefined if the filter
 * has no identifier.
 */
export function manyNamedSql(filter: ListEventsCommand): Statement | undefined {
  const names = namesOf(filter);
  return (
    names && {
      sql: `SELECT count(*) > ${SCAN_LIMIT} AS "areMany" FROM (${names.sql}) AS named`,
      params: [filter.accountId, names.name],
    }
  );
}

/**
 * Selects events by id, newest first, and marks the first row of each event.
 * @param ids SQL that returns `event_id`
 */
const eventsOf = (ids: string): string => `
  SELECT is_first, listed.id, ${ABOUT} FROM (
    SELECT event_id AS id, lag(event_id) OVER (ORDER BY event_id DESC) IS DISTINCT FROM event_id AS is_first
      FROM (${ids}) AS given
  ) AS listed LEFT JOIN events e ON e.account_id = $1 AND e.id = listed.id`;

/** Deliveries that an index returns in event order. */
interface Deliveries {
  /** SQL that returns `event_id`. */
  sql: string;
  /** True if all of these deliveries match the filter. */
  areAll: boolean;
}

/**
 * Builds the SQL for one page of events plus one, newest first. Rows come from the most selective index that returns
 * them in that order. Other conditions are checked per event, for a bounded number of events per page.
 * @param options.areFew true if the filter identifies no more events than a page may scan
 */
export function listEventsSql(filter: ListEventsCommand, { areFew }: { areFew: boolean }): Statement {
  const { accountId, limit, cursor, since, until, kind, status, messageId, search } = filter;
  const { state, endpointId, errorClass } = filter;
  const names = areFew ? namesOf(filter) : undefined;
  const params: unknown[] = [accountId, ...(names ? [names.name] : [])];
  /** @param text SQL with `?` for each use of the value */
  const given = (text: string, value: unknown): string =>
    value === undefined ? '' : ` AND ${text.replaceAll('?', `$${params.push(value)}`)}`;

  // Ids contain the time of recording, so a time limit is a limit on ids.
  const bounds = [
    given('id < ?', cursor),
    given('id >= ?', since && firstIdAt('evt', new Date(since))),
    given('id < ?', until && firstIdAt('evt', new Date(until))),
  ];
  const within = (column: string): string => bounds.map((bound) => bound.replace('id', column)).join('');
  const newest = (deliveries: string): string =>
    `(SELECT event_id FROM ${deliveries}${within('event_id')} ORDER BY event_id DESC LIMIT ${MANY})`;
  const deliveries = (): Deliveries | undefined => {
    if (state === 'dropped')
      return {
        sql: newest("deliveries WHERE account_id = $1 AND state = 'dropped'"),
        // Includes deliveries that have been replayed since.
        areAll: false,
      };
    if (endpointId === undefined) {
      if (state !== 'pending') return undefined;
      return {
        sql: `SELECT event_id FROM endpoints CROSS JOIN LATERAL ${newest('pending_deliveries WHERE endpoint_id = endpoints.id')} AS waiting WHERE account_id = $1`,
        areAll: true,
      };
    }
    // The endpoint must belong to the account. An index on the account would also read the deliveries of its other
    // endpoints.
    const own = given('endpoint_id = (SELECT id FROM endpoints WHERE account_id = $1 AND id = ?)', endpointId).replace(
      ' AND',
      ' WHERE',
    );
    const [waiting, ended] = [newest(`pending_deliveries${own}`), newest(`deliveries${own}`)];
    if (state === 'pending') return { sql: waiting, areAll: true };
    return state === undefined ? { sql: `${ended} UNION ALL ${waiting}`, areAll: true } : { sql: ended, areAll: false };
  };
  const chosen = names
    ? { sql: `SELECT id AS event_id FROM (${names.sql}) AS named WHERE true${within('id')}`, areAll: false }
    : deliveries();
  const failed = given(
    'EXISTS (SELECT 1 FROM attempts a WHERE a.delivery_id = d.id AND a.account_id = $1 AND a.error_class = ?)',
    errorClass,
  );
  const delivery =
    chosen?.areAll && !failed
      ? ''
      : [
          given('d.state = ?', state),
          state === 'dropped' ? ' AND d.replayed_as IS NULL' : '',
          given('d.endpoint_id = ?', endpointId),
          failed,
        ].join('');
  const matches = [
    // An event may be deleted earlier than the delivery that replayed it.
    chosen ? 'is_first AND created_at IS NOT NULL' : 'true',
    given('kind = ?', kind),
    given('status = ?', status),
    given('message_id = ?', messageId),
    given(`(id = ? OR message_id = ? OR ${begins('?')})`, search),
    // Do not use EXISTS, which the planner may turn into a scan of all deliveries of the account.
    delivery &&
      ` AND (SELECT true FROM delivery_log d WHERE d.endpoint_id = ANY(${ENDPOINTS}) AND d.event_id = found.id${delivery} LIMIT 1)`,
  ];
  const rows = chosen ? eventsOf(chosen.sql) : `SELECT ${COLUMNS} FROM events e WHERE account_id = $1${within('id')}`;
  const list: BoundedScan = { rows, order: 'id DESC', key: 'id', matches: matches.join('') };
  return { sql: boundedScan(list, { offset: 0, take: limit + 1, columns: COLUMNS.replaceAll('e.', 'seen.') }), params };
}

/**
 * Returns events of an account, newest first. Events that match a message id or a search are read as a whole if they
 * are few. Otherwise the list is scanned for them, as for any condition without an index.
 */
export async function listEventRows(db: DataSource, filter: ListEventsCommand): Promise<EventPage> {
  const counted = manyNamedSql(filter);
  const [named] = counted ? await scanQuery<{ areMany: boolean }>(db, counted.sql, counted.params) : [];
  const { sql, params } = listEventsSql(filter, { areFew: named?.areMany === false });
  return seenOf(await scanQuery<EventRow & SeenRow>(db, sql, params), { page: 1, limit: filter.limit });
}

const DELIVERIES = `
  SELECT d.*, last.status_code AS last_status_code, last.error_class AS last_error_class FROM delivery_log d
  LEFT JOIN LATERAL (
    SELECT status_code, error_class FROM attempts a
    WHERE a.delivery_id = d.id AND a.account_id = $1 AND a.finished_at IS NOT NULL ORDER BY a.attempt DESC LIMIT 1
  ) AS last ON true
  WHERE d.account_id = $1 AND d.event_id = ANY($2) AND d.endpoint_id = ANY(${ENDPOINTS}) ORDER BY d.id`;

/**
 * Returns the deliveries of events with the result of the last attempt. Finds them by index through the account's
 * endpoints.
 */
export function deliveriesOf(db: DataSource, accountId: string, eventIds: string[]): Promise<DeliveryRow[]> {
  return query(db, DELIVERIES, [accountId, eventIds]);
}

export async function findEvent(
  db: DataSource,
  accountId: string,
  id: string,
): Promise<(EventRow & { body: Buffer }) | undefined> {
  const sql = `SELECT ${COLUMNS}, e.body FROM events e WHERE e.account_id = $1 AND e.id = $2`;
  const [row] = await query<EventRow & { body: Buffer }>(db, sql, [accountId, id]);
  return row;
}

const ATTEMPTS = 'SELECT * FROM attempts WHERE account_id = $1 AND delivery_id = ANY($2) ORDER BY delivery_id, attempt';

/** Returns recorded attempts that have ended, or whose claim ended without a result. */
export function attemptsOf(db: DataSource, accountId: string, deliveryIds: string[]): Promise<AttemptRow[]> {
  return query(db, ATTEMPTS, [accountId, deliveryIds]);
}

const UNDER_WAY = `
  SELECT p.id AS delivery_id, p.attempts_made AS attempt, ep.url, p.started_at, NULL AS finished_at, NULL AS duration_ms,
    NULL AS status_code, NULL AS error_class, NULL AS answer_head
  FROM pending_deliveries p JOIN endpoints ep ON ep.id = p.endpoint_id
  WHERE p.account_id = $1 AND p.id = ANY($2) AND p.claimed_until IS NOT NULL`;

/** Returns attempts in flight. They are recorded in the row of their delivery before the request is made. */
export function attemptsUnderWay(db: DataSource, accountId: string, deliveryIds: string[]): Promise<AttemptRow[]> {
  return query(db, UNDER_WAY, [accountId, deliveryIds]);
}
