import type { Transaction } from '@switchboard/database';
import type { CallOutcome } from '../customer-http/customer-http';
import type { Claim } from './claims.queries';
import { MAX_ATTEMPTS, type NextStep } from './retry-schedule';

/** The first KiB of an answer is kept (spec §11.6.1). */
const ANSWER_HEAD_BYTES = 1024;

/** A transaction, or single statements that commit on their own. */
export type SqlRunner = Pick<Transaction, 'queryPrepared'>;

/** An attempt that was made, and what is next. */
export interface Result {
  claim: Claim;
  outcome: CallOutcome;
  next: NextStep;
}

const RECORD = `
  WITH result AS (
    SELECT * FROM unnest($1::text[], $2::int[], $3::text[], $4::text[], $5::float8[], $6::int[], $7::int[], $8::text[], $9::bytea[], $10::text[], $11::float8[])
      AS result (id, attempt, account_id, url, started_at, duration_ms, status_code, error_class, answer_head, state, delay_seconds)
  ), recorded AS (
    INSERT INTO attempts (delivery_id, attempt, account_id, url, started_at, finished_at, duration_ms, status_code, error_class, answer_head)
    SELECT id, attempt, account_id, url, to_timestamp(started_at), statement_timestamp(), duration_ms, status_code, error_class, answer_head FROM result
    ON CONFLICT (delivery_id, attempt) DO UPDATE SET finished_at = excluded.finished_at, duration_ms = excluded.duration_ms,
      status_code = excluded.status_code, error_class = excluded.error_class, answer_head = excluded.answer_head
  ), ended AS (
    DELETE FROM pending_deliveries p USING result r
    -- The ids twice: the planner would rather read the whole table than look up some hundred of them.
    WHERE p.id = ANY(ARRAY(SELECT id FROM result)) AND p.id = r.id AND p.account_id = r.account_id AND r.state <> 'pending' AND (r.state = 'delivered' OR p.attempts_made = r.attempt)
    RETURNING p.id, p.account_id, p.endpoint_id, p.event_id, p.message_id, r.state, p.attempts_made, p.replay_id, p.created_at, p.started_at, p.claimed_until, r.attempt, r.url
  ), logged AS (
    INSERT INTO deliveries (id, account_id, endpoint_id, event_id, state, attempts_made, replay_id, created_at, finished_at)
    SELECT id, account_id, endpoint_id, event_id, state, attempts_made, replay_id, created_at, statement_timestamp() FROM ended
  ), underway AS (
    -- A later attempt that is being made: its row here would be gone, and its result may never come.
    INSERT INTO attempts (delivery_id, attempt, account_id, url, started_at)
    SELECT id, attempts_made, account_id, url, started_at FROM ended WHERE attempts_made > attempt AND claimed_until IS NOT NULL
    ON CONFLICT DO NOTHING
  ), waiting AS (
    UPDATE pending_deliveries p SET claimed_until = NULL, next_attempt_at = statement_timestamp() + make_interval(secs => r.delay_seconds)
    FROM result r
    WHERE p.id = r.id AND p.account_id = r.account_id AND r.state = 'pending' AND p.attempts_made = r.attempt AND p.claimed_until IS NOT NULL
    RETURNING p.id, p.endpoint_id, p.message_id, p.next_attempt_at
  )
  SELECT id, next_attempt_at AS "nextAttemptAt", EXISTS (
    SELECT 1 FROM pending_deliveries other
    WHERE other.endpoint_id = moved.endpoint_id AND other.message_id = moved.message_id AND other.id <> moved.id
  ) AS "isFollowed"
  FROM (
    SELECT id, endpoint_id, message_id, next_attempt_at FROM waiting UNION ALL SELECT id, endpoint_id, message_id, NULL FROM ended
  ) moved`;

const REVIVE = `
  UPDATE deliveries d SET state = 'delivered', finished_at = statement_timestamp()
  FROM unnest($1::text[], $2::text[]) AS late (id, account_id)
  WHERE d.id = late.id AND d.account_id = late.account_id AND d.state = 'dropped' AND d.replayed_as IS NULL`;

/** Where a delivery stands now. */
export interface Moved {
  id: string;
  /** Null when it has come to its end. */
  nextAttemptAt: Date | null;
  /** Whether other events of its message wait, perhaps for this one. */
  isFollowed: boolean;
}

/**
 * Writes down what came of attempts and moves their deliveries on. A failure that comes after the claim ran out no
 * longer moves its delivery; a success always does, even one that was dropped because the last attempt seemed to have
 * no end.
 * @returns the deliveries that were moved
 */
export async function recordResults(sql: SqlRunner, results: Result[]): Promise<Map<string, Moved>> {
  const of = <T>(pick: (result: Result) => T): T[] => results.map(pick);
  const rows = await sql.queryPrepared<Moved>(RECORD, [
    ...[
      of(({ claim }) => claim.deliveryId),
      of(({ claim }) => claim.attempt),
      of(({ claim }) => claim.accountId),
      of(({ claim }) => claim.url),
    ],
    ...[
      of(({ claim }) => claim.startedAt),
      of(({ outcome }) => outcome.durationMs),
      of(({ outcome }) => outcome.statusCode),
    ],
    ...[of(({ outcome }) => outcome.errorClass), of(({ outcome }) => outcome.answer.subarray(0, ANSWER_HEAD_BYTES))],
    ...[of(({ next }) => next.state), of(({ next }) => (next.state === 'pending' ? next.delaySeconds : null))],
  ]);
  const late = results
    .filter(({ claim, next }) => claim.attempt >= MAX_ATTEMPTS && next.state === 'delivered')
    .map(({ claim }) => claim);
  if (late.length > 0)
    await sql.queryPrepared(REVIVE, [late.map(({ deliveryId }) => deliveryId), late.map(({ accountId }) => accountId)]);
  return new Map(rows.map((moved) => [moved.id, moved]));
}
