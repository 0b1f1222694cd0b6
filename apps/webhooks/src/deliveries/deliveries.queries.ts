import { newId } from '@switchboard/contracts';
import { query, type Transaction } from '@switchboard/database';
import type { DataSource } from 'typeorm';
import type { CallOutcome } from '../customer-http/customer-http';
import { MAX_ATTEMPTS } from './retry-schedule';

/**
 * How long a claim holds: the deadline of a request (10 s) and time to write down its result even when the database is
 * away for a while. After it another process may make the next attempt.
 */
export const CLAIM_SECONDS = 30;
/** The first KiB of an answer is kept (decisions 9). */
const ANSWER_HEAD_BYTES = 1024;
/** Above the lateness of a wait queue (p99 74 ms), so that the sweep only finds what the broker has lost. */
const OVERDUE_MS = 250;

export interface EndpointRef {
  id: string;
  accountId: string;
}

/** One attempt that is on record and may now be made, or a delivery that was found to have no attempt left. */
export interface Claim {
  deliveryId: string;
  eventId: string;
  endpointId: string;
  accountId: string;
  state: 'pending' | 'dropped';
  attemptId: string;
  attempt: number;
  body: Buffer;
  trace: Record<string, string>;
  url: string;
  sealedSecret: string;
  /** Seconds after the time it was due. */
  late: number;
}

const UNCLAIMED = '(d.claimed_until IS NULL OR d.claimed_until < now())';

const CLAIM = `
  WITH due AS (
    SELECT d.id, d.next_attempt_at
    FROM deliveries d
    WHERE d.account_id = $1 AND d.endpoint_id = $2 AND d.state = 'pending' AND d.next_attempt_at <= now() AND ${UNCLAIMED}
      AND ($3::text IS NULL OR d.id = $3)
      AND EXISTS (SELECT 1 FROM endpoints WHERE account_id = $1 AND id = $2 AND enabled)
    ORDER BY d.next_attempt_at, d.id
    LIMIT 1
    FOR UPDATE SKIP LOCKED
  ), claimed AS (
    UPDATE deliveries d SET
      state = CASE WHEN attempts_made < $5 THEN 'pending' ELSE 'dropped' END,
      finished_at = CASE WHEN attempts_made < $5 THEN NULL ELSE now() END,
      claimed_until = CASE WHEN attempts_made < $5 THEN now() + make_interval(secs => $6) END,
      attempts_made = LEAST(attempts_made + 1, $5)
    FROM due
    WHERE d.account_id = $1 AND d.id = due.id
    RETURNING d.id, d.event_id, d.state, d.attempts_made, due.next_attempt_at AS due_at
  ), attempt AS (
    INSERT INTO attempts (id, delivery_id, account_id, attempt, started_at)
    SELECT $4, id, $1, attempts_made, now() FROM claimed WHERE state = 'pending'
  )
  SELECT c.id AS "deliveryId", c.event_id AS "eventId", ep.id AS "endpointId", ep.account_id AS "accountId", c.state,
    $4 AS "attemptId", c.attempts_made AS attempt, e.body, e.trace, ep.url, ep.sealed_secret AS "sealedSecret",
    extract(epoch FROM now() - c.due_at)::float8 AS late
  FROM claimed c
  JOIN events e ON e.account_id = $1 AND e.id = c.event_id
  JOIN endpoints ep ON ep.account_id = $1 AND ep.id = $2`;

/**
 * Takes a due delivery of an endpoint, a given one or the oldest, and puts its next attempt on record. A claim that ran out
 * (its process died) is taken over; the attempt it made stays on record without an end and counts.
 */
export async function claimDelivery(db: DataSource, endpoint: EndpointRef, deliveryId: string | null): Promise<Claim | undefined> {
  const params = [endpoint.accountId, endpoint.id, deliveryId, newId('att'), MAX_ATTEMPTS, CLAIM_SECONDS];
  const [claim] = await query<Claim>(db, CLAIM, params);
  return claim;
}

/** A transaction, or single statements that commit on their own. */
export type SqlRunner = Pick<Transaction, 'query'>;

/** What becomes of a delivery after an attempt. */
export type NextStep = { state: 'delivered' | 'dropped' } | { state: 'pending'; delaySeconds: number };

