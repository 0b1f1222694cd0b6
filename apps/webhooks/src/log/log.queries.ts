import { firstIdAt, type ListEventsCommand } from '@switchboard/contracts';
import {
  LOOK_MOST,
  type LookThrough,
  lookQuery,
  lookThrough,
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

const ABOUT = 'e.kind, e.message_id, e.subject, e.occurred_at, e.created_at';
const COLUMNS = `e.id, ${ABOUT}`;

/** Events of a page, the newest first. */
export interface EventPage {
  /** One more than the page holds when there is one. */
  rows: EventRow[];
  /** The event behind which the list goes on, when the look through it ended before the page was full. */
  cutOffAt: string | null;
}

/** A statement and its parameters. */
export interface Statement {
  sql: string;
  params: unknown[];
}

/** An account's endpoints, deleted ones included. $1 account */
const ENDPOINTS = 'ARRAY(SELECT id FROM endpoints WHERE account_id = $1)';
/** One more than a page looks at. */
const MANY = LOOK_MOST + 1;
const begins = (text: string): string =>
  `subject LIKE replace(replace(replace(${text}, '\\', '\\\\'), '%', '\\%'), '_', '\\_') || '%'`;

/** Events of a message. $1 account, $2 the upstream's identifier */
const OF_MESSAGE = `SELECT id FROM events WHERE account_id = $1 AND message_id = $2 LIMIT ${MANY}`;
/**
 * Events that a search finds. In the order of subjects the planner cannot but go along their index. $1 account, $2 what
 * is searched for
 */
const SEARCHED = `
  SELECT id FROM events WHERE account_id = $1 AND id = $2 UNION (${OF_MESSAGE})
  UNION (SELECT id FROM events WHERE account_id = $1 AND ${begins('$2')} ORDER BY subject LIMIT ${MANY})`;

/** The SQL that finds the events that a filter names, and the name; undefined when it names none. */
function namesOf({ messageId, search }: ListEventsCommand): { sql: string; name: string } | undefined {
  if (messageId !== undefined) return { sql: OF_MESSAGE, name: messageId };
  return search === undefined ? undefined : { sql: SEARCHED, name: search };
}

/** Whether a filter names more events than a page looks at; undefined when it names none. */
export function manyNamedSql(filter: ListEventsCommand): Statement | undefined {
  const names = namesOf(filter);
  return (
    names && {
      sql: `SELECT count(*) > ${LOOK_MOST} AS "areMany" FROM (${names.sql}) AS named`,
      params: [filter.accountId, names.name],
    }
  );
}

/**
 * Events by their ids, the newest first; of the rows of one event the first is marked.
 * @param ids SQL that gives `event_id`
 */
const eventsOf = (ids: string): string => `
  SELECT is_first, listed.id, ${ABOUT} FROM (
    SELECT event_id AS id, lag(event_id) OVER (ORDER BY event_id DESC) IS DISTINCT FROM event_id AS is_first
      FROM (${ids}) AS given
  ) AS listed LEFT JOIN events e ON e.account_id = $1 AND e.id = listed.id`;

/** Which deliveries an index gives in the order of their events. */
interface Deliveries {
  /** SQL that gives `event_id`. */
  sql: string;
  /** Whether all of them are deliveries that the filter asks for. */
  areAll: boolean;
}

/**
 * The SQL of one page of events and one more, the newest first. The rows come from the index that leaves the fewest of
 * them and gives them in that order; whatever else is asked for is judged event by event, and a page looks at a bounded
 * number of them.
 * @param options.areFew whether what the filter names is no more than a page looks at
 */
export function listEventsSql(filter: ListEventsCommand, { areFew }: { areFew: boolean }): Statement {
  const { accountId, limit, cursor, since, until, kind, messageId, search, state, endpointId, errorClass } = filter;
  const names = areFew ? namesOf(filter) : undefined;
  const params: unknown[] = [accountId, ...(names ? [names.name] : [])];
  /** @param text with `?` where the value goes, each time */
  const given = (text: string, value: unknown): string =>
    value === undefined ? '' : ` AND ${text.replaceAll('?', `$${params.push(value)}`)}`;

  // Ids carry the time of recording, so a time is a bound on ids.
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
        // Among them are those that were replayed since.
        areAll: false,
      };
    if (endpointId === undefined) {
      if (state !== 'pending') return undefined;
      return {
        sql: `SELECT event_id FROM endpoints CROSS JOIN LATERAL ${newest('pending_deliveries WHERE endpoint_id = endpoints.id')} AS waiting WHERE account_id = $1`,
        areAll: true,
      };
    }
    // The endpoint is the account's; an index of the account would lead past the deliveries to all its others.
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
    // An event may be gone before the delivery that replayed it.
    chosen ? 'is_first AND created_at IS NOT NULL' : 'true',
    given('kind = ?', kind),
    given('message_id = ?', messageId),
    given(`(id = ? OR message_id = ? OR ${begins('?')})`, search),
    // Not EXISTS, which the planner may turn into a look at all deliveries of the account.
    delivery &&
      ` AND (SELECT true FROM delivery_log d WHERE d.endpoint_id = ANY(${ENDPOINTS}) AND d.event_id = found.id${delivery} LIMIT 1)`,
  ];
  const rows = chosen ? eventsOf(chosen.sql) : `SELECT ${COLUMNS} FROM events e WHERE account_id = $1${within('id')}`;
  const list: LookThrough = { rows, order: 'id DESC', key: 'id', matches: matches.join('') };
  return { sql: lookThrough(list, { offset: 0, take: limit + 1, columns: COLUMNS.replaceAll('e.', 'seen.') }), params };
}

