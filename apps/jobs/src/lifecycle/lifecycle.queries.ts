import { batchOf, columnsOf } from '@switchboard/database';
import { JOB_COLUMNS } from '../jobs/jobs.queries';
import { recipientsWithinBytes } from '../recipients/job-recipients';
import { Recipient } from '../jobs/recipient.entity';
import { isReleasing } from '../release/release.queries';

/** Finds due jobs. A job without a schedule was checked when it was created; a scheduled job must be checked again. */
export const FIND_DUE_JOBS = `
  SELECT account_id AS "accountId", id AS "jobId", message, max_spend AS "maxSpend", scheduled_at IS NOT NULL AS "isScheduled",
    ARRAY(SELECT phone_number FROM job_numbers WHERE job_id = id ORDER BY position) AS numbers FROM jobs
  WHERE is_open AND status = 'queued' AND (scheduled_at IS NULL OR scheduled_at <= now())
  ORDER BY id LIMIT 100`;

/** When the next job is due. */
export const NEXT_DUE_JOB = `
  SELECT min(coalesce(scheduled_at, created_at)) FROM jobs WHERE is_open AND status = 'queued'`;

/**
 * Finds jobs that release recipients and have stopped numbers, and returns their stopped and their sending numbers.
 * $1 job to start after, $2 maximum
 */
export const FIND_STOPPED_NUMBERS = `
  SELECT account_id AS "accountId", id AS "jobId", message, stopped.numbers AS stopped,
    ARRAY(SELECT phone_number FROM job_numbers WHERE job_id = id AND stopped_reason IS NULL ORDER BY position) AS sending
  FROM jobs CROSS JOIN LATERAL (
    SELECT array_agg(phone_number) AS numbers FROM job_numbers WHERE job_id = id AND stopped_reason IS NOT NULL
  ) AS stopped
  WHERE ${isReleasing()} AND phone_number IS NULL AND stopped.numbers IS NOT NULL AND id > $1
  ORDER BY id LIMIT $2`;

/** $1 account, $2 job */
export const START_JOB = `
  UPDATE jobs SET status = 'processing', started_at = COALESCE(started_at, now())
  WHERE account_id = $1 AND id = $2 AND status = 'queued'`;

/** $1 account, $2 job, $3 reason */
export const PAUSE_DUE_JOB = `
  UPDATE jobs SET status = 'paused', paused_at = now(), pause_reason = $3
  WHERE account_id = $1 AND id = $2 AND status = 'queued' RETURNING paused_at AS "pausedAt", name`;

/** $1 account, $2 job, $3 error */
export const FAIL_DUE_JOB = `
  UPDATE jobs SET status = 'failed', error = $3::jsonb, completed_at = now() WHERE account_id = $1 AND id = $2
    AND status = 'queued'
  RETURNING ${JOB_COLUMNS}`;

/** Cancels jobs that are still on hold some days after their creation. $1 days */
export const CANCEL_FORGOTTEN = `
  UPDATE jobs SET status = 'cancelled', pause_reason = NULL, completed_at = now()
  FROM (
    SELECT id FROM jobs WHERE is_open AND status = 'paused' AND pause_reason = 'HELD'
      AND created_at < now() - make_interval(days => $1::int)
    ORDER BY id LIMIT 100 FOR UPDATE SKIP LOCKED
  ) AS forgotten
  WHERE jobs.id = forgotten.id
  RETURNING account_id AS "accountId", jobs.id AS "jobId", jobs.name, status, total, failed, completed_at AS "completedAt"`;

/** Finds jobs whose pending recipients will get no message. */
export const FIND_CLOSING_JOBS = `
  SELECT account_id AS "accountId", id AS "jobId" FROM jobs
  WHERE is_open AND pending > 0 AND (status IN ('cancelled', 'failed') OR (status = 'processing'
    AND expire_at <= now()))
  ORDER BY id LIMIT 20`;

