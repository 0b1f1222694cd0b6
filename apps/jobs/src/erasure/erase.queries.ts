import { ERRORS } from '@switchboard/contracts';

/** Those of a person who still bear something personal. $1 account, $2 spellings of the number */
export const COUNT_PERSON =
  'SELECT count(*)::int AS count FROM recipients WHERE account_id = $1 AND phone = ANY ($2::text[])';

/** $1 account, $2 spellings, $3 most; the jobs to hold first, in the order in which all hold them */
export const LOCK_JOBS_OF_PERSON = `
  SELECT id FROM jobs WHERE account_id = $1
    AND id IN (SELECT DISTINCT job_id FROM (SELECT job_id FROM recipients WHERE account_id = $1
      AND phone = ANY ($2::text[]) LIMIT $3) AS found)
  ORDER BY id FOR UPDATE`;

/**
 * What is personal goes, the row stays to count; who was not handed over yet is not sent to any more.
 * $1 account, $2 spellings, $3 jobs; gives the number of rows
 */
export const ERASE_PERSON = `
  WITH person AS (
    SELECT job_id, position, status AS was FROM recipients WHERE account_id = $1 AND phone = ANY ($2::text[])
      AND job_id = ANY ($3::text[])
  ), erased AS (
    UPDATE recipients AS r
    SET phone = '', client_ref = NULL, components = NULL, upstream_id = NULL,
      error = CASE WHEN person.was = 'rejected' THEN
        -- It names the number that may have been meant.
        CASE r.error->>'code' WHEN 'INVALID_PHONE' THEN jsonb_set(r.error, '{message}',
          to_jsonb('${ERRORS.INVALID_PHONE.message}'::text)) ELSE r.error END
      END,
      status = CASE WHEN person.was = 'pending' THEN 'cancelled' ELSE person.was END,
      is_lost = r.is_lost OR person.was = 'pending', is_returned = false
    FROM person WHERE r.job_id = person.job_id AND r.position = person.position
    RETURNING r.job_id, person.was
  ), counted AS (
    UPDATE jobs SET pending = pending - delta.count, cancelled = cancelled + delta.count
    FROM (SELECT job_id, count(*)::int AS count FROM erased WHERE was = 'pending' GROUP BY job_id) AS delta
    WHERE jobs.account_id = $1 AND jobs.id = delta.job_id
  )
  SELECT count(*)::int AS count FROM erased`;
