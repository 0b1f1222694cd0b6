import { ERRORS, LABELS } from '@switchboard/contracts';
import { columnsOf, boundedCount, boundedScan, type BoundedScan, type Place, selectList } from '@switchboard/database';
import { Recipient } from './recipient.entity';

/** Columns of a job in the API's format, with times as the driver returns them. */
export const JOB_COLUMNS = `
  id AS "jobId", name, type, status, template, total, pending + released + unknown AS pending, accepted, sent, delivered, read, failed, cancelled, rejected, duplicates,
  pause_reason AS "pauseReason", error, phone_number AS "from",
  COALESCE((SELECT json_agg(json_build_object('phoneNumber', job_numbers.phone_number, 'stoppedReason', stopped_reason,
      'recipients', taken, 'failed', job_numbers.failed) ORDER BY position) FROM job_numbers WHERE job_id = id),
    json_build_array(json_build_object('phoneNumber', phone_number, 'stoppedReason', NULL,
      'recipients', released + unknown + accepted + sent + delivered + read + failed, 'failed', failed))) AS numbers,
  retry_of AS "retryOf", created_at AS "createdAt", scheduled_at AS "scheduledAt",
  started_at AS "startedAt", completed_at AS "completedAt", expire_at AS "expireAt",
  sheet, COALESCE(warnings, '[]') AS warnings, max_spend AS "maxSpend", estimate,
  quiet_hours AS "quietHours"`;

/** $1 account, $2 job */
export const GET_JOB = `SELECT ${JOB_COLUMNS} FROM jobs WHERE account_id = $1 AND id = $2`;

/**
 * Returns the limits of a job's numbers. The remaining messaging limit is known only while a job over several numbers
 * runs. $1 account, $2 job
 */
export const FIND_LIMITS = `
  SELECT lanes.phone_number AS "phoneNumber", throughput, portfolio, messaging_limit AS "messagingLimit",
    CASE WHEN limits_at > now() - interval '1 minute' THEN left_today END AS "leftToday",
    released_since AS "releasedSince"
  FROM jobs JOIN lanes ON lanes.account_id = jobs.account_id AND (lanes.phone_number = jobs.phone_number
    OR jobs.phone_number IS NULL AND EXISTS (SELECT 1 FROM job_numbers WHERE job_id = jobs.id
      AND job_numbers.phone_number = lanes.phone_number AND stopped_reason IS NULL))
  WHERE jobs.account_id = $1 AND jobs.id = $2`;

/** SQL condition: the job was created in a month. $4 first id of the month or null, $5 first id after it */
const OF_MONTH = '($4::text IS NULL OR id >= $4 AND id < $5::text)';

/**
 * Newest first, because ids contain the time.
 * $1 account, $2 status, $3 exclusive upper bound of the ids, then `OF_MONTH`
 */
const JOBS: BoundedScan = {
  rows: `SELECT * FROM jobs WHERE account_id = $1 AND ($2::text IS NULL OR status = $2)
    AND ($3::text IS NULL OR id < $3) AND ${OF_MONTH}`,
  order: 'id DESC',
  key: 'id',
};

/** $6 part of the job's name, or of the template's name, where blanks, hyphens and underscores do not count */
const NAMED_JOBS: BoundedScan = {
  ...JOBS,
  matches: `(strpos(lower(name), lower($6)) > 0
    OR strpos(replace(lower(template), '_', ''), NULLIF(translate(lower($6), '_- ', ''), '')) > 0)`,
};

/** The parameters are those of the list. */
export const listJobsSql = (place: Pick<Place, 'offset' | 'take'>, { isNamed = false } = {}): string =>
  boundedScan(isNamed ? NAMED_JOBS : JOBS, { ...place, columns: JOB_COLUMNS });

/** Counts the jobs of a search by name, as far as one bounded scan reaches. The parameters are those of the list. */
export const countNamedJobsSql = (most: number): string => boundedCount(NAMED_JOBS, most);

