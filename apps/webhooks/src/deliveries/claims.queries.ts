import { batchOf, preparedTransaction, query, type Transaction } from '@switchboard/database';
import type { DataSource } from 'typeorm';
import type { EndpointRef } from './fair-queue';
import { ALL_DELAYS_SECONDS, MAX_ATTEMPTS, MAX_EXTENDED_ATTEMPTS } from './retry-schedule';

/**
 * How long a claim holds: the deadline of a request (10 s) and time to write down its result even when the database is
 * away for a while. After it, or once the claiming process is known to be dead, another may make the next attempt.
 */
export const CLAIM_SECONDS = 30;

/** What a dispatcher has room for at an endpoint. */
export interface Wanted extends EndpointRef {
  atMost: number;
}

/** One attempt that is on record and may now be made. */
export interface Claim {
  deliveryId: string;
  eventId: string;
  endpointId: string;
  accountId: string;
  /** The attempt's number, from 1. */
  attempt: number;
  /**
   * Unix seconds, to the microsecond: a Date would cut it to milliseconds, and put the attempt on record before it was
   * due.
   */
  startedAt: number;
  url: string;
  /** Signs; the next one joins it while a rotation is under way. */
  sealedSecret: string;
  sealedNextSecret: string | null;
  /** Whether the endpoint is known to be failing. */
  failing: boolean;
  /** Most requests in flight at the endpoint, as it is set now. */
  limit: number;
  /** Whether any status from 200 to 299 is a success, not only 200. */
  acceptsAny2xx: boolean;
  /** Whether the delivery is tried for up to three days. */
  hasExtendedRetries: boolean;
  /** Seconds after the time it was due. */
  late: number;
}

export interface ClaimOptions {
  /** Most in flight at an endpoint that has no limit of its own. */
  defaultLimit: number;
  /** The claiming process (`claim-holder.ts`). */
  holder: number;
}

/**
 * Keeps others from claiming at these endpoints until the transaction ends, so that what is in flight can be counted.
 * The ids that it locked stand in a setting of the transaction, for the next statement: a statement sees only what was
 * committed before it, so the lock and the claim must be two. The claim goes along indexes alone: nearly always nothing
 * waits, and statistics of such a moment make the server read and sort all that waits at an endpoint, when much does.
 */
const LOCK = `
  SELECT set_config('switchboard.locked_endpoints', coalesce(string_agg(id, ','), ''), true) AS ids,
    set_config('enable_seqscan', 'off', true), set_config('enable_sort', 'off', true)
  FROM unnest($1::text[]) AS endpoint (id) WHERE pg_try_advisory_xact_lock(hashtext('claim'), hashtext(id))`;

/**
 * SQL: other deliveries of the same message to the same endpoint. They are found by the message. `|| ''` hides the
 * endpoint from the indexes: by one that begins with it, the server read all that waits at the endpoint.
 */
export const ofSameMessage = (other: string, delivery: string): string =>
  `${other}.message_id = ${delivery}.message_id AND ${other}.endpoint_id || '' = ${delivery}.endpoint_id`;

/** A first attempt lets the first attempts of the same message's earlier events go before (retries wait for nobody). */
const NOTHING_GOES_BEFORE = `
  (p.message_id IS NULL OR NOT EXISTS (
    SELECT 1 FROM pending_deliveries before
    WHERE ${ofSameMessage('before', 'p')} AND before.event_id < p.event_id
      AND (before.attempts_made = 0 OR (before.attempts_made = 1 AND before.claimed_until IS NOT NULL))
  ))`;

/** A retry whose last attempt took longer than this many seconds is expected to take as long again. */
const SLOW_SECONDS = 1;
/**
 * A first attempt that starts now may last 10 s, be tried again 5 s later, and last 10 s again: until then no slow
 * retry may need its slot.
 */
const RESERVED_SECONDS = 25;

/**
 * SQL: slots that an endpoint at which nothing succeeds keeps for retries that come due soon, as far as their last
 * attempts were slow. Quick failures free their slots in time. At most `most` rows are counted.
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

/** Endpoints at which `CLAIM` claims. */
const WANTED = batchOf({ accountId: 'text', id: 'text', atMost: 'int' }, { from: 3 });

