/** Maximum duration of one estimate. If its process dies, another one repeats the estimate. */
const CLAIM = '1 minute';
/** Time after which a job remains without an estimate. */
const GIVE_UP = '1 hour';

/** Claims the job whose estimate has been due for the longest. A locked job is due again with the next tick. */
export const CLAIM_ESTIMATE = `
  UPDATE jobs SET estimate_after = now() + interval '${CLAIM}'
  WHERE (account_id, id) = (
    SELECT account_id, id FROM jobs WHERE estimate_after <= now() ORDER BY estimate_after LIMIT 1
    FOR UPDATE SKIP LOCKED
  )
  RETURNING account_id AS "accountId", id AS "jobId", message->>'from' AS "from", template_category AS category,
    max_spend IS NOT NULL AS "isCapped", scheduled_at AS "scheduledAt", created_at AS "createdAt",
    created_at < now() - interval '${GIVE_UP}' AS "isTooOld",
    ARRAY(SELECT phone_number FROM job_numbers WHERE job_id = id ORDER BY position) AS numbers`;

/** When the next estimate is due. */
export const NEXT_ESTIMATE = 'SELECT min(estimate_after) FROM jobs WHERE estimate_after IS NOT NULL';

/** Returns the accepted recipients, in any state. $1 account, $2 job, $3 last position before them, $4 maximum */
export const READ_ESTIMATED = `
  SELECT position, phone FROM recipients
  WHERE account_id = $1 AND job_id = $2 AND position > $3 AND status <> 'rejected' AND phone <> ''
  ORDER BY position LIMIT $4`;

/** Stores the estimate, or null. Does not replace an existing estimate. $1 account, $2 job, $3 estimate or null */
export const STORE_ESTIMATE = `
  UPDATE jobs SET estimate = COALESCE(estimate, $3::jsonb), estimate_after = NULL
  WHERE account_id = $1 AND id = $2 AND estimate_after IS NOT NULL`;
