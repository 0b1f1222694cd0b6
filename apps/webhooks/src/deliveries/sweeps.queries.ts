import { query, type Transaction } from '@switchboard/database';
import type { DataSource } from 'typeorm';
import { HOLDERS } from './claim-holder';
import type { EndpointRef } from './fair-queue';

/** Above the lateness of a wait queue (p99 74 ms), so that the sweep only finds what the broker has lost. */
const OVERDUE_MS = 250;

const ENDPOINTS_OF = `
  SELECT DISTINCT endpoint_id AS id, account_id AS "accountId" FROM pending_deliveries
  WHERE id = ANY($1) AND claimed_until IS NULL AND next_attempt_at <= now()`;

/**
 * Where something of these deliveries is due. The one query without an account: a task only knows the delivery's id.
 */
export function findDueEndpoints(db: DataSource, deliveryIds: string[]): Promise<EndpointRef[]> {
  return query<EndpointRef>(db, ENDPOINTS_OF, [deliveryIds]);
}

/**
 * An endpoint that may get something. With the limit it is one probe of the index, and never a look at all endpoints.
 */
const PROBE = (id: string): string =>
  `SELECT id, account_id FROM endpoints WHERE id = ${id} AND paused_at IS NULL AND deleted_at IS NULL LIMIT 1`;
/**
 * Where anything at all is overdue, for some endpoints in the order of their ids: one probe of an index for each that
 * something waits for, however long its backlog is. $1 seconds, $2 the endpoint to go on behind, $3 most endpoints
 */
export const OVERDUE_PAGE = `
  WITH RECURSIVE page AS (
    (SELECT endpoint_id, next_attempt_at, 1 AS place FROM pending_deliveries
     WHERE claimed_until IS NULL AND endpoint_id > $2 ORDER BY endpoint_id, next_attempt_at LIMIT 1)
    UNION ALL
    SELECT following.endpoint_id, following.next_attempt_at, page.place + 1 FROM page CROSS JOIN LATERAL (
      SELECT p.endpoint_id, p.next_attempt_at FROM pending_deliveries p
      WHERE p.claimed_until IS NULL AND p.endpoint_id > page.endpoint_id ORDER BY p.endpoint_id, p.next_attempt_at
        LIMIT 1
    ) AS following WHERE page.place < $3
  ), due AS (
    SELECT ep.id, ep.account_id FROM page CROSS JOIN LATERAL (${PROBE('page.endpoint_id')}) AS ep
    WHERE page.next_attempt_at < now() - make_interval(secs => $1)
    ORDER BY random()
  )
  SELECT (SELECT endpoint_id FROM page WHERE place = $3) AS "endsAt",
    COALESCE((SELECT json_agg(json_build_object('id', id, 'accountId', account_id)) FROM due), '[]') AS endpoints`;

export interface OverduePage {
  /** Where the next page begins; null after the last one. */
  endsAt: string | null;
  endpoints: EndpointRef[];
}

/**
 * Endpoints, over all accounts, with a delivery that should have been attempted by now: a bounded number is looked at.
 * @param behind the end of the page before; empty for the first
 */
export async function findOverduePage(db: DataSource, behind: string, most: number): Promise<OverduePage> {
  const [page] = await query<OverduePage>(db, OVERDUE_PAGE, [OVERDUE_MS / 1000, behind, most]);
  return page ?? { endsAt: null, endpoints: [] };
}

/** Up to where the retries are known that came due. */
export interface DueMark {
  /** As the database writes it, to the microsecond. */
  at: string;
  /** The last delivery of that moment. */
  id: string;
}

export interface NewlyDue {
  mark: DueMark;
  endpoints: EndpointRef[];
}

/** What came due so long before a process began to look is left to its round over the endpoints. */
const LOOK_BACK_SECONDS = 60;

/**
 * Where a retry came due since the last look, in the order of their times. It costs what came due, however many
 * endpoints have a backlog. $1 seconds, $2 and $3 the mark, $4 seconds to look back without one, $5 most retries
 */
