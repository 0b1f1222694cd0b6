import { setTimeout as sleep } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import { deliverEventV1 } from '@switchboard/contracts';
import {
  batchOf,
  columnNames,
  columnsOf,
  failsWholeBatch,
  isDatabaseAway,
  GENERIC_PLAN,
  genericPlanQuery,
  query,
  type Transaction,
  Transactions,
} from '@switchboard/database';
import { Batcher } from '@switchboard/platform';
import { DataSource } from 'typeorm';
import type { CallOutcome } from '../customer-http/customer-http';
import { AttemptNotices } from './attempt-notices';
import { Attempt } from './attempt.entity';
import { abandonClaim, type Claim, CLAIM_SECONDS, ofSameMessage, undoClaim } from './claims.queries';
import { MAX_ATTEMPTS, type NextStep } from './retry-schedule';

const BATCH_LIMIT = 200;
const BATCH_EVERY_MS = 4;
/** Interval between attempts to store results, and how long they are repeated: while the claims are valid. */
const WRITE_AGAIN_MS = 500;
const WRITE_FOR_MS = (CLAIM_SECONDS - 12) * 1000;

/** Number of response bytes to store (spec §11.6.1). */
const ANSWER_HEAD_BYTES = 1024;

/**
 * Either a transaction, or single statements that commit on their own. Uses prepared statements, because these are
 * lookups by key.
 */
type SqlRunner = Pick<Transaction, 'queryPrepared'>;

/** The result of a finished attempt, with the next step. */
export interface Result {
  claim: Claim;
  outcome: CallOutcome;
  next: NextStep;
}

const ATTEMPT = columnsOf(Attempt, [
  'deliveryId',
  'attempt',
  'accountId',
  'url',
  'durationMs',
  'statusCode',
  'errorClass',
  'answerHead',
]);

/** Parameters of `RECORD_RESULTS`. */
const RESULTS = batchOf({
  ...ATTEMPT,
  /** Unix seconds. */
  startedAt: 'float8',
  state: 'text',
  /** Delay until the next attempt. Null if there is no next attempt. */
  delaySeconds: 'float8',
});

/** Returns one row per updated delivery. */
export const RECORD_RESULTS = `
  WITH result AS (
    SELECT * FROM ${RESULTS.unnest('result')}
  ), recorded AS (
    INSERT INTO attempts (${columnNames(ATTEMPT)}, started_at, finished_at)
    SELECT ${columnNames(ATTEMPT)}, to_timestamp(started_at), statement_timestamp() FROM result
    ON CONFLICT (delivery_id, attempt) DO UPDATE SET finished_at = excluded.finished_at,
      duration_ms = excluded.duration_ms,
      status_code = excluded.status_code, error_class = excluded.error_class, answer_head = excluded.answer_head
  ), ended AS (
    DELETE FROM pending_deliveries p USING result r
    -- The ids appear twice, here and below: with a join alone, the planner scans a table that it believes to be small.
    WHERE p.id = ANY(ARRAY(SELECT delivery_id FROM result)) AND p.id = r.delivery_id AND p.account_id = r.account_id
      AND r.state <> 'pending' AND (r.state = 'delivered' OR p.attempts_made = r.attempt)
    RETURNING p.id, p.account_id, p.endpoint_id, p.event_id, p.message_id, r.state, p.attempts_made, p.replay_id,
      p.created_at, p.started_at, p.claimed_until, r.attempt, r.url
  ), logged AS (
    INSERT INTO deliveries (id, account_id, endpoint_id, event_id, state, attempts_made, replay_id, created_at,
      finished_at)
    SELECT id, account_id, endpoint_id, event_id, state, attempts_made, replay_id, created_at, statement_timestamp()
      FROM ended
  ), underway AS (
    -- A later attempt that is in flight: its row here is about to be deleted, and its result may never arrive.
    INSERT INTO attempts (delivery_id, attempt, account_id, url, started_at)
    SELECT id, attempts_made, account_id, url, started_at FROM ended WHERE attempts_made > attempt
      AND claimed_until IS NOT NULL
    ON CONFLICT DO NOTHING
  ), waiting AS (
    UPDATE pending_deliveries p SET claimed_until = NULL,
      next_attempt_at = statement_timestamp() + make_interval(secs => r.delay_seconds)
    FROM result r
    WHERE p.id = ANY(ARRAY(SELECT delivery_id FROM result)) AND p.id = r.delivery_id AND p.account_id = r.account_id
      AND r.state = 'pending' AND p.attempts_made = r.attempt AND p.claimed_until IS NOT NULL
    RETURNING p.id, p.endpoint_id, p.message_id, p.next_attempt_at
  )
  SELECT id, next_attempt_at AS "nextAttemptAt", EXISTS (
    SELECT 1 FROM pending_deliveries other WHERE ${ofSameMessage('other', 'moved')} AND other.id <> moved.id
  ) AS "isFollowed"
  FROM (
    SELECT id, endpoint_id, message_id, next_attempt_at FROM waiting UNION ALL
      SELECT id, endpoint_id, message_id, NULL FROM ended
  ) moved`;