/** $1 account, $2 status, $3 maximum, then `OF_MONTH` */
export const COUNT_JOBS = `
  SELECT count(*)::int AS total FROM (SELECT 1 FROM jobs WHERE account_id = $1 AND ($2::text IS NULL OR status = $2)
    AND ${OF_MONTH} LIMIT $3) AS counted`;

/** Sums the stored estimates of a month. $1 account, $2 first id of the month, $3 first id after it, $4 currency */
export const SUM_ESTIMATES = `
  SELECT count(*) FILTER (WHERE is_known)::int AS jobs, count(*) FILTER (WHERE NOT is_known)::int AS "withoutEstimate",
    sum((estimate->>'lowest')::numeric) FILTER (WHERE is_known)::text AS lowest,
    sum((estimate->>'highest')::numeric) FILTER (WHERE is_known)::text AS highest,
    COALESCE(sum((estimate->>'unrated')::bigint) FILTER (WHERE is_known), 0)::float8 AS unrated,
    COALESCE(sum((estimate->>'messages')::bigint) FILTER (WHERE is_known), 0)::float8 AS messages
  FROM (
    SELECT estimate, COALESCE(estimate->>'currency' = $4, false) AS is_known FROM jobs
    WHERE account_id = $1 AND id >= $2 AND id < $3
  ) AS each`;

/**
 * Recipients that have not been released, and recipients that returned, by region. A region may be in both.
 * $1 account, $2 job
 */
export const FIND_REGIONS = `
  SELECT region, pending FROM job_regions WHERE account_id = $1 AND job_id = $2 AND pending > 0
  UNION ALL
  SELECT COALESCE(region, ''), count(*)::int FROM recipients
    WHERE account_id = $1 AND job_id = $2 AND is_returned AND status = 'pending' GROUP BY region`;

/** Locks a job. Every change of a job or its recipients requires this lock. $1 account, $2 job */
export const LOCK_JOB = `
  SELECT id, name, type, status, message, max_spend AS "maxSpend", quiet_hours AS "quietHours", scheduled_at AS "scheduledAt", started_at AS "startedAt", total, failed,
    ARRAY(SELECT phone_number FROM job_numbers WHERE job_id = id ORDER BY position) AS numbers FROM jobs
  WHERE account_id = $1 AND id = $2 FOR UPDATE`;

/**
 * An unscheduled job starts immediately, so it counts as started even before a process has handled it.
 * $1 account, $2 job, $3 reason
 */
export const PAUSE_JOB = `
  UPDATE jobs SET status = 'paused', paused_at = now(), pause_reason = $3,
    started_at = CASE WHEN scheduled_at IS NULL THEN COALESCE(started_at, now()) ELSE started_at END
  WHERE account_id = $1 AND id = $2 RETURNING paused_at AS "pausedAt", name`;

/**
 * A job that has not started will start when it is due. Paused time does not count towards the expiry.
 * $1 account, $2 job, $3 new spend cap or null
 */
export const RESUME_JOB = `
  UPDATE jobs SET status = CASE WHEN started_at IS NULL THEN 'queued' ELSE 'processing'
    END, pause_reason = NULL, recent = '',
    expire_at = expire_at + (now() - COALESCE(paused_at, now())), paused_at = NULL,
    max_spend = COALESCE($3::jsonb, max_spend)
  WHERE account_id = $1 AND id = $2 AND status = 'paused'`;

/** Finds the next recipients to be sent to. $1 account, $2 job, $3 maximum */
export const NEXT_RECIPIENTS = `
  SELECT phone FROM recipients
  WHERE account_id = $1 AND job_id = $2 AND status = 'pending' AND phone <> ''
    AND position >= (SELECT settled_to FROM jobs WHERE account_id = $1 AND id = $2)
  ORDER BY position LIMIT $3`;

/** Numbers of a job and why they cannot send. Null for those that can. $1 account, $2 job, $3 numbers, $4 reasons */
export const SET_NUMBERS = `
  UPDATE job_numbers AS n SET stopped_reason = given.reason
  FROM unnest($3::text[], $4::text[]) AS given (number, reason)
  WHERE n.account_id = $1 AND job_id = $2 AND phone_number = given.number AND stopped_reason IS DISTINCT FROM given.reason`;

