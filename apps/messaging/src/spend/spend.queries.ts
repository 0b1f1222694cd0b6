import { batchOf, columnsOf } from '@switchboard/database';
import { SpendReservation } from './spend-reservation.entity';
import { SpendTotal } from './spend-total.entity';

/** Time after which a reservation is settled in full if the platform has not reported the outcome. */
const UNREPORTED = '31 days';
/** Shorter time for delivered messages without pricing. A delayed status may still report it. */
const UNPRICED = '1 hour';

/** Keys of totals. */
export const TOTAL_KEYS = batchOf(columnsOf(SpendTotal, ['accountId', 'jobId', 'month']));

/**
 * Creates missing totals for jobs and for accounts with a cap. `TOTAL_KEYS`
 *
 * Lock order in this database: totals by key, contacts, messages, rows derived from messages, reservations. Sends lock
 * the totals first. Statuses and failures lock messages and their reservations, but no totals. `SETTLE_DUE` locks
 * totals and reservations, but no messages.
 */
export const ADD_TOTALS = `
  INSERT INTO spend_totals (${TOTAL_KEYS.names})
  SELECT ${TOTAL_KEYS.names} FROM ${TOTAL_KEYS.unnest('given')}
  WHERE job_id <> '' OR EXISTS (SELECT 1 FROM spend_caps WHERE spend_caps.account_id = given.account_id)
  ORDER BY ${TOTAL_KEYS.names}
  ON CONFLICT DO NOTHING`;

/** `TOTAL_KEYS` */
export const LOCK_TOTALS = `
  SELECT 1 FROM spend_totals WHERE (account_id, job_id, month) IN (
    SELECT ${TOTAL_KEYS.names} FROM ${TOTAL_KEYS.unnest('given')}
  ) ORDER BY account_id, job_id, month FOR UPDATE`;

export interface TotalRow {
  accountId: string;
  jobId: string;
  month: string;
  reserved: string;
  settled: string;
  notified: number;
  /** Cap of the account; null for the total of a job, and for an account without a cap. */
  amount: string | null;
  currency: string | null;
}

/** Reads totals with the caps of their accounts. `TOTAL_KEYS` */
export const READ_TOTALS = `
  SELECT given.account_id AS "accountId", given.job_id AS "jobId", given.month, reserved::text, settled::text, notified,
    spend_caps.amount::text AS amount, currency
  FROM ${TOTAL_KEYS.unnest('given')} JOIN spend_totals USING (account_id, job_id, month)
  LEFT JOIN spend_caps ON spend_caps.account_id = given.account_id AND given.job_id = ''
  ORDER BY 1, 2, 3 FOR UPDATE OF spend_totals`;

export const RESERVATIONS = batchOf(
  columnsOf(SpendReservation, ['messageId', 'accountId', 'jobId', 'month', 'amount']),
);

/** Inserts reservations and adds them to their totals. The caller holds the locks of the totals. `RESERVATIONS` */
export const RESERVE = `
  WITH added AS (
    INSERT INTO spend_reservations (${RESERVATIONS.names}, settle_at)
    SELECT ${RESERVATIONS.names}, now() + interval '${UNREPORTED}' FROM ${RESERVATIONS.unnest('given')}
    RETURNING account_id, job_id, month, amount
  ), sums AS (
    SELECT account_id, '' AS job_id, month, sum(amount) AS amount FROM added WHERE month <> '' GROUP BY 1, 3
    UNION ALL
    SELECT account_id, job_id, '', sum(amount) FROM added WHERE job_id <> '' GROUP BY 1, 2
  )
  UPDATE spend_totals SET reserved = spend_totals.reserved + sums.amount FROM sums
  WHERE (spend_totals.account_id, spend_totals.job_id, spend_totals.month) = (sums.account_id, sums.job_id, sums.month)`;

/** $1 account, $2 month, $3 percentage */
export const NOTE_NOTIFIED =
  "UPDATE spend_totals SET notified = $3::int WHERE account_id = $1 AND job_id = '' AND month = $2";

export const FINALS = batchOf({ messageId: 'text', final: 'text' });

/** Sets the final amount of open reservations: the given amount, or the full reservation if it is null. `FINALS` */
export const FINISH_RESERVATIONS = `
  UPDATE spend_reservations SET final = COALESCE(given.final::numeric, amount), settle_at = now()
  FROM ${FINALS.unnest('given')}
  WHERE spend_reservations.message_id = given.message_id AND spend_reservations.message_id = ANY (${FINALS.list('messageId')})
    AND spend_reservations.final IS NULL`;

/** Releases the reservations of failed messages soon. They stay open, because a charge may follow. $1 messages */
export const RELEASE_FAILED = `
  UPDATE spend_reservations SET is_failed = true, settle_at = now()
  WHERE message_id = ANY ($1::text[]) AND final IS NULL AND NOT is_failed`;

/** Settles delivered messages without pricing soon, even if they counted as failed before. $1 messages */
export const EXPECT_PRICING = `
  UPDATE spend_reservations SET is_failed = false, settle_at = now() + interval '${UNPRICED}'
  WHERE message_id = ANY ($1::text[]) AND final IS NULL
    AND (is_failed OR settle_at > now() + interval '${UNPRICED}')`;

