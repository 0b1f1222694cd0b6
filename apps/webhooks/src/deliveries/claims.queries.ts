import { batchOf, preparedTransaction, query, type Transaction } from '@switchboard/database';
import type { DataSource } from 'typeorm';
import type { EndpointRef } from './fair-queue';
import { ALL_DELAYS_SECONDS, MAX_ATTEMPTS, MAX_EXTENDED_ATTEMPTS } from './retry-schedule';

/**
 * Lifetime of a claim: the request deadline (10 s) plus time to store the result during a short database outage. Once
 * the claim has expired, or its process is known to be dead, another process may make the next attempt.
 */
export const CLAIM_SECONDS = 30;

/** An endpoint and the maximum number of deliveries to claim there. */
export interface Wanted extends EndpointRef {
  atMost: number;
}

/** An attempt that has been recorded and may now be made. */
export interface Claim {
  deliveryId: string;
  eventId: string;
  endpointId: string;
  accountId: string;
  /** Number of the attempt, starting at 1. */
  attempt: number;
  /**
   * Unix seconds with microsecond precision. A Date would truncate to milliseconds, so the attempt could be recorded
   * before it was due.
   */
  startedAt: number;
  url: string;
  /** Secrets that sign the request. The next secret signs only during a rotation. */
  sealedSecret: string;
  sealedNextSecret: string | null;
  /** True while the endpoint is marked as failing. */
  failing: boolean;
  /** Current maximum number of requests in flight at the endpoint. */
  limit: number;
  /** Treats any status from 200 to 299 as success, instead of only 200. */
  acceptsAny2xx: boolean;
  /** Retries the delivery for up to three days. */
  hasExtendedRetries: boolean;
  /** Seconds since the attempt was due. */
  late: number;
}

export interface ClaimOptions {
  /** Maximum number of requests in flight at an endpoint without a configured limit. */
  defaultLimit: number;
  /** Number of the claiming process (`claim-holder.ts`). */
  holder: number;
}

/**
 * Locks these endpoints against other claims until the transaction ends, so that requests in flight can be counted. A
 * statement sees only what was committed before it started, so the lock and the claim are two statements. A transaction
 * setting passes the locked ids to the second one. The claim may only use index scans: usually nothing waits, and
 * statistics gathered at such a moment would make the planner read and sort an endpoint's whole backlog.
 */
const LOCK = `
  SELECT set_config('switchboard.locked_endpoints', coalesce(string_agg(id, ','), ''), true) AS ids,
    set_config('enable_seqscan', 'off', true), set_config('enable_sort', 'off', true)
  FROM unnest($1::text[]) AS endpoint (id) WHERE pg_try_advisory_xact_lock(hashtext('claim'), hashtext(id))`;

/**
 * SQL condition: other deliveries of the same message to the same endpoint. Looks them up by message. `|| ''` hides the
 * endpoint from the planner, which would otherwise read the whole backlog through an index that starts with the
 * endpoint.
 */
export const ofSameMessage = (other: string, delivery: string): string =>
  `${other}.message_id = ${delivery}.message_id AND ${other}.endpoint_id || '' = ${delivery}.endpoint_id`;

/**
 * SQL condition that orders first attempts: a first attempt waits for those of earlier events of the same message.
 * Retries do not wait.
 */
const NOTHING_GOES_BEFORE = `
  (p.message_id IS NULL OR NOT EXISTS (
    SELECT 1 FROM pending_deliveries before
    WHERE ${ofSameMessage('before', 'p')} AND before.event_id < p.event_id
      AND (before.attempts_made = 0 OR (before.attempts_made = 1 AND before.claimed_until IS NOT NULL))
  ))`;

/** Duration of the last attempt, in seconds, above which the retry is expected to be slow. */
const SLOW_SECONDS = 1;
/**
 * Longest time that a first attempt may use its slot: 10 s, a retry after 5 s and another 10 s. No slow retry may need
 * the slot within this time.
 */
