import { query } from '@switchboard/database';
import type { DataSource } from 'typeorm';

/** Starts or resumes an erasure. A new identifier restarts the callback scan. $1 account, $2 phone, $3 identifiers */
const BEGIN_ERASURE = `
  INSERT INTO erasures AS e (account_id, phone, names) VALUES ($1, $2, $3)
  ON CONFLICT (account_id, phone) DO UPDATE SET
    names = ARRAY(SELECT unnest(e.names) UNION SELECT unnest(excluded.names)),
    after_callback = CASE WHEN e.names @> excluded.names THEN e.after_callback ELSE '' END
  RETURNING names, after_callback AS "after"`;

/** $1 account, $2 phone */
const FIND_ERASURE = 'SELECT names, after_callback AS "after" FROM erasures WHERE account_id = $1 AND phone = $2';

/** $1 account, $2 phone, $3 last scanned callback */
const MOVE_ON = 'UPDATE erasures SET after_callback = $3 WHERE account_id = $1 AND phone = $2';

/** $1 account, $2 phone */
const END_ERASURE = 'DELETE FROM erasures WHERE account_id = $1 AND phone = $2';

/**
 * Deletes abandoned erasures once the callbacks of their time have expired. $1 callback retention in hours, $2 maximum
 * rows
 */
export const DELETE_OLD_ERASURES = `
  DELETE FROM erasures WHERE (account_id, phone) IN (
    SELECT account_id, phone FROM erasures WHERE begun_at < now() - make_interval(hours => $1)
    ORDER BY begun_at LIMIT $2 FOR UPDATE SKIP LOCKED
  ) RETURNING phone`;

/** Account and contact of an erasure. */
interface Whom {
  accountId: string;
  phone: string;
}

export interface ErasureProgress {
  /** Identifiers known at the start of the erasure. */
  names: string[];
  /** Cursor of the callback scan: the last scanned callback; empty at the start. */
  after: string;
}

/**
 * Stores the contact's identifiers until the erasure is complete. Messaging loses them before all callbacks have been
 * scanned, and a repeated call needs them.
 */
export async function beginErasure(
  db: DataSource,
  { accountId, phone }: Whom,
  names: readonly string[],
): Promise<ErasureProgress> {
  const [progress] = await query<ErasureProgress>(db, BEGIN_ERASURE, [accountId, phone, names]);
  return progress ?? { names: [...names], after: '' };
}

/** @returns undefined if no erasure is in progress */
export async function findErasure(db: DataSource, { accountId, phone }: Whom): Promise<ErasureProgress | undefined> {
  return (await query<ErasureProgress>(db, FIND_ERASURE, [accountId, phone]))[0];
}

export async function moveOn(db: DataSource, { accountId, phone }: Whom, after: string): Promise<void> {
  await query(db, MOVE_ON, [accountId, phone, after]);
}

export async function endErasure(db: DataSource, { accountId, phone }: Whom): Promise<void> {
  await query(db, END_ERASURE, [accountId, phone]);
}
