/** Ended longer ago than an account's days. $1 account, $2 days */
const OLD = 'account_id = $1 AND NOT is_open AND completed_at < now() - make_interval(days => $2::int)';

/** Those of which something may be too old: nothing is kept for less than a day. $1 one account, or null for all */
export const FIND_ACCOUNTS = `
  SELECT DISTINCT account_id AS "accountId" FROM jobs
  WHERE NOT is_open AND completed_at < now() - interval '1 day' AND ($1::text IS NULL OR account_id = $1)
  ORDER BY account_id`;

/** A job's counts tell how many rows it has: duplicates have none. $1 account, $2 days */
export const COUNT_OLD_JOBS = `SELECT count(*)::int AS jobs, COALESCE(sum(total - duplicates), 0)::float8 AS recipients FROM jobs WHERE ${OLD}`;

/** The oldest, held by nobody else: who tries its failed recipients again has it first. $1 account, $2 days */
export const LOCK_OLDEST_JOB = `SELECT id FROM jobs WHERE ${OLD} ORDER BY id LIMIT 1 FOR UPDATE SKIP LOCKED`;

/** $1 account, $2 job */
export const DELETE_RECIPIENTS = `
  WITH gone AS (DELETE FROM recipients WHERE account_id = $1 AND job_id = $2 RETURNING 1) SELECT count(*)::int
    AS count FROM gone`;

/** $1 account, $2 job */
export const DELETE_JOB = 'DELETE FROM jobs WHERE account_id = $1 AND id = $2';