/**
 * Returns SQL that sets the final amount of the open reservations of messages changed by the same statement.
 * @param messages name of a CTE with the column `id`
 * @param final `0` if the platform certainly did not accept the messages, `amount` if it may have accepted them
 */
export const finishReservationsOf = (messages: string, final: '0' | 'amount'): string => `
  UPDATE spend_reservations SET final = ${final}, settle_at = now() FROM ${messages}
  WHERE message_id = ${messages}.id AND final IS NULL`;

/** Returns an SQL expression for the creation time of a message's open reservation; null if there is none. */
export const reservedAtOf = (messageId: string): string =>
  `(SELECT reserved_at FROM spend_reservations WHERE message_id = ${messageId} AND final IS NULL)`;

export interface DueReservation {
  id: string;
  accountId: string;
  jobId: string;
  month: string;
}

/** When the next reservation is due. */
export const NEXT_SETTLEMENT = 'SELECT min(settle_at) FROM spend_reservations WHERE settle_at IS NOT NULL';

/** $1 maximum */
export const FIND_DUE = `
  SELECT id, account_id AS "accountId", job_id AS "jobId", month FROM spend_reservations
  WHERE settle_at <= now() ORDER BY settle_at LIMIT $1`;

/**
 * Adds the final amounts of due reservations to the settled totals, which the caller has locked. Reservations of failed
 * messages are only released: a later report of a charge finds them, until the platform can report nothing more. $1 ids
 */
export const SETTLE_DUE = `
  WITH due AS MATERIALIZED (
    SELECT id, account_id, job_id, month, CASE WHEN is_released THEN 0 ELSE amount END AS amount,
      CASE WHEN final IS NULL AND is_failed THEN 0 ELSE COALESCE(final, amount) END AS final,
      final IS NULL AND is_failed AND NOT is_released AS is_kept
    FROM spend_reservations WHERE id = ANY ($1::bigint[]) AND settle_at <= now() ORDER BY id FOR UPDATE
  ), released AS (
    UPDATE spend_reservations SET is_released = true, settle_at = reserved_at + interval '${UNREPORTED}'
    WHERE id = ANY (ARRAY(SELECT id FROM due WHERE is_kept))
  ), ended AS (
    DELETE FROM spend_reservations WHERE id = ANY (ARRAY(SELECT id FROM due WHERE NOT is_kept))
  ), sums AS (
    SELECT account_id, '' AS job_id, month, sum(amount) AS amount, sum(final) AS final FROM due
    WHERE month <> '' GROUP BY 1, 3
    UNION ALL
    SELECT account_id, job_id, '', sum(amount), sum(final) FROM due WHERE job_id <> '' GROUP BY 1, 2
  )
  UPDATE spend_totals SET reserved = reserved - sums.amount, settled = settled + sums.final FROM sums
  WHERE (spend_totals.account_id, spend_totals.job_id, spend_totals.month) = (sums.account_id, sums.job_id, sums.month)`;

/** $1 account, $2 amount, $3 currency */
export const SET_CAP = `
  INSERT INTO spend_caps AS known (account_id, amount, currency) VALUES ($1, $2::numeric, $3)
  ON CONFLICT (account_id) DO UPDATE SET amount = EXCLUDED.amount, currency = EXCLUDED.currency, updated_at = now()
  WHERE (known.amount, known.currency) <> (EXCLUDED.amount, EXCLUDED.currency)
  RETURNING 1 AS changed`;

/** Sets the settled amount to at least what was delivered this month. $1 account, $2 month, $3 delivered amount */
export const START_TOTAL = `
  INSERT INTO spend_totals AS known (account_id, job_id, month, settled) VALUES ($1, '', $2, $3::numeric)
  ON CONFLICT (account_id, job_id, month) DO UPDATE SET settled = greatest(known.settled, EXCLUDED.settled)`;

/** Resets the reported percentage, so that a changed cap is reported again. $1 account, $2 month */
export const FORGET_NOTICES =
  "UPDATE spend_totals SET notified = 0 WHERE account_id = $1 AND job_id = '' AND month = $2";

/** $1 account */
export const CLEAR_CAP = 'DELETE FROM spend_caps WHERE account_id = $1';

/** Counts accounts that are near their cap or have reached it. $1 month */
export const COUNT_USED_CAPS = `
  SELECT count(*) FILTER (WHERE NOT is_reached AND used >= amount * 0.8)::int AS near,
    count(*) FILTER (WHERE is_reached)::int AS reached
  FROM (
    SELECT amount, COALESCE(reserved + settled, 0) AS used, notified = 100 OR COALESCE(reserved + settled, 0) >= amount AS is_reached
    FROM spend_caps LEFT JOIN spend_totals ON spend_totals.account_id = spend_caps.account_id AND job_id = '' AND month = $1
  ) AS each`;

/** Deletes old totals without open reservations. $1 days of retention, $2 maximum rows */
export const DELETE_EXPIRED_TOTALS = `
  DELETE FROM spend_totals WHERE ctid = ANY (ARRAY(
    SELECT ctid FROM spend_totals WHERE created_at < now() - make_interval(days => $1::int) AND reserved = 0
    ORDER BY created_at LIMIT $2
  )) RETURNING 1 AS deleted`;
