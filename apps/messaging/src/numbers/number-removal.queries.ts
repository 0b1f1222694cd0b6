/** A number to remove, with the facts that may prevent the removal. */
export interface RemovableNumber {
  id: string;
  phoneNumber: string;
  phoneNumberId: string;
  wabaId: string;
  /** Number of messages with an unknown outcome. */
  unsettled: number;
  unfetchedMedia: number;
  /** Number that becomes the default sender. */
  primary: string | null;
}

/**
 * Locks a number. Sends in progress hold a share lock on the row until they commit, so count them after this statement.
 * $1 account, $2 phone number
 */
export const LOCK_NUMBER =
  'SELECT id FROM numbers WHERE account_id = $1 AND phone_number = $2 AND removed_at IS NULL FOR UPDATE';

/** $1 account, $2 number */
export const JUDGE_REMOVAL = `
  SELECT id, phone_number AS "phoneNumber", phone_number_id AS "phoneNumberId", waba_id AS "wabaId",
    (SELECT count(*)::int FROM messages WHERE messages.account_id = $1 AND number_id = $2 AND NOT settled) AS unsettled,
    (SELECT count(*)::int FROM media WHERE media.account_id = $1 AND number_id = $2 AND state = 'pending')
      AS "unfetchedMedia",
    (SELECT phone_number FROM numbers AS others WHERE others.account_id = $1 AND id <> $2 AND removed_at IS NULL
     ORDER BY is_primary DESC, created_at, id LIMIT 1) AS primary
  FROM numbers WHERE account_id = $1 AND id = $2`;

/**
 * Removes and stops the number. A send that started at the same moment is settled by its response or given up, never
 * retried.
 * $1 account, $2 number
 */
export const REMOVE_NUMBER = `
  UPDATE numbers
  SET removed_at = now(), updated_at = now(), is_primary = false, sealed_access_token = '', stopped_at = now(),
    stopped_reason = 'removed'
  WHERE account_id = $1 AND id = $2`;

/** Makes the oldest number primary if the account has no primary number. $1 account */
export const CHOOSE_PRIMARY = `
  UPDATE numbers SET is_primary = true
  WHERE id = (SELECT id FROM numbers WHERE account_id = $1 AND removed_at IS NULL
    ORDER BY is_primary DESC, created_at, id LIMIT 1) AND NOT is_primary`;

/**
 * Marks pending media as failed, because they cannot be fetched without the number's credentials.
 * $1 account, $2 number
 */
export const GIVE_UP_MEDIA = `
  UPDATE media SET state = 'failed', error = 'the number was removed' WHERE account_id = $1 AND number_id = $2
    AND state = 'pending'`;
