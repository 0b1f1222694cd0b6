/** Serialises the notices of a business, because the previous notice determines if a limit is new. $1 WABA */
export const LOCK_BUSINESS = "SELECT pg_advisory_xact_lock(hashtext('messaging.notices'), hashtext($1))";

export interface ConcernedAccount {
  accountId: string;
  phoneNumbers: string[];
}

/**
 * Finds the accounts with numbers of a business, which several accounts may share.
 * $1 WABA, $2 digits of the number or null, $3 upstream id of the number or null
 */
export const FIND_CONCERNED = `
  SELECT account_id AS "accountId", array_agg(phone_number ORDER BY is_primary DESC, created_at, id) AS "phoneNumbers"
  FROM numbers
  WHERE waba_id = $1 AND removed_at IS NULL AND ($2::text IS NULL OR phone_number = $2)
    AND ($3::text IS NULL OR phone_number_id = $3)
  GROUP BY account_id ORDER BY account_id`;

/** Reads the last limit of which an account was notified. $1 account, $2 WABA */
export const FIND_LAST_LIMIT = `
  SELECT messaging_limit AS "messagingLimit" FROM account_notices
  WHERE account_id = $1 AND waba_id = $2 AND notice = 'limit' ORDER BY occurred_at DESC, id DESC LIMIT 1`;

/** Lists notices, newest first. $1 account, $2 exclusive upper bound of the ids, or null, $3 offset, $4 maximum rows */
export const LIST_NOTICES = `
  SELECT id, notice, severity, summary, phone_numbers AS "phoneNumbers", waba_id AS "wabaId", restrictions,
    messaging_limit AS "messagingLimit", details, occurred_at AS timestamp
  FROM account_notices WHERE account_id = $1 AND ($2::text IS NULL OR id < $2)
  ORDER BY id DESC OFFSET $3 LIMIT $4`;

/** Counts all notices without a limit, because an account has few. $1 account */
export const COUNT_NOTICES = 'SELECT count(*)::int AS total FROM account_notices WHERE account_id = $1';

/** Checks if the platform has reported a later state of the business. $1 account, $2 WABA, $3 time of this state */
export const FIND_LATER_STATE = `
  SELECT 1 FROM account_notices
  WHERE account_id = $1 AND waba_id = $2 AND notice IN ('disabled', 'reinstated') AND occurred_at > $3 LIMIT 1`;

export interface StoppedByBusiness {
  id: string;
  phoneNumber: string;
  stoppedAt: Date;
}

/** $1 account, $2 WABA, $3 reason */
export const STOP_NUMBERS = `
  UPDATE numbers SET stopped_at = now(), stopped_reason = $3
  WHERE id IN (SELECT id FROM numbers WHERE account_id = $1 AND waba_id = $2 AND removed_at IS NULL
    AND stopped_at IS NULL ORDER BY id FOR UPDATE)
  RETURNING id, phone_number AS "phoneNumber", stopped_at AS "stoppedAt"`;

/** Resumes only the numbers that were stopped for this reason. $1 account, $2 WABA, $3 reason */
export const RESUME_NUMBERS = `
  UPDATE numbers SET stopped_at = NULL, stopped_reason = NULL
  WHERE id IN (SELECT id FROM numbers WHERE account_id = $1 AND waba_id = $2 AND stopped_reason = $3
    ORDER BY id FOR UPDATE)
  RETURNING id`;

/** SQL expression: columns for the state of a number according to its latest notices. */
export const STANDING_OF_NUMBER = `
  COALESCE((
    SELECT jsonb_agg(item) FROM jsonb_array_elements((
      SELECT restrictions FROM account_notices
      WHERE account_id = numbers.account_id AND waba_id = numbers.waba_id AND notice IN ('restriction', 'reinstated')
      ORDER BY occurred_at DESC, id DESC LIMIT 1)) AS item
    WHERE item ->> 'until' IS NULL OR (item ->> 'until')::timestamptz > now()), '[]') AS restrictions,
  (SELECT NULLIF(notice, 'reinstated') FROM account_notices
    WHERE account_id = numbers.account_id AND waba_id = numbers.waba_id
      AND notice IN ('disabled', 'disable_scheduled', 'reinstated')
    ORDER BY occurred_at DESC, id DESC LIMIT 1) AS "businessState",
  (SELECT jsonb_build_object('decision', details ->> 'decision', 'name', details ->> 'requestedVerifiedName',
      'reason', details ->> 'rejectionReason',
      'at', to_char(occurred_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'))
    FROM account_notices
    WHERE account_id = numbers.account_id AND waba_id = numbers.waba_id AND notice = 'name'
      AND numbers.phone_number = ANY (phone_numbers) AND details ->> 'decision' IS NOT NULL
    ORDER BY occurred_at DESC, id DESC LIMIT 1) AS "nameDecision"`;
