import type { Transaction } from '@switchboard/database';

export interface OutboxRow {
  id: string;
  message_id: string;
  kind: 'event' | 'task';
  name: string;
  body: string;
  headers: Record<string, unknown>;
  delay_seconds: number | null;
  attempts: number;
}

const COLUMNS = 'id, message_id, kind, name, body, headers, delay_seconds, attempts';

/** Rows that no other relay holds and that were never refused, oldest first. */
export function claimFresh(tx: Transaction, limit: number): Promise<OutboxRow[]> {
  return tx.queryPrepared(`SELECT ${COLUMNS} FROM outbox WHERE attempts = 0 ORDER BY id LIMIT $1 FOR UPDATE SKIP LOCKED`, [limit]);
}

/** Rows that were refused before; the least refused first. */
export function claimRefused(tx: Transaction, limit: number): Promise<OutboxRow[]> {
  return tx.queryPrepared(`SELECT ${COLUMNS} FROM outbox WHERE attempts > 0 ORDER BY attempts, id LIMIT $1 FOR UPDATE SKIP LOCKED`, [limit]);
}

export function deleteRows(tx: Transaction, rows: readonly OutboxRow[]): void {
  if (rows.length > 0) tx.queue('DELETE FROM outbox WHERE id = ANY($1::bigint[])', [rows.map(({ id }) => id)]);
}

export function noteRefusals(tx: Transaction, rows: readonly OutboxRow[]): void {
  if (rows.length > 0) tx.queue('UPDATE outbox SET attempts = attempts + 1 WHERE id = ANY($1::bigint[])', [rows.map(({ id }) => id)]);
}
