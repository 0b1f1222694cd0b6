import { STANDING_OF_NUMBER } from '../notices/notices.queries';

/**
 * Serialises additions and removals of numbers. This guarantees one owner per number and one primary number per account
 * without failing inserts.
 */
export const LOCK_NUMBERS = "SELECT pg_advisory_xact_lock(hashtext('messaging.numbers'))";

/** SQL expression: history import of a row of `numbers`, as `appHistory`. Null if upstream reported none. */
const HISTORY_OF_NUMBER = `(
    SELECT json_build_object('phase', phase, 'progress', progress,
      'reportedAt', to_char(reported_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
      -- A report after the refusal means that the business shares its history after all.
      'declined', declined_at IS NOT NULL AND declined_at > COALESCE(reported_at, '-infinity'))
    FROM number_histories WHERE number_id = numbers.id AND (reported_at IS NOT NULL OR declined_at IS NOT NULL)
  ) AS "appHistory"`;

/** Reads the database time as ISO 8601 with microseconds. */
export const CURRENT_TIME = 'SELECT to_json(clock_timestamp()) #>> \'{}\' AS "storedAt"';

export interface NumberClaim {
  id: string;
  accountId: string;
  wabaId: string;
}

/** Finds rows that already have the upstream id, or that have the phone number in the same account. */
export const FIND_CLAIMS = `
  SELECT id, account_id AS "accountId", waba_id AS "wabaId" FROM numbers
  WHERE (phone_number_id = $3 OR (account_id = $1 AND phone_number = $2)) AND removed_at IS NULL`;

/** Finds the last removed row of the same number in the account. $1 account, $2 phone number, $3 upstream id */
export const FIND_REMOVED = `
  SELECT id, account_id AS "accountId", waba_id AS "wabaId" FROM numbers
  WHERE account_id = $1 AND phone_number = $2 AND phone_number_id = $3 AND removed_at IS NOT NULL
  ORDER BY removed_at DESC LIMIT 1`;

export const LIST_NUMBERS = `
  SELECT id, phone_number AS "phoneNumber", phone_number_id AS "phoneNumberId", quality_rating AS "qualityRating",
    messaging_limit AS "messagingLimit", portfolio_id AS "portfolioId",
    CASE WHEN stopped_at IS NULL THEN status ELSE 'STOPPED' END AS status, stopped_reason AS "stoppedReason",
    is_primary AS "isPrimary", throughput_level AS throughput, display_name AS "displayName",
    to_char(last_callback_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS "lastCallbackAt",
    ${STANDING_OF_NUMBER}, ${HISTORY_OF_NUMBER}
  FROM numbers WHERE account_id = $1 AND removed_at IS NULL
  ORDER BY is_primary DESC, created_at, id`;

export interface NumberOwner {
  id: string;
  accountId: string;
  phoneNumber: string;
  /** True if history was imported. An incoming message may then already be stored. */
  hasHistory?: boolean;
}

/** Finds the owner of the number to which a callback refers. */
export const FIND_OWNER = `
  SELECT id, account_id AS "accountId", phone_number AS "phoneNumber",
    EXISTS (SELECT 1 FROM number_histories WHERE number_id = numbers.id) AS "hasHistory"
  FROM numbers WHERE phone_number_id = $1 AND removed_at IS NULL`;

/** Records the last callback at most once a minute, so that most callbacks do not write the row. $1 number */
export const NOTE_CALLBACK = `
  UPDATE numbers SET last_callback_at = now()
  WHERE id = $1 AND (last_callback_at IS NULL OR last_callback_at < now() - interval '1 minute')`;

/** $1 account, $2 number */
export const FIND_NUMBER_OF = 'SELECT 1 FROM numbers WHERE account_id = $1 AND id = $2 AND removed_at IS NULL';

/** Lists changes, newest first. $1 account, $2 number, $3 exclusive upper bound of the ids, or null, $4 maximum rows */
export const LIST_CHANGES = `
  SELECT id, at, quality_rating AS "qualityRating", messaging_limit AS "messagingLimit",
    throughput_level AS throughput, status, stopped_reason AS "stoppedReason"
  FROM number_changes WHERE account_id = $1 AND number_id = $2 AND ($3::bigint IS NULL OR id < $3)
  ORDER BY id DESC LIMIT $4`;

/** $1 account, $2 WABA */
export const FIND_NUMBER_OF_BUSINESS =
  'SELECT 1 FROM numbers WHERE account_id = $1 AND waba_id = $2 AND removed_at IS NULL LIMIT 1';
