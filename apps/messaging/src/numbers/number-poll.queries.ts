/** A number whose object at the upstream platform is to be read again. */
export interface DueNumber {
  id: string;
  accountId: string;
  phoneNumber: string;
  phoneNumberId: string;
  wabaId: string;
  sealedAccessToken: string;
  /** How often in a row it could not be read. */
  failures: number;
}

/**
 * Takes the numbers that wait longest, whosever they are, and sets when each is due next: so every number is read by
 * one replica per interval, and a number whose reader crashed comes up again. $1 interval in seconds, $2 most rows
 */
export const CLAIM_DUE_NUMBERS = `
  UPDATE numbers SET poll_due_at = now() + make_interval(secs => $1)
  WHERE id IN (SELECT id FROM numbers WHERE poll_due_at <= now() AND removed_at IS NULL ORDER BY poll_due_at LIMIT $2
    FOR UPDATE SKIP LOCKED)
  RETURNING id, account_id AS "accountId", phone_number AS "phoneNumber", phone_number_id AS "phoneNumberId",
    waba_id AS "wabaId",
    sealed_access_token AS "sealedAccessToken", poll_failures AS failures`;

/** Lets a number rest after it could not be read. $1 number, $2 account, $3 seconds */
export const REST_NUMBER = `
  UPDATE numbers SET poll_failures = poll_failures + 1, poll_due_at = now() + make_interval(secs => $3)
  WHERE id = $1 AND account_id = $2`;

/** Lets all numbers of an upstream account rest: its limit of requests counts for all of them. $1 WABA, $2 seconds */
export const REST_UPSTREAM_ACCOUNT = `
  UPDATE numbers SET poll_failures = poll_failures + 1, poll_due_at = GREATEST(poll_due_at,
    now() + make_interval(secs => $2))
  WHERE waba_id = $1`;

/**
 * Numbers the upstream platform spoke of are read at once. $1 WABA, $2 the number's digits, or null for all of the
 * account
 */
export const MAKE_NUMBERS_DUE = `
  UPDATE numbers SET poll_due_at = now(), poll_failures = 0
  WHERE waba_id = $1 AND ($2::text IS NULL OR phone_number = $2)
  RETURNING id`;
