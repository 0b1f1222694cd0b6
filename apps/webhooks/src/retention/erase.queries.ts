import { query, type Transaction } from '@switchboard/database';
import type { DataSource } from 'typeorm';

/** Events of one step. */
export const ERASE_LIMIT = 1_000;

/** How many events of an account are about a person, by any of their names. */
export async function countEventsAbout(db: DataSource, accountId: string, names: readonly string[]): Promise<number> {
  const sql = `SELECT count(*)::int AS count FROM events WHERE account_id = $1 AND subject = ANY ($2) AND kind IN ('message', 'message_status')`;
  const [row] = await query<{ count: number }>(db, sql, [accountId, names]);
  return row?.count ?? 0;
}

/** Locked, so that nobody puts them into line again. */
const LOCK = `
  SELECT id FROM events WHERE account_id = $1 AND subject = ANY ($2) AND kind IN ('message', 'message_status')
    ORDER BY id LIMIT ${ERASE_LIMIT}
  FOR UPDATE`;
const ENDPOINTS = 'ARRAY(SELECT id FROM endpoints WHERE account_id = $1)';

/** Erases some of them with everything that hangs on them. @returns how many events */
export async function eraseEventsAbout(tx: Transaction, accountId: string, names: readonly string[]): Promise<number> {
  const ids = (await tx.query<{ id: string }>(LOCK, [accountId, names])).map(({ id }) => id);
  if (ids.length === 0) return 0;
  await tx.query(
    `DELETE FROM attempts a USING delivery_log d
     WHERE d.account_id = $1 AND d.endpoint_id = ANY(${ENDPOINTS}) AND d.event_id = ANY($2) AND a.delivery_id = d.id`,
    [accountId, ids],
  );
  await tx.query(
    `DELETE FROM pending_deliveries WHERE account_id = $1 AND endpoint_id = ANY(${ENDPOINTS}) AND event_id = ANY($2)`,
    [accountId, ids],
  );
  await tx.query(
    `DELETE FROM deliveries WHERE account_id = $1 AND endpoint_id = ANY(${ENDPOINTS}) AND event_id = ANY($2)`,
    [accountId, ids],
  );
  await tx.query('DELETE FROM events WHERE account_id = $1 AND id = ANY($2)', [accountId, ids]);
  return ids.length;
}
