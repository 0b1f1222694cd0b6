import { query, type Transaction } from '@switchboard/database';
import type { DataSource } from 'typeorm';
import type { Claim } from './claims.queries';
import { ALL_DELAYS_SECONDS, MAX_ATTEMPTS, MAX_EXTENDED_ATTEMPTS } from './retry-schedule';

/** An attempt without a result: its delivery waits for the next one, or has no attempt left. */
export interface Abandoned {
  deliveryId: string;
  endpointId: string;
  accountId: string;
  eventId: string;
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
    INSERT INTO deliveries (id, account_id, endpoint_id, event_id, state, attempts_made, replay_id, created_at, finished_at)
    SELECT id, account_id, endpoint_id, event_id, 'dropped', attempts_made, replay_id, created_at, now() FROM ended
  ), free AS (
    UPDATE pending_deliveries p SET claimed_until = NULL, next_attempt_at = ${NEXT_ATTEMPT_AT} FROM abandoned a
    WHERE p.id = a.id AND p.attempts_made < a.most_attempts
    RETURNING p.*
  )
  SELECT id AS "deliveryId", endpoint_id AS "endpointId", account_id AS "accountId", event_id AS "eventId", attempts_made AS attempt, 'pending' AS state FROM free
  UNION ALL SELECT id, endpoint_id, account_id, event_id, attempts_made, 'dropped' FROM ended`;

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
  UPDATE pending_deliveries SET claimed_until = NULL, attempts_made = attempts_made - 1, next_attempt_at = now() + interval '1 minute'
  WHERE account_id = $1 AND id = $2 AND attempts_made = $3 AND claimed_until IS NOT NULL`;

/** Takes a claim back before any request was made, through a fault of ours: the attempt does not count. */
export async function undoClaim(db: DataSource, claim: Claim): Promise<void> {
  await query(db, UNDO_CLAIM, [claim.accountId, claim.deliveryId, claim.attempt]);
}