const FINISH_ATTEMPT = `
  WITH finished AS (
    UPDATE attempts SET finished_at = statement_timestamp(), duration_ms = $5, status_code = $6, error_class = $7, answer_head = $8
    WHERE account_id = $1 AND id = $3
  )
  UPDATE deliveries SET
    state = $9,
    claimed_until = NULL,
    next_attempt_at = CASE WHEN $9 = 'pending' THEN statement_timestamp() + make_interval(secs => $10) ELSE next_attempt_at END,
    finished_at = CASE WHEN $9 = 'pending' THEN NULL ELSE statement_timestamp() END
  WHERE account_id = $1 AND id = $2 AND state = 'pending' AND ($9 = 'delivered' OR attempts_made = $4)
  RETURNING next_attempt_at AS "nextAttemptAt"`;

/**
 * Writes down an attempt's result and the delivery's next step. A failure that comes after the claim ran out no longer
 * moves the delivery; a success always does.
 * @returns the delivery's next time, or undefined when it was not moved
 */
export async function finishAttempt(sql: SqlRunner, claim: Claim, outcome: CallOutcome, next: NextStep): Promise<Date | undefined> {
  const delaySeconds = next.state === 'pending' ? next.delaySeconds : 0;
  const answerHead = outcome.answer.subarray(0, ANSWER_HEAD_BYTES);
  const [moved] = await sql.query<{ nextAttemptAt: Date }>(FINISH_ATTEMPT, [
    ...[claim.accountId, claim.deliveryId, claim.attemptId, claim.attempt],
    ...[outcome.durationMs, outcome.statusCode, outcome.errorClass, answerHead],
    ...[next.state, delaySeconds],
  ]);
  return moved?.nextAttemptAt;
}

/** Gives a delivery back at once whose request we cut ourselves; the attempt stays on record without an end and counts. */
export async function releaseClaim(tx: Transaction, { accountId, deliveryId, attempt }: Claim): Promise<void> {
  await tx.query(`UPDATE deliveries SET claimed_until = NULL WHERE account_id = $1 AND id = $2 AND state = 'pending' AND attempts_made = $3`, [
    accountId,
    deliveryId,
    attempt,
  ]);
}

const UNDO_CLAIM = `
  WITH undone AS (DELETE FROM attempts WHERE account_id = $1 AND id = $3)
  UPDATE deliveries SET claimed_until = NULL, attempts_made = attempts_made - 1, next_attempt_at = now() + interval '1 minute'
  WHERE account_id = $1 AND id = $2 AND state = 'pending' AND attempts_made = $4`;

/** Takes a claim back before any request was made, through a fault of ours: the attempt does not count. */
export async function undoClaim(db: DataSource, claim: Claim): Promise<void> {
  await query(db, UNDO_CLAIM, [claim.accountId, claim.deliveryId, claim.attemptId, claim.attempt]);
}

/** Whose delivery a task means; undefined when it is finished or not due. The one query that has no account: the task only knows the id. */
export async function findDueDelivery(db: DataSource, deliveryId: string): Promise<EndpointRef | undefined> {
  const sql = `SELECT endpoint_id AS id, account_id AS "accountId" FROM deliveries WHERE id = $1 AND state = 'pending' AND next_attempt_at <= now()`;
  const [endpoint] = await query<EndpointRef>(db, sql, [deliveryId]);
  return endpoint;
}

// One probe of the index per endpoint, however long the backlog of one of them is.
const FIND_OVERDUE = `
  SELECT ep.id, ep.account_id AS "accountId"
  FROM endpoints ep
  WHERE ep.enabled AND EXISTS (
    SELECT 1 FROM deliveries d
    WHERE d.account_id = ep.account_id AND d.endpoint_id = ep.id AND d.state = 'pending'
      AND d.next_attempt_at < now() - make_interval(secs => $1) AND ${UNCLAIMED}
  )
  ORDER BY random()`;

/** Endpoints, over all accounts, with a delivery that should have been attempted by now. */
export function findOverdueEndpoints(db: DataSource): Promise<EndpointRef[]> {
  return query<EndpointRef>(db, FIND_OVERDUE, [OVERDUE_MS / 1000]);
}
