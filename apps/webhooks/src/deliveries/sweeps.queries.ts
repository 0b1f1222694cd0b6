import { query, type Transaction } from '@switchboard/database';
import type { DataSource } from 'typeorm';
import { HOLDERS } from './claim-holder';
import type { EndpointRef } from './fair-queue';

/** Above the delay of a wait queue (p99 74 ms), so that the sweep finds only deliveries that the broker lost. */
const OVERDUE_MS = 250;

const ENDPOINTS_OF = `
  SELECT DISTINCT endpoint_id AS id, account_id AS "accountId" FROM pending_deliveries
  WHERE id = ANY($1) AND claimed_until IS NULL AND next_attempt_at <= now()`;

/** Finds the endpoints of due deliveries, over all accounts: a task contains only the delivery id. */
export function findDueEndpoints(db: DataSource, deliveryIds: string[]): Promise<EndpointRef[]> {
  return query<EndpointRef>(db, ENDPOINTS_OF, [deliveryIds]);
}

/**
 * Selects an endpoint that may receive deliveries. The LIMIT makes it one index probe instead of a scan of all
 * endpoints.
 */
const PROBE = (id: string): string =>
  `SELECT id, account_id FROM endpoints WHERE id = ${id} AND paused_at IS NULL AND deleted_at IS NULL LIMIT 1`;
/** SQL condition: a first attempt that was stored by a process and not started by any. */
const STORED = 'claimed_until IS NULL AND attempts_made = 0 AND claimed_by IS NOT NULL';

/**
 * Finds endpoints with overdue deliveries, page by page in id order. Costs one index probe per endpoint with a backlog,
 * whatever the length of the backlog.
 * $1 seconds, $2 endpoint to continue after, $3 maximum number of endpoints
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
  ), enabled AS (
    SELECT ep.id, ep.account_id, page.next_attempt_at FROM page
    CROSS JOIN LATERAL (${PROBE('page.endpoint_id')}) AS ep
  ), due AS (
    SELECT id, account_id FROM enabled WHERE next_attempt_at < now() - make_interval(secs => $1) ORDER BY random()
  )
  SELECT (SELECT endpoint_id FROM page WHERE place = $3) AS "endsAt",
    (SELECT extract(epoch FROM min(next_attempt_at) - now())::float8 * 1000 FROM enabled) + $1 * 1000 AS "nextInMs",
    EXISTS (SELECT 1 FROM pending_deliveries WHERE claimed_until IS NOT NULL)
      OR EXISTS (SELECT 1 FROM due) AS "isWorking",
    COALESCE((SELECT json_agg(json_build_object('id', id, 'accountId', account_id)) FROM due), '[]') AS endpoints`;

export interface OverduePage {
  /** Start of the next page. Null after the last one. */
  endsAt: string | null;
  /** Time until the first delivery of these endpoints is overdue; null if none waits for an enabled endpoint. */
  nextInMs: number | null;
  /** True if a process makes attempts, or an attempt is overdue. */
  isWorking: boolean;
  endpoints: EndpointRef[];
}

/**
 * Finds a page of endpoints with an overdue delivery, over all accounts. Checks a bounded number of endpoints.
 * @param behind the end of the previous page, or empty for the first page
 */
export async function findOverduePage(db: DataSource, behind: string, most: number): Promise<OverduePage> {
  const [page] = await query<OverduePage>(db, OVERDUE_PAGE, [OVERDUE_MS / 1000, behind, most]);
  return page ?? { endsAt: null, nextInMs: null, isWorking: false, endpoints: [] };
}

/** Position up to which due retries have been found. */
export interface DueMark {
  /** Timestamp as PostgreSQL text, with microsecond precision. */
  at: string;
  /** Last delivery with that timestamp. */
  id: string;
}

export interface NewlyDue {
  mark: DueMark;
  endpoints: EndpointRef[];
}

/** How far the first sweep looks back. The scan over the endpoints finds deliveries that came due earlier. */
const LOOK_BACK_SECONDS = 60;

/**
 * Finds endpoints with retries that came due since the last sweep, in due order. The cost depends on the number of
 * those retries, not on the number of endpoints with a backlog.
 * $1 seconds, $2 and $3 the mark, $4 seconds to look back without a mark, $5 maximum number of retries
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
 * Finds endpoints with a retry that came due since the mark, over all accounts.
 * @param since the previous mark, or undefined for the first sweep
 * @param most maximum number of retries to read; if there are more, the returned mark is that of the last one read
 */
export async function findNewlyDue(db: DataSource, since: DueMark | undefined, most: number): Promise<NewlyDue> {
  const params = [OVERDUE_MS / 1000, since?.at ?? null, since?.id ?? '', LOOK_BACK_SECONDS, most];
  const [found] = await query<DueMark & { endpoints: EndpointRef[] }>(db, NEWLY_DUE, params);
  if (!found) throw new Error('the query for due retries returned no row');
  const { at, id, endpoints } = found;
  return { mark: { at, id }, endpoints };
}

/** Finds the holders of stored attempts with one index probe each, however many attempts wait. */
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

/** $1 dead holders, $2 new holder, $3 maximum number of attempts per holder */
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
 * Transfers stored first attempts of dead processes to another process, newest first. The older attempts had to wait
 * even while their process was alive.
 * @param options.holder the process that takes over the attempts, or null to leave them to the sweep
 * @returns the endpoints where the attempts are due
 */
export function takeOverStored(
  tx: Transaction,
  dead: number[],
  { holder, atMost }: { holder: number | null; atMost: number },
): Promise<EndpointRef[]> {
  return tx.query<EndpointRef>(TAKE_OVER, [dead, holder, atMost]);
}

/**
 * Returns the holders of claims and stored attempts that do not hold their lock. They cannot reacquire it until the
 * transaction ends, so the result is valid until then.
 */
export async function lockDeadHolders(tx: Transaction): Promise<number[]> {
  return (await tx.query<{ holder: number }>(LOCK_DEAD)).map(({ holder }) => holder);
}
