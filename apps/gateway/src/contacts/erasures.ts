import { query } from '@switchboard/database';
import type { DataSource } from 'typeorm';

/**
 * A name that was not known before was looked for nowhere: then the callbacks are looked through from the beginning.
 * $1 account, $2 phone, $3 names
 */
const BEGIN_ERASURE = `
  INSERT INTO erasures AS e (account_id, phone, names) VALUES ($1, $2, $3)
  ON CONFLICT (account_id, phone) DO UPDATE SET
    names = ARRAY(SELECT unnest(e.names) UNION SELECT unnest(excluded.names)),
    after_callback = CASE WHEN e.names @> excluded.names THEN e.after_callback ELSE '' END
  RETURNING names, after_callback AS "after"`;

/** $1 account, $2 phone */
const FIND_ERASURE = 'SELECT names, after_callback AS "after" FROM erasures WHERE account_id = $1 AND phone = $2';

/** $1 account, $2 phone, $3 the last callback that was looked at */
const MOVE_ON = 'UPDATE erasures SET after_callback = $3 WHERE account_id = $1 AND phone = $2';

/** $1 account, $2 phone */
const END_ERASURE = 'DELETE FROM erasures WHERE account_id = $1 AND phone = $2';

/**
 * Those that nobody went on with: the callbacks of their time are gone without them. $1 hours that callbacks are kept,
 * $2 most rows
 */
export const DELETE_OLD_ERASURES = `
  DELETE FROM erasures WHERE (account_id, phone) IN (
    SELECT account_id, phone FROM erasures WHERE begun_at < now() - make_interval(hours => $1)
    ORDER BY begun_at LIMIT $2 FOR UPDATE SKIP LOCKED
  ) RETURNING phone`;

/** Whom an account is forgetting. */
interface Whom {
  accountId: string;
  phone: string;
}

/** How far it is. */
export interface ErasureProgress {
  /** Every name that was known when it began. */
  names: string[];
  /** The last callback that was looked at; empty at the beginning. */
  after: string;
}

/**
 * Keeps who is being forgotten until it is done: messaging forgets a person's names before all callbacks are looked
 * through, and whoever goes on needs them.
 */
export async function beginErasure(
  db: DataSource,
  { accountId, phone }: Whom,
  names: readonly string[],
): Promise<ErasureProgress> {
  const [progress] = await query<ErasureProgress>(db, BEGIN_ERASURE, [accountId, phone, names]);
  return progress ?? { names: [...names], after: '' };
}

/** @returns undefined when none is under way */
export async function findErasure(db: DataSource, { accountId, phone }: Whom): Promise<ErasureProgress | undefined> {
  return (await query<ErasureProgress>(db, FIND_ERASURE, [accountId, phone]))[0];
}

/** Notes how far the callbacks were looked through. */
export async function moveOn(db: DataSource, { accountId, phone }: Whom, after: string): Promise<void> {
  await query(db, MOVE_ON, [accountId, phone, after]);
}

/** Forgets who was forgotten. */
export async function endErasure(db: DataSource, { accountId, phone }: Whom): Promise<void> {
  await query(db, END_ERASURE, [accountId, phone]);
}