const RESERVED_SECONDS = 25;

/**
 * SQL expression: slots that a failing endpoint reserves for retries that are due soon and were slow last time. Retries
 * that fail quickly free their slots in time. Counts at most `most` rows.
 */
const reservedSlots = (endpoint: string, most: string): string => `(
  SELECT count(*) FROM (
    SELECT 1 FROM (
      SELECT p.next_attempt_at, p.started_at, p.attempts_made FROM pending_deliveries p
      WHERE p.endpoint_id = ${endpoint} AND p.claimed_until IS NULL AND p.attempts_made > 0
        AND p.next_attempt_at > now() AND p.next_attempt_at < now() + interval '${RESERVED_SECONDS} seconds'
      ORDER BY p.next_attempt_at OFFSET 0
    ) AS soon
    WHERE next_attempt_at - started_at >
      make_interval(secs => (ARRAY[${ALL_DELAYS_SECONDS.join(', ')}])[attempts_made] + ${SLOW_SECONDS})
    LIMIT ${most}
  ) AS slow)`;

const DUE = `
  SELECT p.id, p.next_attempt_at FROM pending_deliveries p
  WHERE p.account_id = room.account_id AND p.endpoint_id = room.id AND p.claimed_until IS NULL
    AND p.next_attempt_at <= now()`;

/** The endpoints to claim at, as parameters of `CLAIM`. */
const WANTED = batchOf({ accountId: 'text', id: 'text', atMost: 'int' }, { from: 3 });

/** $1 default limit per endpoint, $2 holder, then `WANTED` */
const CLAIM = `
  WITH room AS MATERIALIZED (
    SELECT ep.account_id, ep.id, ep.url,
      ep.failing_since IS NOT NULL AS failing, ep.accepts_any_2xx, ep.has_extended_retries, allowed.at_most AS "limit",
      CASE WHEN ep.rotation_ends_at <= now() THEN ep.sealed_next_secret ELSE ep.sealed_secret END AS sealed_secret,
      CASE WHEN ep.rotation_ends_at > now() THEN ep.sealed_next_secret END AS sealed_next_secret,
      GREATEST(0, LEAST(wanted.at_most, allowed.at_most - (
        -- Ordered like one index, so that the planner uses that index.
        SELECT count(*) FROM (SELECT 1 FROM pending_deliveries p
          WHERE p.endpoint_id = ep.id AND p.claimed_until > now() ORDER BY p.claimed_until OFFSET 0) AS in_flight
      ))) AS free,
      CASE WHEN ep.failing_since IS NULL THEN 0 ELSE ${reservedSlots('ep.id', 'allowed.at_most')} END AS reserved
    FROM ${WANTED.unnest('wanted')}
    JOIN endpoints ep ON ep.account_id = wanted.account_id AND ep.id = wanted.id
    CROSS JOIN LATERAL (SELECT CASE WHEN ep.degraded_at IS NULL THEN COALESCE(ep.max_in_flight, $1) ELSE 1 END
      AS at_most) AS allowed
    WHERE ep.paused_at IS NULL AND ep.deleted_at IS NULL
      -- In a separate subquery, so that the setting is read once and not per pair.
      AND wanted.id = ANY ((SELECT string_to_array(current_setting('switchboard.locked_endpoints'), ','))::text[])
  ), retries AS MATERIALIZED (
    -- Before first attempts, which may be any number (spec §11.5.3).
    SELECT p.id, p.next_attempt_at, room.id AS endpoint_id
    FROM room CROSS JOIN LATERAL (${DUE}
      AND p.attempts_made > 0
      ORDER BY p.next_attempt_at, p.id LIMIT room.free FOR UPDATE SKIP LOCKED
    ) p
  ), firsts AS MATERIALIZED (
    SELECT p.id, p.next_attempt_at, room.id AS endpoint_id
    FROM room CROSS JOIN LATERAL (${DUE}
      AND p.attempts_made = 0 AND ${NOTHING_GOES_BEFORE}
      ORDER BY p.next_attempt_at, p.id
      LIMIT GREATEST(0, room.free - room.reserved - (SELECT count(*) FROM retries WHERE retries.endpoint_id = room.id))
      FOR UPDATE SKIP LOCKED
    ) p
  ), due AS (
    SELECT chosen.id, next_attempt_at, url, sealed_secret, sealed_next_secret, failing, accepts_any_2xx,
      has_extended_retries, "limit"
    FROM (SELECT * FROM retries UNION ALL SELECT * FROM firsts) AS chosen JOIN room ON room.id = chosen.endpoint_id
  ), claimed AS (
    UPDATE pending_deliveries
    SET attempts_made = attempts_made + 1, started_at = now(), claimed_until = now() + make_interval(secs => ${CLAIM_SECONDS}),
      claimed_by = $2
    -- By id only: the planner expects a tenth of the backlog and would scan the whole table for a join.
    WHERE id = ANY (ARRAY(SELECT id FROM due))
    RETURNING id, event_id, endpoint_id, account_id, attempts_made, started_at
  )
  SELECT claimed.id AS "deliveryId", event_id AS "eventId", endpoint_id AS "endpointId", account_id AS "accountId",
    attempts_made AS attempt, extract(epoch FROM started_at)::float8 AS "startedAt", url,
    sealed_secret AS "sealedSecret", sealed_next_secret AS "sealedNextSecret", failing, "limit",
    accepts_any_2xx AS "acceptsAny2xx", has_extended_retries AS "hasExtendedRetries",
    extract(epoch FROM now() - next_attempt_at)::float8 AS late
  FROM claimed JOIN due ON due.id = claimed.id`;

