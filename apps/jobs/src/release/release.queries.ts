import { batchOf, columnsOf } from '@switchboard/database';
import { recipientsWithinBytes } from '../recipients/job-recipients';
import { Recipient } from '../jobs/recipient.entity';

/** SQL condition on `jobs`: the job has several numbers, and this one is not stopped. */
const sendsFor = (number: string): string => `EXISTS (
  SELECT 1 FROM job_numbers WHERE job_id = jobs.id AND job_numbers.phone_number = ${number} AND stopped_reason IS NULL)`;

/**
 * SQL condition on `jobs`: the job runs, has pending recipients and does not wait for the end of quiet hours.
 * @param now the current time as SQL
 */
export const isReleasing = (now = 'now()'): string =>
  `is_open AND status = 'processing' AND pending > 0 AND (waiting_until IS NULL OR waiting_until <= ${now})`;

/** @param now the current time as SQL */
const hasWork = (isOfLane: string, now: string): string => `EXISTS (
  SELECT 1 FROM jobs WHERE ${isReleasing(now)} AND jobs.account_id = lanes.account_id AND ${isOfLane}
    AND (expire_at IS NULL OR expire_at > now()))`;

const sharedWork = (now: string): string =>
  hasWork(`jobs.phone_number IS NULL AND ${sendsFor('lanes.phone_number')}`, now);
/** SQL condition on `lanes`: a running job over several numbers has pending recipients that the number can send to. */
export const HAS_SHARED_WORK = sharedWork('now()');
/** SQL condition on `lanes`: a running job has pending recipients that the number can send to. $1 current time */
const HAS_WORK = `(${hasWork('jobs.phone_number = lanes.phone_number', '$1::timestamptz')}
  OR ${sharedWork('$1::timestamptz')})`;
const CAN_RELEASE = `(rest_until IS NULL OR rest_until <= clock_timestamp()) AND ${HAS_WORK}`;

/**
 * Returns the milliseconds until the next number with pending recipients is due, without a transaction. Returns no row
 * if there is none. $1 current time
 */
export const FIND_NEXT_LANE = `
  SELECT extract(epoch FROM next_round_at - clock_timestamp())::float8 * 1000 AS "dueInMs" FROM lanes
    WHERE ${CAN_RELEASE} ORDER BY next_round_at LIMIT 1`;

/** When the first rest of a number with pending recipients, or the first wait for quiet hours, ends. $1 current time */
export const NEXT_REST_END = `
  SELECT least(
    (SELECT min(rest_until) FROM lanes WHERE rest_until IS NOT NULL AND ${HAS_WORK}),
    (SELECT min(waiting_until) FROM jobs WHERE is_open AND status = 'processing' AND waiting_until > $1))`;

/**
 * Locks a number that no other process has locked. The lock is a lease for the duration of the transaction. It ends
 * with the process, or after ten seconds if the machine disappears. $1 current time
 */
export const TAKE_LANE = `
  WITH guard AS MATERIALIZED (SELECT set_config('idle_in_transaction_session_timeout', '10s', true) AS set)
  SELECT lanes.account_id AS "accountId", lanes.phone_number AS "phoneNumber", throughput, rate, carry, turn,
    extract(epoch FROM clock_timestamp() - round_at)::float8 * 1000 AS "elapsedMs",
    extract(epoch FROM clock_timestamp() - slowed_at)::float8 * 1000 AS "slowedMs"
  FROM lanes CROSS JOIN guard
  WHERE next_round_at <= clock_timestamp() AND ${CAN_RELEASE}
  ORDER BY next_round_at LIMIT 1
  FOR UPDATE OF lanes SKIP LOCKED`;

/**
 * Locks all open jobs of the number: releasing, waiting for results or expired. Excludes held jobs, which may be many
 * and have never started. $1 account, $2 number
 */
export const LOCK_JOBS_OF_LANE = `
  SELECT id, CASE WHEN expire_at <= now() THEN 'expired' ELSE status END AS status, pending, released,
    phone_number IS NULL AS "isShared", template IS NOT NULL AS "isTemplate", quiet_hours AS "quietHours",
    waiting_until AS "waitingUntil" FROM jobs
  WHERE is_open AND account_id = $1 AND (phone_number = $2 OR phone_number IS NULL AND ${sendsFor('$2')})
    AND pause_reason IS DISTINCT FROM 'HELD'
  ORDER BY id FOR UPDATE`;

/**
 * Returns the sending numbers of jobs with several numbers. The caller has locked the jobs, so the counts are current.
 * $1 account, $2 jobs
 */
export const FIND_SPREADS = `
  SELECT job_id AS "jobId", n.phone_number AS "phoneNumber", taken, released, throughput, portfolio,
    messaging_limit AS "messagingLimit", left_today AS "leftToday", released_since AS "releasedSince"
  FROM job_numbers AS n JOIN lanes ON lanes.account_id = n.account_id AND lanes.phone_number = n.phone_number
  WHERE n.account_id = $1 AND job_id = ANY ($2::text[]) AND stopped_reason IS NULL
  ORDER BY job_id, position`;

