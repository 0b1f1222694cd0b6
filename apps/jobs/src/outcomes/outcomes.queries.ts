import { batchOf, columnsOf } from '@switchboard/database';
import { NUMBER_STOP_REASONS } from '@switchboard/contracts';
import { Recipient } from '../jobs/recipient.entity';
import { COUNTED_STATES, rankSql } from '../recipients/recipient-states';

/** Locks the jobs whose recipients change, in a fixed order, so that all changes are serialised. $1 jobs */
export const LOCK_JOBS = 'SELECT id FROM jobs WHERE id = ANY ($1::text[]) ORDER BY id FOR UPDATE';

/** Number of outcomes stored per job. */
export const RECENT_OUTCOMES = 200;

const FURTHER = `change.state IS NOT NULL AND ${rankSql('change.state')} > ${rankSql('r.status')}`;
const RETURNED = "change.state IS NULL AND r.status IN ('released', 'unknown')";
const deltas = COUNTED_STATES.map(
  (state) =>
    `count(*) FILTER (WHERE now = '${state}')::int - count(*) FILTER (WHERE was = '${state}')::int AS ${state}`,
);

/** Parameters of `MOVE_RECIPIENTS`. */
export const CHANGES = batchOf({
  ...columnsOf(Recipient, [
    'jobId',
    'position',
    'messageId',
    'upstreamId',
    'error',
    'acceptedAt',
    'sentAt',
    'deliveredAt',
    'readAt',
    'failedAt',
    'businessNumber',
  ]),
  state: 'text',
  restMs: 'int',
});

/**
 * Moves recipients to a later state, or back to pending if their message was not sent, and updates the counts of their
 * jobs. Idempotent.
 */
export const MOVE_RECIPIENTS = `
  WITH change AS (
    SELECT * FROM ${CHANGES.unnest('given')}
  ), found AS (
    SELECT r.job_id, r.position, r.status AS was, change.error, change.rest_ms, change.upstream_id,
      change.accepted_at, change.sent_at, change.delivered_at, change.read_at, change.failed_at,
      r.business_number AS was_number, change.business_number AS given_number,
      CASE WHEN ${FURTHER} THEN change.state WHEN ${RETURNED} THEN CASE r.phone WHEN '' THEN 'cancelled'
        ELSE 'pending' END ELSE r.status END AS now
    FROM change JOIN recipients AS r ON r.job_id = change.job_id AND r.position = change.position
      AND r.message_id = change.message_id
  ), moved AS (
    UPDATE recipients AS r
    SET status = found.now,
      is_returned = CASE WHEN found.was = found.now THEN r.is_returned ELSE found.now = 'pending' END,
      is_lost = found.now IN ('failed', 'cancelled'),
      not_before = CASE WHEN found.now = 'pending'
        AND found.rest_ms > 0 THEN now() + found.rest_ms * interval '1 millisecond' ELSE r.not_before END,
      released_at = CASE WHEN found.now = 'unknown' THEN now() ELSE r.released_at END,
      upstream_id = CASE r.phone WHEN '' THEN NULL ELSE COALESCE(r.upstream_id, found.upstream_id) END,
      error = CASE WHEN found.now <> 'failed' OR r.phone = '' THEN NULL
        WHEN found.was <> 'failed' THEN found.error ELSE r.error END,
      -- Any number of the job may send to a recipient that is pending again, unless messaging requires one.
      business_number = CASE WHEN found.now = 'pending' AND found.was <> 'pending' THEN found.given_number
        ELSE COALESCE(found.given_number, r.business_number) END,
      -- A callback may report a message before the call that sent it has returned.
      accepted_at = LEAST(COALESCE(r.accepted_at, found.accepted_at), COALESCE(r.sent_at, found.sent_at)),
      sent_at = COALESCE(r.sent_at, found.sent_at),
      delivered_at = COALESCE(r.delivered_at, found.delivered_at),
      read_at = COALESCE(r.read_at, found.read_at),
      failed_at = CASE WHEN found.now = 'failed' THEN COALESCE(r.failed_at, found.failed_at) END
    FROM found WHERE r.job_id = found.job_id AND r.position = found.position
    RETURNING r.job_id, found.was, found.now, found.was_number, r.business_number AS now_number,
      CASE WHEN found.was = found.now THEN ''
           WHEN found.now = 'failed' THEN CASE WHEN r.error->>'category' = 'optout' THEN '' ELSE '1' END
           WHEN found.was IN ('pending', 'released', 'unknown')
             AND found.now NOT IN ('pending', 'unknown', 'cancelled') THEN '0'
           ELSE '' END AS outcome
  ), delta AS (
    SELECT job_id, string_agg(outcome, '') AS outcomes, ${deltas.join(', ')} FROM moved WHERE was <> now GROUP BY job_id
  ), number_delta AS (
    SELECT job_id, number, sum(step)::int AS taken, sum(step) FILTER (WHERE status = 'released')::int AS released,
      sum(step) FILTER (WHERE status = 'failed')::int AS failed
    FROM (
      SELECT job_id, was_number AS number, was AS status, -1 AS step FROM moved
      UNION ALL
      SELECT job_id, now_number, now, 1 FROM moved
    ) AS steps
    WHERE number IS NOT NULL AND status <> 'pending'
    GROUP BY job_id, number
  ), counted AS (
    UPDATE job_numbers AS n SET taken = n.taken + number_delta.taken,
      released = n.released + COALESCE(number_delta.released, 0), failed = n.failed + COALESCE(number_delta.failed, 0)
    FROM number_delta WHERE n.job_id = number_delta.job_id AND n.phone_number = number_delta.number
  )
  UPDATE jobs SET ${COUNTED_STATES.map((state) => `${state} = jobs.${state} + delta.${state}`).join(', ')},
    recent = right(jobs.recent || delta.outcomes, ${RECENT_OUTCOMES}),
    -- The next round checks the quiet hours of returned recipients.
    waiting_until = CASE WHEN delta.pending > 0 THEN NULL ELSE jobs.waiting_until END
  FROM delta WHERE jobs.id = delta.job_id`;

