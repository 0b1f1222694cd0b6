import type { Transaction } from '@switchboard/database';
import type { EndpointRef } from '../endpoints/endpoint-ref';

/** Keeps the locks of holders apart from other advisory locks. */
const HOLDERS = `hashtext('claim-holder')`;

/** Waits for the lock; it is held until the session ends. */
export const TAKE_HOLDER_LOCK = `SELECT pg_advisory_lock(${HOLDERS}, $1)`;

/** A first attempt that its process has stored and nobody has begun. */
const STORED = 'claimed_until IS NULL AND attempts_made = 0 AND claimed_by IS NOT NULL';

/** The holders of stored attempts are found by one probe of their index for each, however many attempts wait. */
export const LOCK_DEAD = `
  WITH RECURSIVE storing AS (
    (SELECT claimed_by AS holder FROM pending_deliveries WHERE ${STORED} ORDER BY claimed_by LIMIT 1)
    UNION ALL
    SELECT following.holder FROM storing CROSS JOIN LATERAL (
      SELECT claimed_by AS holder FROM pending_deliveries WHERE ${STORED} AND claimed_by > storing.holder
      ORDER BY claimed_by LIMIT 1
    ) AS following
  ), holders AS MATERIALIZED (
    SELECT claimed_by AS holder FROM pending_deliveries WHERE claimed_until IS NOT NULL AND claimed_by IS NOT NULL
    UNION SELECT holder FROM storing
  )
  SELECT holder FROM holders WHERE pg_try_advisory_xact_lock(${HOLDERS}, holder)`;

/** $1 dead holders, $2 who takes their attempts over, $3 most attempts of each */
const TAKE_OVER = `
  WITH left_over AS (
    SELECT stored.id FROM unnest($1::int[]) AS dead (holder) CROSS JOIN LATERAL (
      SELECT id FROM pending_deliveries WHERE ${STORED} AND claimed_by = dead.holder
      ORDER BY id DESC LIMIT $3 FOR UPDATE SKIP LOCKED
    ) AS stored
  ), taken AS (
    UPDATE pending_deliveries p SET claimed_by = $2 FROM left_over
    WHERE p.id = left_over.id RETURNING p.endpoint_id, p.account_id
  )
  SELECT DISTINCT endpoint_id AS id, account_id AS "accountId" FROM taken`;

/**
 * Gives first attempts that dead processes have stored and nobody has begun to another process, the newest first: the
 * older ones are those that had to wait while their process lived.
 * @param options.holder the process that takes them over; null leaves them to the sweep
 * @returns the endpoints where they are due
 */
export function takeOverStored(
  tx: Transaction,
  dead: number[],
  { holder, atMost }: { holder: number | null; atMost: number },
): Promise<EndpointRef[]> {
  return tx.query<EndpointRef>(TAKE_OVER, [dead, holder, atMost]);
}

/**
 * Holders of claims and stored attempts that do not hold their lock. Until the transaction ends they cannot take it
 * again, so what is concluded from it stays true that long.
 */
export async function lockDeadHolders(tx: Transaction): Promise<number[]> {
  return (await tx.query<{ holder: number }>(LOCK_DEAD)).map(({ holder }) => holder);
}