/** Returns the statements of a claim, to run in one transaction. The last one returns the claims. */
export function claimStatements(
  wanted: Wanted[],
  { defaultLimit, holder }: ClaimOptions,
): (readonly [sql: string, params: unknown[]])[] {
  return [
    [LOCK, [wanted.map(({ id }) => id)]],
    [CLAIM, [defaultLimit, holder, ...WANTED.parameters(wanted)]],
  ];
}

/**
 * Claims due deliveries at the given endpoints, retries first and then oldest first, and records the next attempt of
 * each, in one round trip. The limits on requests in flight apply across all processes.
 * @returns the claims, and the endpoints skipped because another process was claiming there
 */
export async function claimDue(
  db: DataSource,
  wanted: Wanted[],
  options: ClaimOptions,
): Promise<{ claims: Claim[]; busy: Set<string> }> {
  const [locked, claims] = await preparedTransaction(db, claimStatements(wanted, options));
  const ours = new Set((locked as { ids: string }[])[0]?.ids.split(','));
  return {
    claims: claims as Claim[],
    busy: new Set(wanted.map(({ id }) => id).filter((id) => !ours.has(id))),
  };
}

/** An attempt without a result. Its delivery waits for the next attempt, or has no attempts left. */
export interface Abandoned {
  deliveryId: string;
  endpointId: string;
  accountId: string;
  eventId: string;
  /** Internal id. */
  messageId: string | null;
  upstreamId: string | null;
  attempt: number;
  state: 'pending' | 'dropped';
}

/**
 * Schedules the delivery after an interrupted attempt. A first attempt is repeated immediately, so that a restart does
 * not delay the delivery. A later attempt counts as failed (spec §11.5.2), so that a crash loop does not use up all
 * attempts within seconds.
 */
const NEXT_ATTEMPT_AT = `
  CASE WHEN p.attempts_made = 1 THEN p.next_attempt_at
  ELSE now() + make_interval(secs => (ARRAY[${ALL_DELAYS_SECONDS.join(', ')}])[p.attempts_made]) END`;