/** $1 most in flight at an endpoint without a limit of its own, $2 holder, then `WANTED` */
const CLAIM = `
  WITH room AS MATERIALIZED (
    SELECT ep.account_id, ep.id, ep.url,
      ep.failing_since IS NOT NULL AS failing, ep.accepts_any_2xx, ep.has_extended_retries, allowed.at_most AS "limit",
      CASE WHEN ep.rotation_ends_at <= now() THEN ep.sealed_next_secret ELSE ep.sealed_secret END AS sealed_secret,
      CASE WHEN ep.rotation_ends_at > now() THEN ep.sealed_next_secret END AS sealed_next_secret,
      GREATEST(0, LEAST(wanted.at_most, allowed.at_most - (
        -- In the order of one index, so that the server takes that one.
        SELECT count(*) FROM (SELECT 1 FROM pending_deliveries p
          WHERE p.endpoint_id = ep.id AND p.claimed_until > now() ORDER BY p.claimed_until OFFSET 0) AS in_flight
      ))) AS free,
      CASE WHEN ep.failing_since IS NULL THEN 0 ELSE ${reservedSlots('ep.id', 'allowed.at_most')} END AS reserved
    FROM ${WANTED.unnest('wanted')}
    JOIN endpoints ep ON ep.account_id = wanted.account_id AND ep.id = wanted.id
    CROSS JOIN LATERAL (SELECT CASE WHEN ep.degraded_at IS NULL THEN COALESCE(ep.max_in_flight, $1) ELSE 1 END
      AS at_most) AS allowed
    WHERE ep.paused_at IS NULL AND ep.deleted_at IS NULL
      -- In a subquery of its own, so that the setting is read once and not for each pair.
      AND wanted.id = ANY ((SELECT string_to_array(current_setting('switchboard.locked_endpoints'), ','))::text[])
  ), retries AS MATERIALIZED (
    -- Before first attempts, of which any number may wait (spec §11.5.3).
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
    -- By their ids alone: the planner expects a tenth of all that waits, and would read the whole table for a join.
    WHERE id = ANY (ARRAY(SELECT id FROM due))
    RETURNING id, event_id, endpoint_id, account_id, attempts_made, started_at
  )
  SELECT claimed.id AS "deliveryId", event_id AS "eventId", endpoint_id AS "endpointId", account_id AS "accountId",
    attempts_made AS attempt, extract(epoch FROM started_at)::float8 AS "startedAt", url,
    sealed_secret AS "sealedSecret", sealed_next_secret AS "sealedNextSecret", failing, "limit",
    accepts_any_2xx AS "acceptsAny2xx", has_extended_retries AS "hasExtendedRetries",
    extract(epoch FROM now() - next_attempt_at)::float8 AS late
  FROM claimed JOIN due ON due.id = claimed.id`;

/** The statements of a claim, for one transaction. The last one gives the rows of the claims. */
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
 * Takes what is due at endpoints, retries first and the oldest of each first, and puts the next attempt of each on
 * record, in one trip to the database. No endpoint gets more in flight than it is allowed, counted over all processes.
 * @returns the claims, and the endpoints at which another process was claiming: nothing was looked at there
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

/** An attempt without a result: its delivery waits for the next one, or has no attempt left. */
export interface Abandoned {
  deliveryId: string;
  endpointId: string;
  accountId: string;
  eventId: string;
  /** Internal. */
  messageId: string | null;
  upstreamId: string | null;
  attempt: number;
  state: 'pending' | 'dropped';
}

/**
 * A first attempt that was cut is followed at once: our own restart shall not cost a customer time. Any later one
 * counts like one that failed (spec §11.5.2), or a service that dies again and again would use up all attempts within
 * seconds.
 */
const NEXT_ATTEMPT_AT = `
  CASE WHEN p.attempts_made = 1 THEN p.next_attempt_at
  ELSE now() + make_interval(secs => (ARRAY[${ALL_DELAYS_SECONDS.join(', ')}])[p.attempts_made]) END`;

/** By subqueries: for a join the planner may read all events. */
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

/**
 * Ends claims that ran out, whatever became of their process: the attempt stays on record without an end, and counts.
 */
export function abandonExpiredClaims(db: DataSource): Promise<Abandoned[]> {
  return query<Abandoned>(db, ABANDON_EXPIRED);
}

/** The same at once, for processes that are known to be dead. */
export function abandonClaimsOf(tx: Transaction, holders: number[]): Promise<Abandoned[]> {
  return tx.query<Abandoned>(ABANDON_DEAD, [holders]);
}

/** The same at once, for a request that we cut ourselves; nothing when others have ended the claim already. */
export function abandonClaim(tx: Transaction, { accountId, deliveryId, attempt }: Claim): Promise<Abandoned[]> {
  return tx.query<Abandoned>(ABANDON_OURS, [accountId, deliveryId, attempt]);
}

const UNDO_CLAIM = `
  UPDATE pending_deliveries SET claimed_until = NULL, attempts_made = attempts_made - 1,
    next_attempt_at = now() + interval '1 minute'
  WHERE account_id = $1 AND id = $2 AND attempts_made = $3 AND claimed_until IS NOT NULL`;

/** Takes a claim back before any request was made, through a fault of ours: the attempt does not count. */
export async function undoClaim(db: DataSource, claim: Claim): Promise<void> {
  await query(db, UNDO_CLAIM, [claim.accountId, claim.deliveryId, claim.attempt]);
}
