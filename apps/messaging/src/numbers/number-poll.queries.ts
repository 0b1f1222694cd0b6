/** A number that is due to be read from the upstream platform. */
export interface DueNumber {
  id: string;
  accountId: string;
  phoneNumber: string;
  phoneNumberId: string;
  wabaId: string;
  sealedAccessToken: string;
  /** Portfolio of the business account. Null until the platform reports it. */
  portfolioId: string | null;
  /** Number of consecutive failed reads. */
  failures: number;
}

/**
 * Claims the most overdue numbers, across all accounts, and schedules their next read. One replica reads each number
 * per interval. If the reading process crashes, the number becomes due again.
 * $1 interval in seconds, $2 maximum rows
 */
export const CLAIM_DUE_NUMBERS = `
  UPDATE numbers SET poll_due_at = now() + make_interval(secs => $1)
  WHERE id IN (SELECT id FROM numbers WHERE poll_due_at <= now() AND removed_at IS NULL ORDER BY poll_due_at LIMIT $2
    FOR UPDATE SKIP LOCKED)
  RETURNING id, account_id AS "accountId", phone_number AS "phoneNumber", phone_number_id AS "phoneNumberId",
    waba_id AS "wabaId",
    sealed_access_token AS "sealedAccessToken", portfolio_id AS "portfolioId", poll_failures AS failures`;

/** When the next number is due. */
export const NEXT_DUE_NUMBER = 'SELECT min(poll_due_at) FROM numbers WHERE removed_at IS NULL';

/** Stores the portfolio that owns a business account. $1 account, $2 WABA, $3 portfolio */
export const SET_PORTFOLIO = `
  UPDATE numbers SET portfolio_id = $3 WHERE account_id = $1 AND waba_id = $2 AND portfolio_id IS DISTINCT FROM $3`;

/** Postpones the next read of a number after a failure. $1 number, $2 account, $3 seconds */
export const REST_NUMBER = `
  UPDATE numbers SET poll_failures = poll_failures + 1, poll_due_at = now() + make_interval(secs => $3)
  WHERE id = $1 AND account_id = $2`;

/** Postpones the next read of all numbers of a WABA, which share one rate limit. $1 WABA, $2 seconds */
export const REST_UPSTREAM_ACCOUNT = `
  UPDATE numbers SET poll_failures = poll_failures + 1, poll_due_at = GREATEST(poll_due_at,
    now() + make_interval(secs => $2))
  WHERE waba_id = $1`;

/**
 * Makes numbers due immediately after a notification from upstream.
 * $1 WABA, $2 digits of the number, or null for all numbers of the WABA
 */
export const MAKE_NUMBERS_DUE = `
  UPDATE numbers SET poll_due_at = now(), poll_failures = 0
  WHERE waba_id = $1 AND ($2::text IS NULL OR phone_number = $2)
  RETURNING id`;