/** Use subqueries, because the planner may read all events for a join. */
const MESSAGE_IDS = `(SELECT record_id FROM events WHERE events.id = event_id) AS "messageId", message_id AS "upstreamId"`;

const abandon = (which: string): string => `
  WITH abandoned AS (
    SELECT p.id, p.account_id, p.attempts_made, p.started_at, ep.url,
      CASE WHEN ep.has_extended_retries THEN ${MAX_EXTENDED_ATTEMPTS} ELSE ${MAX_ATTEMPTS} END AS most_attempts
    FROM pending_deliveries p JOIN endpoints ep ON ep.account_id = p.account_id AND ep.id = p.endpoint_id
    WHERE ${which}
    FOR UPDATE OF p SKIP LOCKED
  ), recorded AS (
    INSERT INTO attempts (delivery_id, attempt, account_id, url, started_at)
    SELECT id, attempts_made, account_id, url, started_at FROM abandoned
    ON CONFLICT DO NOTHING
  ), ended AS (
    DELETE FROM pending_deliveries p USING abandoned a
    WHERE p.id = a.id AND p.attempts_made >= a.most_attempts
    RETURNING p.*
  ), logged AS (
    INSERT INTO deliveries (id, account_id, endpoint_id, event_id, state, attempts_made, replay_id, created_at,
      finished_at)
    SELECT id, account_id, endpoint_id, event_id, 'dropped', attempts_made, replay_id, created_at, now() FROM ended
  ), free AS (
    UPDATE pending_deliveries p SET claimed_until = NULL, next_attempt_at = ${NEXT_ATTEMPT_AT} FROM abandoned a
    WHERE p.id = a.id AND p.attempts_made < a.most_attempts
    RETURNING p.*
  )
  SELECT id AS "deliveryId", endpoint_id AS "endpointId", account_id AS "accountId",
    event_id AS "eventId", ${MESSAGE_IDS}, attempts_made AS attempt, 'pending' AS state FROM free
  UNION ALL SELECT id, endpoint_id, account_id, event_id, ${MESSAGE_IDS}, attempts_made, 'dropped' FROM ended`;

const ABANDON_EXPIRED = abandon('p.claimed_until < now()');
const ABANDON_DEAD = abandon('p.claimed_until IS NOT NULL AND p.claimed_by = ANY($1)');
const ABANDON_OURS = abandon(
  'p.account_id = $1 AND p.id = $2 AND p.attempts_made = $3 AND p.claimed_until IS NOT NULL',
);

/** Ends expired claims, even if their process is alive. The attempt stays recorded without an end, and counts. */
export function abandonExpiredClaims(db: DataSource): Promise<Abandoned[]> {
  return query<Abandoned>(db, ABANDON_EXPIRED);
}

/** Ends the claims of processes known to be dead, before they expire. */
export function abandonClaimsOf(tx: Transaction, holders: number[]): Promise<Abandoned[]> {
  return tx.query<Abandoned>(ABANDON_DEAD, [holders]);
}

/** Ends the claim of a request that this process aborted. Does nothing if the claim has already ended. */
export function abandonClaim(tx: Transaction, { accountId, deliveryId, attempt }: Claim): Promise<Abandoned[]> {
  return tx.query<Abandoned>(ABANDON_OURS, [accountId, deliveryId, attempt]);
}

const UNDO_CLAIM = `
  UPDATE pending_deliveries SET claimed_until = NULL, attempts_made = attempts_made - 1,
    next_attempt_at = now() + interval '1 minute'
  WHERE account_id = $1 AND id = $2 AND attempts_made = $3 AND claimed_until IS NOT NULL`;

/** Reverts a claim after an internal error prevented the request. The attempt does not count. */
export async function undoClaim(db: DataSource, claim: Claim): Promise<void> {
  await query(db, UNDO_CLAIM, [claim.accountId, claim.deliveryId, claim.attempt]);
}
