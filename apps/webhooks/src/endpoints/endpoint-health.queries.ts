import { query, type Transaction } from '@switchboard/database';
import type { DataSource } from 'typeorm';
import type { EndpointRef } from './endpoint-ref';

/** An endpoint whose owner should know, and since when nothing succeeded. */
export interface Troubled extends EndpointRef {
  since: Date;
}

/** Never waits for another process that says the same at this moment. */
const markSql = (changes: string, which: string): string => `
  UPDATE endpoints SET ${changes} WHERE id IN (SELECT id FROM endpoints WHERE id = ANY($1) AND ${which} FOR NO KEY UPDATE SKIP LOCKED)`;

/**
 * The first failure after a success begins a bad time. The ids are those of claims, whatever account they belong to.
 */
export async function markFailing(db: DataSource, endpointIds: string[]): Promise<void> {
  await query(db, markSql('failing_since = now()', 'failing_since IS NULL'), [endpointIds]);
}

/** One success ends it, and with it the caution about the endpoint. */
export async function markWorking(db: DataSource, endpointIds: string[]): Promise<void> {
  await query(db, markSql('failing_since = NULL, degraded_at = NULL', 'failing_since IS NOT NULL'), [endpointIds]);
}

const DEGRADE = `
  UPDATE endpoints SET degraded_at = now()
  WHERE failing_since < now() - make_interval(mins => $1) AND degraded_at IS NULL AND paused_at IS NULL AND deleted_at IS NULL
  RETURNING id, account_id AS "accountId", failing_since AS since`;

/** Endpoints at which nothing has succeeded for so many minutes are degraded from now on. */
export function degradeFailing(tx: Transaction, minutes: number): Promise<Troubled[]> {
  return tx.query<Troubled>(DEGRADE, [minutes]);
}