/** Messages whose number has stopped sending for the job, with the number unless an earlier version held them. */
export const HELD = batchOf({
  ...columnsOf(Recipient, ['jobId', 'position', 'messageId', 'businessNumber']),
  reason: 'text',
});

/**
 * Stops the numbers that were to send these messages, for their jobs that have several. If the outcome arrives late,
 * another number may already be sending the message.
 */
export const STOP_NUMBERS = `
  UPDATE job_numbers AS n SET stopped_reason = held.reason
  FROM ${HELD.unnest('held')} JOIN recipients AS r ON r.job_id = held.job_id AND r.position = held.position
    AND r.message_id = held.message_id AND r.status = 'released'
  WHERE n.job_id = r.job_id AND n.phone_number = COALESCE(held.business_number, r.business_number)
    AND n.stopped_reason IS NULL`;

/**
 * Pauses jobs that must not continue and returns them. Excludes jobs that have another number to continue with.
 * $1 jobs, $2 their reasons
 */
export const PAUSE_HELD_JOBS = `
  UPDATE jobs SET status = 'paused', paused_at = now(), pause_reason = held.reason
  FROM unnest($1::text[], $2::text[]) AS held (id, reason)
  WHERE jobs.id = held.id AND jobs.status = 'processing'
    AND (NOT held.reason = ANY ('{${NUMBER_STOP_REASONS.join(',')}}')
      OR NOT EXISTS (SELECT 1 FROM job_numbers WHERE job_id = jobs.id AND stopped_reason IS NULL))
  RETURNING jobs.account_id AS "accountId", jobs.id AS "jobId", jobs.name, jobs.pause_reason AS reason, jobs.paused_at AS "pausedAt"`;

/** Pauses jobs with too many failures and returns them. $1 jobs, $2 maximum failures among the last outcomes */
export const PAUSE_FAILING_JOBS = `
  UPDATE jobs SET status = 'paused', paused_at = now(), pause_reason = 'TOO_MANY_FAILURES'
  WHERE id = ANY ($1::text[]) AND status = 'processing' AND length(recent) = ${RECENT_OUTCOMES} AND length(replace(recent, '0', '')) > $2::int
    AND pending > 0
  RETURNING account_id AS "accountId", id AS "jobId", name, pause_reason AS reason, paused_at AS "pausedAt"`;

/** Closes jobs that have no recipients left and returns them. $1 jobs */
export const FINISH_JOBS = `
  UPDATE jobs SET status = CASE WHEN status IN ('processing', 'paused') THEN 'completed' ELSE status END,
    completed_at = COALESCE(completed_at, now()), pause_reason = NULL, is_open = false
  WHERE id = ANY ($1::text[]) AND is_open AND status <> 'queued' AND pending + released + unknown = 0
  RETURNING account_id AS "accountId", id AS "jobId", name, status, total, failed, completed_at AS "completedAt"`;

/**
 * Halves the rate immediately, but only once for messages that were in flight together. The rate recovers later.
 * $1 job, $2 pause in ms, $3 positions and $4 ids of the messages, which name the number of a job that has several
 */
export const SLOW_LANE = `
  UPDATE lanes SET
    rate = CASE WHEN slowed_at > now() - interval '1 second' THEN rate ELSE greatest(rate / 2, 1) END,
    slowed_at = CASE WHEN slowed_at > now() - interval '1 second' THEN slowed_at ELSE now() END,
    carry = 0,
    rest_until = greatest(rest_until, now() + least($2::int, 60000) * interval '1 millisecond')
  FROM jobs WHERE jobs.id = $1 AND lanes.account_id = jobs.account_id
    AND (lanes.phone_number = jobs.phone_number OR jobs.phone_number IS NULL AND lanes.phone_number IN (
      SELECT business_number FROM recipients WHERE job_id = $1 AND position = ANY ($3::int[])
        AND message_id = ANY ($4::text[]) AND status = 'released'))`;
