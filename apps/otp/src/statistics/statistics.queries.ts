import { query, type Transaction } from '@switchboard/database';
import type { DataSource } from 'typeorm';

/** SQL expression: the shard of a day that counts a phone. */
export const FIGURES_SHARD = (phone: string): string => `(hashtext(${phone}) & 7)::smallint`;

/** $1 account, $2 phone, $3 sent, $4 failed */
const COUNT_SEND = `
  INSERT INTO figures AS f (account_id, day, shard, sent, failed)
  VALUES ($1, (now() AT TIME ZONE 'UTC')::date, ${FIGURES_SHARD('$2')}, $3, $4)
  ON CONFLICT (account_id, day, shard) DO UPDATE SET sent = f.sent + excluded.sent,
    failed = f.failed + excluded.failed`;

/**
 * Counts the outcome of a send in the transaction that stores it. Call it last, because other transactions wait for the
 * shared row.
 */
export function countSend(
  tx: Transaction,
  { accountId, phone }: { accountId: string; phone: string },
  outcome: 'sent' | 'failed',
): void {
  tx.queue(COUNT_SEND, [accountId, phone, outcome === 'sent' ? 1 : 0, outcome === 'failed' ? 1 : 0]);
}

export interface DayCounts {
  day: string;
  sent: number;
  failed: number;
  verified: number;
  refused: number;
}

export function countsByDay(dataSource: DataSource, accountId: string, days: number): Promise<DayCounts[]> {
  return query<DayCounts>(
    dataSource,
    `SELECT to_char(day, 'YYYY-MM-DD') AS day, sum(sent)::float8 AS sent, sum(failed)::float8 AS failed, sum(verified)::float8 AS verified,
       sum(refused)::float8 AS refused
     FROM figures WHERE account_id = $1 AND day > (now() AT TIME ZONE 'UTC')::date - $2::int GROUP BY figures.day
       ORDER BY figures.day DESC`,
    [accountId, days],
  );
}