/**
 * Returns the message of a job. A message can have 112 KB, so it is read only for the jobs of the current round.
 * $1 account, $2 job
 */
export const FIND_MESSAGE = `SELECT message, max_spend AS "maxSpend" FROM jobs WHERE account_id = $1 AND id = $2`;

/**
 * Finds pending recipients in order, starting with those that were returned. Skips a recipient that another number must
 * send to, as long as that number is not stopped.
 * $1 job, $2 maximum, $3 maximum size of their components, $4 number
 */
export const FIND_PENDING = pendingSql({
  isAllowed: '',
  fresh: `
    SELECT position FROM recipients
    WHERE job_id = $1 AND position >= (SELECT released_to FROM jobs WHERE id = $1) AND status = 'pending'
      AND NOT is_returned
    ORDER BY position LIMIT $2`,
});

/** Finds the pending recipients of regions without quiet hours, like `FIND_PENDING`. $5 these regions */
export const FIND_PENDING_IN_REGIONS = pendingSql({
  isAllowed: 'AND (region IS NULL OR region = ANY ($5::text[]))',
  fresh: `
    SELECT first.position FROM unnest($5::text[]) AS allowed (region) CROSS JOIN LATERAL (
      SELECT position FROM recipients
      WHERE job_id = $1 AND recipients.region = allowed.region AND is_waiting AND status = 'pending' AND NOT is_returned
      ORDER BY position LIMIT $2
    ) AS first
    ORDER BY position LIMIT $2`,
});

function pendingSql({ isAllowed, fresh }: { isAllowed: string; fresh: string }): string {
  return `
  WITH returned AS (
    SELECT position FROM recipients
    WHERE job_id = $1 AND is_returned AND status = 'pending' AND (not_before IS NULL OR not_before <= now()) ${isAllowed}
      AND (business_number IS NULL OR business_number = $4 OR NOT EXISTS (
        SELECT 1 FROM job_numbers AS n WHERE n.job_id = $1 AND n.phone_number = business_number
          AND stopped_reason IS NULL))
    ORDER BY position LIMIT $2
  ), fresh AS (${fresh}
  ), next AS (
    SELECT position, 0 AS turn FROM returned UNION ALL SELECT position, 1 FROM fresh ORDER BY turn, position LIMIT $2
  )
  ${recipientsWithinBytes('next', '$3')}`;
}

/**
 * Returns the recipients of jobs with quiet hours that are not released, by region: those that were never released, and
 * those that returned. $1 account, $2 jobs
 */
export const FIND_REGIONS_OF_JOBS = `
  SELECT job_id AS "jobId", region, pending FROM job_regions
  WHERE account_id = $1 AND job_id = ANY ($2::text[]) AND pending > 0
  UNION ALL
  SELECT job_id, COALESCE(region, ''), count(*)::int FROM recipients
  WHERE account_id = $1 AND job_id = ANY ($2::text[]) AND is_returned AND status = 'pending'
  GROUP BY job_id, region`;

/** Marks a job whose remaining recipients all wait, so that no process considers it. $1 account, $2 job, $3 until */
export const WAIT_UNTIL = 'UPDATE jobs SET waiting_until = $3 WHERE account_id = $1 AND id = $2';

/** Parameters of `RELEASE_RECIPIENTS`, with message ids. */
export const RELEASED = batchOf(columnsOf(Recipient, ['position', 'messageId']), { from: 5 });

/**
 * $1 account, $2 job, $3 position below which all recipients have been released, $4 number if the job has several, then
 * `RELEASED`
 */
export const RELEASE_RECIPIENTS = `
  WITH released AS (
    UPDATE recipients AS r SET status = 'released', message_id = next.message_id, released_at = now(),
      releases = least(r.releases + 1, 1000), is_returned = false, not_before = NULL,
      is_waiting = false, business_number = $4
    FROM ${RELEASED.unnest('next')}
    -- The positions appear twice: with a join alone, the server may scan a job that it believes to be small.
    WHERE r.job_id = $2 AND r.position = ANY (${RELEASED.list('position')}) AND r.position = next.position
    RETURNING 1
  )
  UPDATE jobs SET pending = pending - counted.count, released = released + counted.count,
    released_to = greatest(released_to, $3::int)
  FROM (SELECT count(*)::int AS count FROM released) AS counted
  WHERE account_id = $1 AND id = $2`;

/** $1 account, $2 job, $3 number, $4 released recipients */
export const COUNT_TAKEN = `
  UPDATE job_numbers SET taken = taken + $4::int, released = released + $4::int
  WHERE account_id = $1 AND job_id = $2 AND phone_number = $3`;

/** `turn` is the job that was served first in this round. */
export const END_ROUND = `
  UPDATE lanes SET rate = :rate, carry = :carry, turn = :turn, released_since = released_since + :released, round_at = clock_timestamp(),
    next_round_at = clock_timestamp() + :pauseMs::int * interval '1 millisecond'
  WHERE account_id = :accountId AND phone_number = :phoneNumber`;