/** $1 account, $2 job */
export const CANCEL_JOB = `
  UPDATE jobs SET status = 'cancelled', pause_reason = NULL, completed_at = now() WHERE account_id = $1 AND id = $2
    RETURNING completed_at AS "completedAt", name`;

/** $1 account, $2 job, $3 name or null */
export const RENAME_JOB = 'UPDATE jobs SET name = $3 WHERE account_id = $1 AND id = $2 RETURNING id';

/**
 * Pauses jobs in the common lock order and returns them. Excludes jobs with several numbers: the template may belong to
 * one of several business accounts, so only the numbers whose messages are held stop.
 * $1 account, $2 template, $3 language
 */
export const PAUSE_JOBS_OF_TEMPLATE = `
  UPDATE jobs SET status = 'paused', paused_at = now(), pause_reason = 'TEMPLATE_NOT_APPROVED'
  FROM (
    SELECT id FROM jobs WHERE is_open AND account_id = $1 AND template = $2 AND template_language = $3
      AND status = 'processing' AND phone_number IS NOT NULL ORDER BY id FOR UPDATE
  ) AS held
  WHERE jobs.account_id = $1 AND jobs.id = held.id
  RETURNING jobs.account_id AS "accountId", jobs.id AS "jobId", jobs.name, jobs.pause_reason AS reason,
    jobs.paused_at AS "pausedAt"`;

const RECIPIENT_ORDER = {
  order: 'position',
  key: 'position',
  matches: '$4::text[] IS NULL OR status = ANY ($4)',
};

/**
 * Recipients in input order. There is no index by status, except for failed, rejected and cancelled recipients
 * (`isLost`); others are found by a scan.
 * $1 account, $2 job, $3 exclusive lower bound of the position, $4 statuses or null
 */
const recipientsOf = (isLost: boolean): BoundedScan => ({
  rows: `SELECT * FROM recipients WHERE account_id = $1 AND job_id = $2 AND position > $3${isLost ? ' AND is_lost' : ''}`,
  ...RECIPIENT_ORDER,
});

/**
 * Recipients of one number. `OFFSET 0` forces the planner to use the number's index instead of scanning the job. The
 * parameters are those of `recipientsOf`, plus $5 formats of the number.
 */
export const RECIPIENTS_OF_PHONE: BoundedScan = {
  rows: `SELECT * FROM (SELECT * FROM recipients WHERE account_id = $1 AND job_id = $2 AND phone = ANY ($5::text[])
    OFFSET 0) AS of_phone WHERE position > $3`,
  ...RECIPIENT_ORDER,
};

const SHOWN = columnsOf(Recipient, [
  'upstreamId',
  'error',
  'acceptedAt',
  'sentAt',
  'deliveredAt',
  'readAt',
  'failedAt',
  'businessNumber',
  ...LABELS,
]);

/**
 * The phone is null if none was given or the contact was erased. Erasing shortens the message of a rejected row
 * (erase.controller.ts).
 */
const RECIPIENT = `
  position AS index, CASE WHEN phone <> '' THEN phone WHEN status = 'rejected' AND error->>'code' = 'INVALID_PHONE'
    AND error->>'message' <> '${ERRORS.INVALID_PHONE.message}' THEN '' END AS phone, status, message_id AS id, ${selectList(SHOWN)}`;

/** The parameters are those of the list. */
export function listRecipientsSql(
  { isLost, isOfPhone, withValues = false }: { isLost: boolean; isOfPhone: boolean; withValues?: boolean },
  place: Pick<Place, 'offset' | 'take'>,
): string {
  return boundedScan(isOfPhone ? RECIPIENTS_OF_PHONE : recipientsOf(isLost), {
    ...place,
    columns: withValues ? `${RECIPIENT}, components` : RECIPIENT,
  });
}