const REVIVE = `
  UPDATE deliveries d SET state = 'delivered', finished_at = statement_timestamp()
  FROM unnest($1::text[], $2::text[]) AS late (id, account_id)
  WHERE d.id = late.id AND d.account_id = late.account_id AND d.state = 'dropped' AND d.replayed_as IS NULL`;

/** State of a delivery after its update. */
export interface Moved {
  id: string;
  /** Null when the delivery is finished. */
  nextAttemptAt: Date | null;
  /** True if other events of the same message are waiting, possibly for this delivery. */
  isFollowed: boolean;
}

/** Skips rows that another process has locked for the same change. The ids come from claims of any account. */
const markSql = (changes: string, which: string): string => `
  UPDATE endpoints SET ${changes} WHERE id IN (SELECT id FROM endpoints WHERE id = ANY($1) AND ${which}
    FOR NO KEY UPDATE SKIP LOCKED)`;
/** The first failure after a success marks the endpoint as failing. */
const MARK_FAILING = markSql('failing_since = now()', 'failing_since IS NULL');
/** One success clears the failing and degraded marks. */
const MARK_WORKING = markSql('failing_since = NULL, degraded_at = NULL', 'failing_since IS NOT NULL');

/** Stores results of attempts in batches, together with their effects: the next timer and the endpoint's health. */
@Injectable()
export class Results {
  private readonly writes = new Batcher<Result, Moved | undefined>((results) => this.write(results), {
    maxItems: BATCH_LIMIT,
    concurrency: 1,
    everyMs: BATCH_EVERY_MS,
    isCommonFailure: failsWholeBatch,
  });

  constructor(
    private readonly dataSource: DataSource,
    private readonly transactions: Transactions,
    private readonly notices: AttemptNotices,
  ) {}

  /** @returns the delivery's new state, or undefined when another process had already changed it */
  record(result: Result): Promise<Moved | undefined> {
    return this.writes.add(result);
  }

  /** Requeues a delivery whose request this process aborted. The attempt stays recorded without an end, and counts. */
  async release(claim: Claim): Promise<void> {
    await this.transactions.run(async (tx) => {
      for (const { state, deliveryId } of await abandonClaim(tx, claim)) {
        if (state === 'pending') tx.enqueue(deliverEventV1, { deliveryId });
      }
    });
  }

  /** Reverts a claim whose request was not sent. */
  undo(claim: Claim): Promise<void> {
    return undoClaim(this.dataSource, claim);
  }