export const NEWLY_DUE = `
  WITH span AS (
    SELECT COALESCE($2::timestamptz, now() - make_interval(secs => $4)) AS since,
      now() - make_interval(secs => $1) AS until
  ), retries AS (
    SELECT id, endpoint_id, next_attempt_at FROM pending_deliveries
    WHERE claimed_until IS NULL AND attempts_made > 0
      AND (next_attempt_at, id) > ((SELECT since FROM span), $3) AND next_attempt_at < (SELECT until FROM span)
    ORDER BY next_attempt_at, id LIMIT $5::int
  ), rest AS (
    SELECT next_attempt_at AS at, id FROM retries ORDER BY next_attempt_at, id OFFSET $5::int - 1
  ), due AS (
    SELECT ep.id, ep.account_id FROM (SELECT DISTINCT endpoint_id AS id FROM retries) AS at_endpoint
    CROSS JOIN LATERAL (${PROBE('at_endpoint.id')}) AS ep
    ORDER BY random()
  )
  SELECT COALESCE((SELECT at FROM rest), (SELECT GREATEST(since, until) FROM span))::text AS at,
    COALESCE((SELECT id FROM rest), '') AS id,
    COALESCE((SELECT json_agg(json_build_object('id', id, 'accountId', account_id)) FROM due), '[]') AS endpoints`;

/**
 * Endpoints, over all accounts, with a retry that came due since the mark.
 * @param since the mark of the look before; undefined for the first one
 * @param most retries to look at; with more the mark stays behind
 */
export async function findNewlyDue(db: DataSource, since: DueMark | undefined, most: number): Promise<NewlyDue> {
  const params = [OVERDUE_MS / 1000, since?.at ?? null, since?.id ?? '', LOOK_BACK_SECONDS, most];
  const [found] = await query<DueMark & { endpoints: EndpointRef[] }>(db, NEWLY_DUE, params);
  if (!found) throw new Error('a look at what is due gave no row');
  const { at, id, endpoints } = found;
  return { mark: { at, id }, endpoints };
}

/** A first attempt that its process has stored and nobody has begun. */
const STORED = 'claimed_until IS NULL AND attempts_made = 0 AND claimed_by IS NOT NULL';

/** The holders of stored attempts are found by one probe of their index for each, however many attempts wait. */
export const LOCK_DEAD = `
  WITH RECURSIVE storing AS (
    (SELECT claimed_by AS holder FROM pending_deliveries WHERE ${STORED} ORDER BY claimed_by LIMIT 1)
    UNION ALL
    SELECT following.holder FROM storing CROSS JOIN LATERAL (
      SELECT claimed_by AS holder FROM pending_deliveries WHERE ${STORED} AND claimed_by > storing.holder
      ORDER BY claimed_by LIMIT 1
    ) AS following
  ), holders AS MATERIALIZED (
    SELECT claimed_by AS holder FROM pending_deliveries WHERE claimed_until IS NOT NULL AND claimed_by IS NOT NULL
    UNION SELECT holder FROM storing
  )
  SELECT holder FROM holders WHERE pg_try_advisory_xact_lock(${HOLDERS}, holder)`;

/** $1 dead holders, $2 who takes their attempts over, $3 most attempts of each */
const TAKE_OVER = `
  WITH left_over AS (
    SELECT stored.id FROM unnest($1::int[]) AS dead (holder) CROSS JOIN LATERAL (
      SELECT id FROM pending_deliveries WHERE ${STORED} AND claimed_by = dead.holder
      ORDER BY id DESC LIMIT $3 FOR UPDATE SKIP LOCKED
    ) AS stored
  ), taken AS (
    UPDATE pending_deliveries p SET claimed_by = $2 FROM left_over
    WHERE p.id = left_over.id RETURNING p.endpoint_id, p.account_id
  )
  SELECT DISTINCT endpoint_id AS id, account_id AS "accountId" FROM taken`;

/**
 * Gives first attempts that dead processes have stored and nobody has begun to another process, the newest first: the
 * older ones are those that had to wait while their process lived.
 * @param options.holder the process that takes them over; null leaves them to the sweep
 * @returns the endpoints where they are due
 */
export function takeOverStored(
  tx: Transaction,
  dead: number[],
  { holder, atMost }: { holder: number | null; atMost: number },
): Promise<EndpointRef[]> {
  return tx.query<EndpointRef>(TAKE_OVER, [dead, holder, atMost]);
}

/**
 * Holders of claims and stored attempts that do not hold their lock. Until the transaction ends they cannot take it
 * again, so what is concluded from it stays true that long.
 */
export async function lockDeadHolders(tx: Transaction): Promise<number[]> {
  return (await tx.query<{ holder: number }>(LOCK_DEAD)).map(({ holder }) => holder);
}
