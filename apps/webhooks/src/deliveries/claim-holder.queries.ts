import type { Transaction } from '@switchboard/database';

/** Keeps the locks of holders apart from other advisory locks. */
const HOLDERS = `hashtext('claim-holder')`;

/** Waits for the lock; it is held until the session ends. */
export const TAKE_HOLDER_LOCK = `SELECT pg_advisory_lock(${HOLDERS}, $1)`;

const LOCK_DEAD = `
  WITH holders AS MATERIALIZED (
    SELECT DISTINCT claimed_by AS holder FROM pending_deliveries WHERE claimed_until IS NOT NULL AND claimed_by IS NOT NULL
  )
  SELECT holder FROM holders WHERE pg_try_advisory_xact_lock(${HOLDERS}, holder)`;

/**
 * Holders of claims that do not hold their lock. Until the transaction ends they cannot take it again, so what is concluded
 * from it stays true that long.
 */
export async function lockDeadHolders(tx: Transaction): Promise<number[]> {
  return (await tx.query<{ holder: number }>(LOCK_DEAD)).map(({ holder }) => holder);
}
