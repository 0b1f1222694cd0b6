/** A number that may be removed, and what stands in the way. */
export interface RemovableNumber {
  id: string;
  phoneNumber: string;
  phoneNumberId: string;
  wabaId: string;
  /** Messages whose outcome is not known yet. */
  unsettled: number;
  unfetchedMedia: number;
  /** Which number sends from then on what names none. */
  primary: string | null;
}

/**
 * Sends that have begun hold a share of the row until they commit, so they are counted after this. $1 account, $2 phone
 * number
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
 * Stopped as well: a send that began at this very moment is settled by its answer or given up, never sent again. $1
 * account, $2 number
 */
export const REMOVE_NUMBER = `
  UPDATE numbers
  SET removed_at = now(), updated_at = now(), is_primary = false, sealed_access_token = '', stopped_at = now(),
    stopped_reason = 'removed'
  WHERE account_id = $1 AND id = $2`;

/** When it has none: of the others the oldest. $1 account */
export const CHOOSE_PRIMARY = `
  UPDATE numbers SET is_primary = true
  WHERE id = (SELECT id FROM numbers WHERE account_id = $1 AND removed_at IS NULL
    ORDER BY is_primary DESC, created_at, id LIMIT 1) AND NOT is_primary`;

/** Without the number's credentials they will never come. $1 account, $2 number */
export const GIVE_UP_MEDIA = `
  UPDATE media SET state = 'failed', error = 'the number was removed' WHERE account_id = $1 AND number_id = $2
    AND state = 'pending'`;
