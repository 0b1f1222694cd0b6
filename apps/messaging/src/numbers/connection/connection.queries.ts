export interface ConnectedNumber {
  id: string;
  phoneNumberId: string;
  wabaId: string;
  sealedAccessToken: string;
  isStopped: boolean;
  /** ISO 8601. Null before the first callback. */
  lastCallbackAt: string | null;
}

/** $1 account, $2 phone number */
export const FIND_CONNECTED = `
  SELECT id, phone_number_id AS "phoneNumberId", waba_id AS "wabaId", sealed_access_token AS "sealedAccessToken",
    stopped_at IS NOT NULL AS "isStopped",
    to_char(last_callback_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS "lastCallbackAt"
  FROM numbers WHERE account_id = $1 AND phone_number = $2 AND removed_at IS NULL`;

/** Finds another account that has the number. $1 account, $2 upstream id of the number */
export const FIND_OTHER_OWNER =
  'SELECT 1 FROM numbers WHERE account_id <> $1 AND phone_number_id = $2 AND removed_at IS NULL';
