import type { PageReply } from '@switchboard/contracts';
import { query } from '@switchboard/database';
import type { DataSource } from 'typeorm';

/** Filtered lists are counted up to here: a total must not cost more the longer the list is (decisions 6). */
export const COUNT_LIMIT = 1_000;

export type CountedList = 'inbound' | 'outbound' | 'contacts' | 'conversations';
export type Total = Pick<PageReply, 'total' | 'totalIsExact'>;

/** $1 account, $2 lists */
export const LIST_TOTAL = 'SELECT COALESCE(sum(total), 0)::float8 AS total FROM list_totals WHERE account_id = $1 AND list = ANY ($2::text[])';

/** The length of whole lists, from the counters that the database keeps (message-triggers.ts). */
export async function wholeTotal(dataSource: DataSource, accountId: string, lists: readonly CountedList[]): Promise<Total> {
  const [row] = await query<{ total: number }>(dataSource, LIST_TOTAL, [accountId, lists]);
  return { total: row?.total ?? 0, totalIsExact: true };
}

/** SQL that counts the rows of a statement, and stops one above the limit. */
export const countUpTo = (rows: string, limit = COUNT_LIMIT): string => `SELECT count(*)::int AS total FROM (${rows} LIMIT ${limit + 1}) AS counted`;

/** The outcome of a statement of `countUpTo`. */
export async function countedTotal(dataSource: DataSource, sql: string, params: unknown[]): Promise<Total> {
  const [row] = await query<{ total: number }>(dataSource, sql, params);
  return capped(row?.total ?? 0);
}

/** Total of a list that was counted no further than one above the limit. */
export function capped(counted: number, limit = COUNT_LIMIT): Total {
  return { total: Math.min(counted, limit), totalIsExact: counted <= limit };
}
