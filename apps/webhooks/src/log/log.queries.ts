import type { ListEventsCommand } from '@switchboard/contracts';
import { type LookThrough, lookQuery, lookThrough, query, seenOf, type SeenRow } from '@switchboard/database';
import type { DataSource } from 'typeorm';
import { firstIdAt } from '../ordered-ids';

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

const COLUMNS = 'e.id, e.kind, e.message_id, e.subject, e.occurred_at, e.created_at';

/** Parameters are added as conditions need them. */
class Conditions {
  readonly params: unknown[] = [];
  private readonly texts: string[] = [];

  /** @param text with `?` where the value goes, each time */
  add(text: string, value?: unknown): this {
    if (value === undefined) return this;
    this.params.push(value);
    this.texts.push(text.replaceAll('?', `$${this.params.length}`));
    return this;
  }

  get sql(): string {
    return this.texts.join(' AND ');
  }
}

/** What can be told of an event alone. Ids carry the time of recording, so a time is a bound on ids. */
function eventConditions(filter: ListEventsCommand): Conditions {
  const { accountId, cursor, kind, since, until, messageId, search } = filter;
  return new Conditions()
    .add('e.account_id = ?', accountId)
    .add('e.id < ?', cursor)
    .add('e.id >= ?', since && firstIdAt('evt', new Date(since)))
    .add('e.id < ?', until && firstIdAt('evt', new Date(until)))
    .add('e.kind = ?', kind)
    .add('e.message_id = ?', messageId)
    .add("(e.id = ? OR e.message_id = ? OR e.subject LIKE replace(replace(replace(?, '\\', '\\\\'), '%', '\\%'), '_', '\\_') || '%')", search);
}

/** Events of a page, the newest first. */
export interface EventPage {
  /** One more than the page holds when there is one. */
  rows: EventRow[];
  /** The event behind which the list goes on, when the look through it ended before the page was full. */
  cutOffAt: string | null;
}

/**
 * Events of an account, newest first. A filter on deliveries that few events meet goes through an index of its own, as do messages and
 * what is searched for; for a kind, and for `delivered`, which is what most deliveries are, so many events are looked through.
 */
export async function listEventRows(db: DataSource, filter: ListEventsCommand): Promise<EventPage> {
  const { accountId, limit, state, endpointId, messageId, search } = filter;
  if (endpointId === undefined && messageId === undefined && search === undefined && (state === undefined || state === 'delivered')) return lookedEvents(db, filter);
  const conditions = eventConditions(filter);
  if (state === undefined && endpointId === undefined) {
    const sql = `SELECT ${COLUMNS} FROM events e WHERE ${conditions.sql} ORDER BY e.id DESC LIMIT ${limit + 1}`;
    return { rows: await query(db, sql, conditions.params), cutOffAt: null };
  }
  conditions.add('d.account_id = ?', accountId).add('d.state = ?', state).add('d.endpoint_id = ?', endpointId);
  const sql = `SELECT ${COLUMNS} FROM (
     SELECT DISTINCT d.event_id FROM delivery_log d JOIN events e ON e.id = d.event_id WHERE ${conditions.sql} ORDER BY d.event_id DESC LIMIT ${limit + 1}
   ) found JOIN events e ON e.id = found.event_id ORDER BY e.id DESC`;
  return { rows: await query(db, sql, conditions.params), cutOffAt: null };
}

const IS_DELIVERED = `
  EXISTS (SELECT 1 FROM deliveries d JOIN endpoints ep ON ep.id = d.endpoint_id
          WHERE ep.account_id = found.account_id AND d.event_id = found.id AND d.state = 'delivered')`;

async function lookedEvents(db: DataSource, { kind, state, limit, ...bounds }: ListEventsCommand): Promise<EventPage> {
  const conditions = eventConditions({ ...bounds, limit });
  const params = [...conditions.params, ...(kind === undefined ? [] : [kind])];
  const matches = [kind !== undefined && `kind = $${params.length}`, state === 'delivered' && IS_DELIVERED].filter(Boolean).join(' AND ');
  const list: LookThrough = { rows: `SELECT * FROM events e WHERE ${conditions.sql}`, order: 'id DESC', key: 'id', matches: matches || undefined };
  const sql = lookThrough(list, { offset: 0, take: limit + 1, columns: COLUMNS.replaceAll('e.', 'seen.') });
  return seenOf(await lookQuery<EventRow & SeenRow>(db, sql, params), { page: 1, limit });
}

const DELIVERIES = `
  SELECT d.* FROM delivery_log d
  WHERE d.account_id = $1 AND d.event_id = ANY($2) AND d.endpoint_id = ANY(ARRAY(SELECT id FROM endpoints WHERE account_id = $1))
  ORDER BY d.id`;

/** The deliveries of events. The account's endpoints, deleted ones included, lead to them by index. */
export function deliveriesOf(db: DataSource, accountId: string, eventIds: string[]): Promise<DeliveryRow[]> {
  return query(db, DELIVERIES, [accountId, eventIds]);
}

export async function findEvent(db: DataSource, accountId: string, id: string): Promise<(EventRow & { body: Buffer }) | undefined> {
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