/**
 * Events of an account, newest first. What a message's id or a search finds is taken as a whole unless it is much; then
 * the list is looked through for it as for anything else that has no index.
 */
export async function listEventRows(db: DataSource, filter: ListEventsCommand): Promise<EventPage> {
  const counted = manyNamedSql(filter);
  const [named] = counted ? await lookQuery<{ areMany: boolean }>(db, counted.sql, counted.params) : [];
  const { sql, params } = listEventsSql(filter, { areFew: named?.areMany === false });
  return seenOf(await lookQuery<EventRow & SeenRow>(db, sql, params), { page: 1, limit: filter.limit });
}

const DELIVERIES = `
  SELECT d.*, last.status_code AS last_status_code, last.error_class AS last_error_class FROM delivery_log d
  LEFT JOIN LATERAL (
    SELECT status_code, error_class FROM attempts a
    WHERE a.delivery_id = d.id AND a.account_id = $1 AND a.finished_at IS NOT NULL ORDER BY a.attempt DESC LIMIT 1
  ) AS last ON true
  WHERE d.account_id = $1 AND d.event_id = ANY($2) AND d.endpoint_id = ANY(${ENDPOINTS}) ORDER BY d.id`;

/** The deliveries of events, with what came of the last attempt. The account's endpoints lead to them by index. */
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

/** The attempts on record that have ended, or that nobody can end any more. */
export function attemptsOf(db: DataSource, accountId: string, deliveryIds: string[]): Promise<AttemptRow[]> {
  return query(db, ATTEMPTS, [accountId, deliveryIds]);
}

const UNDER_WAY = `
  SELECT p.id AS delivery_id, p.attempts_made AS attempt, ep.url, p.started_at, NULL AS finished_at, NULL AS duration_ms,
    NULL AS status_code, NULL AS error_class, NULL AS answer_head
  FROM pending_deliveries p JOIN endpoints ep ON ep.id = p.endpoint_id
  WHERE p.account_id = $1 AND p.id = ANY($2) AND p.claimed_until IS NOT NULL`;

/** The attempts that run at this moment: on record before their request, in the row of their delivery. */
export function attemptsUnderWay(db: DataSource, accountId: string, deliveryIds: string[]): Promise<AttemptRow[]> {
  return query(db, UNDER_WAY, [accountId, deliveryIds]);
}
