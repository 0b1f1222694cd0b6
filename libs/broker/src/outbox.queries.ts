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

/** Limits of one claim. The first row is claimed regardless of its size. */
export interface ClaimLimits {
  rows: number;
  /** Total size of the bodies. */
  bytes: number;
}

const COLUMNS = 'id, message_id, kind, name, body, headers, delay_seconds, attempts';

/** Claims rows that were never rejected and that no other relay has locked, oldest first. */
export function claimFresh(tx: Transaction, limits: ClaimLimits): Promise<OutboxRow[]> {
  return claim(tx, { rows: 'attempts = 0', order: 'id' }, limits);
}

/** Claims rows that were rejected before, least rejected first. */
export function claimRefused(tx: Transaction, limits: ClaimLimits): Promise<OutboxRow[]> {
  return claim(tx, { rows: 'attempts > 0', order: 'attempts, id' }, limits);
}

/**
 * Limits the size in the database, before rows are returned, so that a backlog of long bodies never fills the process's
 * memory.
 */
function claim(
  tx: Transaction,
  { rows, order }: { rows: string; order: string },
  limits: ClaimLimits,
): Promise<OutboxRow[]> {
  return tx.queryPrepared(
    `SELECT ${COLUMNS} FROM (
      SELECT *, coalesce(sum(octet_length(body)) OVER (ORDER BY ${order} ROWS BETWEEN UNBOUNDED PRECEDING
        AND 1 PRECEDING), 0) AS bytes_before
      FROM (SELECT ${COLUMNS} FROM outbox WHERE ${rows} ORDER BY ${order} LIMIT $1 FOR UPDATE SKIP LOCKED) AS free
    ) AS counted WHERE bytes_before < $2 ORDER BY ${order}`,
    [limits.rows, limits.bytes],
  );
}

/** Moves rows from the outbox to the table of published messages, in one statement. */
export function keepPublished(tx: Transaction, rows: readonly OutboxRow[]): void {
  if (rows.length > 0) tx.queue(MOVE_TO_PUBLISHED, [rows.map(({ id }) => id)]);
}

const KEPT = 'id, message_id, kind, name, body, headers, delay_seconds';
const MOVE_TO_PUBLISHED = `
  WITH gone AS (DELETE FROM outbox WHERE id = ANY($1::bigint[]) RETURNING ${KEPT})
  INSERT INTO published (${KEPT}) SELECT ${KEPT} FROM gone`;

export function recordRejections(tx: Transaction, rows: readonly OutboxRow[]): void {
  if (rows.length > 0)
    tx.queue('UPDATE outbox SET attempts = attempts + 1 WHERE id = ANY($1::bigint[])', [rows.map(({ id }) => id)]);
}