  /** Stores results, retrying while the database is down, because requests that were made cannot be undone. */
  private async write(results: Result[]): Promise<(Moved | undefined)[]> {
    const deadline = performance.now() + WRITE_FOR_MS;
    for (;;) {
      try {
        // Mark failing endpoints first, so that no claim in between uses the slots that the retries need.
        await this.noteFailing(results);
        const moved = await this.recordAndSchedule(results);
        await this.noteWorking(results);
        for (const { claim } of results) this.notices.note(claim.accountId);
        return results.map(({ claim }) => moved.get(claim.deliveryId));
      } catch (error) {
        if (!isDatabaseAway(error) || performance.now() > deadline) throw error;
        await sleep(WRITE_AGAIN_MS);
      }
    }
  }

  /**
   * Stores results and schedules retries. A batch that only ends deliveries is a single statement, unless it contains
   * last attempts, which may need a second one. Timers are published with the commit.
   */
  private recordAndSchedule(results: Result[]): Promise<Map<string, Moved>> {
    const isOneStatement = results.every(({ claim, next }) => next.state !== 'pending' && claim.attempt < MAX_ATTEMPTS);
    if (isOneStatement)
      return recordResults({ queryPrepared: (sql, params) => genericPlanQuery(this.dataSource, sql, params) }, results);
    return this.transactions.run(async (tx) => {
      tx.queue(GENERIC_PLAN);
      const moved = await recordResults(tx, results);
      for (const { claim, next } of results) {
        if (next.state !== 'pending' || !moved.has(claim.deliveryId)) continue;
        // Delays of hours need no timer, because the sweep finds due deliveries.
        if (!deliverEventV1.delaysSeconds.includes(next.delaySeconds)) continue;
        tx.enqueue(deliverEventV1, { deliveryId: claim.deliveryId }, { delaySeconds: next.delaySeconds });
      }
      return moved;
    });
  }

  private async noteFailing(results: Result[]): Promise<void> {
    const failed = results.filter(({ claim, outcome }) => !claim.failing && outcome.errorClass !== null);
    if (failed.length > 0) await query(this.dataSource, MARK_FAILING, [failed.map(({ claim }) => claim.endpointId)]);
  }

  private async noteWorking(results: Result[]): Promise<void> {
    const worked = results.filter(({ claim, outcome }) => claim.failing && outcome.errorClass === null);
    if (worked.length > 0) await query(this.dataSource, MARK_WORKING, [worked.map(({ claim }) => claim.endpointId)]);
  }
}

/**
 * Stores results and updates their deliveries. A failure reported after its claim expired does not change the delivery.
 * A success always does, even if the delivery was dropped because its last attempt seemed to have no end.
 * @returns the updated deliveries
 */
async function recordResults(sql: SqlRunner, results: Result[]): Promise<Map<string, Moved>> {
  const lists = RESULTS.parameters(results, {
    deliveryId: ({ claim }) => claim.deliveryId,
    attempt: ({ claim }) => claim.attempt,
    accountId: ({ claim }) => claim.accountId,
    url: ({ claim }) => claim.url,
    durationMs: ({ outcome }) => outcome.durationMs,
    statusCode: ({ outcome }) => outcome.statusCode,
    errorClass: ({ outcome }) => outcome.errorClass,
    answerHead: ({ outcome }) => outcome.answer.subarray(0, ANSWER_HEAD_BYTES),
    startedAt: ({ claim }) => claim.startedAt,
    state: ({ next }) => next.state,
    delaySeconds: ({ next }) => (next.state === 'pending' ? next.delaySeconds : null),
  });
  const rows = await sql.queryPrepared<Moved>(RECORD_RESULTS, lists);
  const late = results
    .filter(({ claim, next }) => claim.attempt >= MAX_ATTEMPTS && next.state === 'delivered')
    .map(({ claim }) => claim);
  if (late.length > 0)
    await sql.queryPrepared(REVIVE, [late.map(({ deliveryId }) => deliveryId), late.map(({ accountId }) => accountId)]);
  return new Map(rows.map((moved) => [moved.id, moved]));
}
