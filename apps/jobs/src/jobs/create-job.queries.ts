/**
 * $1 account, $2 job, $3 type, $4 template, $5 its language, $6 message, $7 number, $8 scheduled at, $9 the job it
 * retries, $10 when it expires, $11 whether it waits to be resumed; no row when the job is there
 */
export const INSERT_JOB = `
  INSERT INTO jobs (account_id, id, type, status, template, template_language, message, phone_number, scheduled_at,
    retry_of, expire_at, total, pause_reason, paused_at)
  VALUES ($1, $2, $3, CASE WHEN $11::boolean THEN 'paused' ELSE 'queued' END, $4, $5, $6::jsonb, $7, $8, $9, $10, 0,
    CASE WHEN $11::boolean THEN 'HELD' END, CASE WHEN $11::boolean THEN now() END)
  ON CONFLICT DO NOTHING
  RETURNING id`;

/** $1 job, $2 account, then per row: $3 position, $4 phone, $5 reference, $6 components, $7 fault */
export const INSERT_RECIPIENTS = `
  INSERT INTO recipients (job_id, account_id, position, phone, client_ref, components, error, status, is_lost)
  SELECT $1, $2, position, phone, client_ref, components::jsonb, fault::jsonb, CASE WHEN fault IS NULL THEN 'pending'
    ELSE 'rejected' END, fault IS NOT NULL
  FROM unnest($3::int[], $4::text[], $5::text[], $6::text[], $7::text[])
    AS row (position, phone, client_ref, components, fault)`;

/** $1 account, $2 job, $3 accepted, $4 rejected, $5 duplicates */
export const COUNT_RECIPIENTS = `
  UPDATE jobs SET total = $3::int + $4::int + $5::int, pending = $3::int, rejected = $4::int, duplicates = $5::int
  WHERE account_id = $1 AND id = $2`;

/** $1 account, $2 job, $3 how its file was read, $4 warnings about the file */
export const DESCRIBE_FILE =
  'UPDATE jobs SET sheet = $3::jsonb, warnings = $4::jsonb WHERE account_id = $1 AND id = $2';

/**
 * The number's place among those that release. Who releases holds the row, and with a session that went silent for as
 * long as that lasts: the row is locked here only when it changes, which is seldom. A number that was slowed down more
 * than a minute ago has its full rate again. $1 account, $2 number, $3 throughput
 */
export const OPEN_LANE = `
  WITH opened AS (
    INSERT INTO lanes (account_id, phone_number, throughput, rate) VALUES ($1, $2, $3::int, $3::int)
    ON CONFLICT DO NOTHING
  )
  UPDATE lanes SET throughput = $3::int,
    rate = CASE WHEN slowed_at > now() - interval '1 minute' THEN rate ELSE $3::int END,
    slowed_at = CASE WHEN slowed_at > now() - interval '1 minute' THEN slowed_at END
  WHERE account_id = $1 AND phone_number = $2
    AND (throughput <> $3::int OR slowed_at <= now() - interval '1 minute')`;

/** Copies those who failed. $1 new job, $2 account, $3 job; gives a row with their number */
export const COPY_FAILED = `
  WITH copied AS (
    INSERT INTO recipients (job_id, account_id, position, phone, client_ref, components, status)
    SELECT $1, account_id, position, phone, client_ref, components, 'pending' FROM recipients
    WHERE job_id = $3 AND account_id = $2 AND is_lost AND status = 'failed' AND phone <> ''
    RETURNING 1
  )
  SELECT count(*)::int AS count FROM copied`;

/** $1 account, $2 job */
export const FIND_CREATED = `
  SELECT total, total - rejected - duplicates AS accepted, rejected, duplicates, sheet, warnings FROM jobs
  WHERE account_id = $1 AND id = $2`;

/** $1 account, $2 job, $3 most */
export const FIND_REJECTED = `
  SELECT position AS index, phone, error->>'code' AS code, error->>'message' AS message FROM recipients
  WHERE account_id = $1 AND job_id = $2 AND is_lost AND status = 'rejected'
  ORDER BY position LIMIT $3`;

/** $1 account, $2 job, $3 part, $4 rows as JSON */
export const STAGE_ROWS =
  'INSERT INTO staged_rows (account_id, job_id, part, rows) VALUES ($1, $2, $3, $4) ON CONFLICT DO NOTHING';

/** $1 account, $2 job, $3 part */
export const READ_STAGED_ROWS = 'SELECT rows FROM staged_rows WHERE account_id = $1 AND job_id = $2 AND part = $3';

/** $1 account, $2 job */
export const DROP_STAGED_ROWS = 'DELETE FROM staged_rows WHERE account_id = $1 AND job_id = $2';

/** What nobody made a job of. */
export const PURGE_STAGED_ROWS = "DELETE FROM staged_rows WHERE created_at < now() - interval '1 hour'";