/** When the next running job expires. */
export const NEXT_EXPIRY = `
  SELECT min(expire_at) FROM jobs WHERE is_open AND pending > 0 AND status = 'processing'`;

/** Returns no row if the job has changed meanwhile. $1 account, $2 job */
export const LOCK_CLOSING_JOB = `
  SELECT status, error, message FROM jobs
  WHERE account_id = $1 AND id = $2 AND pending > 0 AND (status IN ('cancelled', 'failed') OR (status = 'processing'
    AND expire_at <= now()))
  FOR UPDATE`;

/**
 * Finds recipients of a closed job that will get no message. $1 job, $2 maximum, $3 maximum size of their components
 */
export const FIND_UNREACHED = `
  WITH waiting AS (
    (SELECT position FROM recipients WHERE job_id = $1 AND is_returned AND status = 'pending' ORDER BY position
      LIMIT $2)
    UNION
    (SELECT position FROM recipients WHERE job_id = $1 AND position >= (SELECT released_to FROM jobs WHERE id = $1)
      AND status = 'pending' AND NOT is_returned
     ORDER BY position LIMIT $2)
    UNION
    (SELECT position FROM recipients WHERE job_id = $1 AND is_waiting AND status = 'pending'
     ORDER BY region, position LIMIT $2)
  )
  ${recipientsWithinBytes('waiting', '$3')}`;

/** Parameters of `CLOSE_RECIPIENTS`, with message ids or null. */
export const CLOSED = batchOf(columnsOf(Recipient, ['position', 'messageId']), { from: 6 });

/**
 * $1 account, $2 job, $3 status, $4 error, $5 position below which all recipients have been released once, then
 * `CLOSED`
 */
export const CLOSE_RECIPIENTS = `
  WITH closed AS (
    UPDATE recipients AS r SET status = $3, error = $4::jsonb, is_lost = true, is_returned = false,
      is_waiting = false, message_id = next.message_id,
      failed_at = CASE WHEN $3 = 'failed' THEN now() END
    FROM ${CLOSED.unnest('next')}
    WHERE r.job_id = $2 AND r.position = next.position
    RETURNING 1
  )
  UPDATE jobs SET pending = pending - counted.count,
    failed = failed + CASE WHEN $3 = 'failed' THEN counted.count ELSE 0 END,
    cancelled = cancelled + CASE WHEN $3 = 'cancelled' THEN counted.count ELSE 0 END,
    released_to = greatest(released_to, $5::int)
  FROM (SELECT count(*)::int AS count FROM closed) AS counted
  WHERE account_id = $1 AND id = $2`;

/** Finds jobs with released recipients that have no result. */
export const FIND_WAITING_JOBS = `
  SELECT account_id AS "accountId", id AS "jobId" FROM jobs WHERE is_open AND released + unknown > 0 ORDER BY id
    LIMIT 500`;

/**
 * Advances the position below which no recipient is pending, so that the next check starts there.
 * $1 account, $2 job
 */
export const ADVANCE_SETTLED = `
  UPDATE jobs SET settled_to = COALESCE((
    SELECT min(position) FROM recipients AS r
    WHERE r.job_id = $2 AND r.position >= jobs.settled_to AND r.position < jobs.released_to
      AND r.status IN ('pending', 'released', 'unknown')
  ), jobs.released_to)
  WHERE account_id = $1 AND id = $2`;

/**
 * Finds recipients whose result is overdue. The grace period grows with the number of releases.
 * $1 account, $2 job, $3 grace in seconds, $4 maximum
 */
export const FIND_OVERDUE = `
  SELECT r.message_id AS "messageId" FROM jobs JOIN recipients AS r ON r.job_id = jobs.id
  WHERE jobs.account_id = $1 AND jobs.id = $2 AND r.position >= jobs.settled_to AND r.position < jobs.released_to
    AND r.status IN ('released', 'unknown') AND r.released_at < now() - $3::int * power(2, least(r.releases - 1,
      5)) * interval '1 second'
  ORDER BY r.position LIMIT $4`;
