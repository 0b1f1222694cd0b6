import { LABELS } from '@switchboard/contracts';
import { batchOf, columnNames, columnsOf } from '@switchboard/database';
import { Recipient } from './recipient.entity';

/** Parameters of `INSERT_RECIPIENTS`. */
export const RECIPIENTS = batchOf(
  columnsOf(Recipient, ['position', 'phone', ...LABELS, 'components', 'error', 'region']),
  {
    from: 3,
  },
);

/** Columns that a retry copies. */
const COPIED = columnNames(columnsOf(Recipient, ['accountId', 'position', 'phone', ...LABELS, 'components', 'region']));

/**
 * Recipients with an error are stored as rejected. Those with a region wait for the end of quiet hours.
 * $1 job, $2 account, then `RECIPIENTS`
 */
export const INSERT_RECIPIENTS = `
  INSERT INTO recipients (job_id, account_id, ${RECIPIENTS.names}, status, is_lost, is_waiting)
  SELECT $1, $2, ${RECIPIENTS.names}, CASE WHEN error IS NULL THEN 'pending' ELSE 'rejected' END, error IS NOT NULL,
    error IS NULL AND region IS NOT NULL
  FROM ${RECIPIENTS.unnest('recipient')}`;

/** $1 account, $2 job, $3 ids of uploaded files */
export const NOTE_MEDIA = `
  INSERT INTO job_media (account_id, job_id, media_id) SELECT $1, $2, unnest($3::text[]) ON CONFLICT DO NOTHING`;

/** $1 new job, $2 account, $3 job */
export const COPY_MEDIA = `
  INSERT INTO job_media (account_id, job_id, media_id)
  SELECT account_id, $1, media_id FROM job_media WHERE account_id = $2 AND job_id = $3`;

/** Finds the files that unfinished jobs use. $1 account, $2 ids of uploaded files */
export const LIST_USED_MEDIA = `
  SELECT DISTINCT media_id AS "mediaId" FROM job_media JOIN jobs ON jobs.account_id = $1 AND jobs.id = job_id
  WHERE job_media.account_id = $1 AND media_id = ANY ($2) AND status NOT IN ('completed', 'failed', 'cancelled')`;

/** $1 account, $2 job, $3 accepted, $4 rejected, $5 duplicates */
export const COUNT_RECIPIENTS = `
  UPDATE jobs SET total = $3::int + $4::int + $5::int, pending = $3::int, rejected = $4::int, duplicates = $5::int
  WHERE account_id = $1 AND id = $2`;

/** $1 account, $2 job, $3 format of its file, $4 warnings about the file */
export const DESCRIBE_FILE =
  'UPDATE jobs SET sheet = $3::jsonb, warnings = $4::jsonb WHERE account_id = $1 AND id = $2';

/**
 * Creates the number's lane. The releasing process holds the lane's lock, and a stalled session may hold it longer. So
 * an existing row is updated only if it changes, which is rare. A number that was last throttled more than a minute ago
 * gets its full rate again.
 * $1 account, $2 number, $3 throughput
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

/** $1 account, $2 job, $3 numbers in the order of the request */
export const INSERT_NUMBERS = `
  INSERT INTO job_numbers (account_id, job_id, phone_number, position)
  SELECT $1, $2, number, position FROM unnest($3::text[]) WITH ORDINALITY AS given (number, position)`;

/** $1 account, $2 job. Counts the recipients of each region. */
export const COUNT_REGIONS_OF_JOB = `
  INSERT INTO job_regions (account_id, job_id, region, pending)
  SELECT $1, $2, region, count(*) FROM recipients WHERE job_id = $2 AND is_waiting GROUP BY region`;

/** Copies the failed recipients and returns their number. $1 new job, $2 account, $3 job */
export const COPY_FAILED = `
  WITH copied AS (
    INSERT INTO recipients (job_id, status, is_waiting, ${COPIED})
    SELECT $1, 'pending', region IS NOT NULL, ${COPIED} FROM recipients
    WHERE job_id = $3 AND account_id = $2 AND is_lost AND status = 'failed' AND phone <> ''
    RETURNING 1
  )
  SELECT count(*)::int AS count FROM copied`;

/** $1 account, $2 job */
export const FIND_CREATED = `
  SELECT total, total - rejected - duplicates AS accepted, rejected, duplicates, sheet, warnings FROM jobs
  WHERE account_id = $1 AND id = $2`;

/** $1 account, $2 job, $3 maximum */
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

/** Deletes staged rows for which no job was created. */
export const DELETE_OLD_STAGED_ROWS = "DELETE FROM staged_rows WHERE created_at < now() - interval '1 hour'";
