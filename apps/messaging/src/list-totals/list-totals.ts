import type { PageReply } from '@switchboard/contracts';
import { scanQuery, type BoundedScan, boundedCount, type Page, query } from '@switchboard/database';
import type { DataSource } from 'typeorm';

/** Maximum count of a filtered list. The cost of a total must not grow with the list (spec §7.1.10). */
export const COUNT_LIMIT = 1_000;

export type CountedList = 'inbound' | 'outbound' | 'contacts' | 'conversations';
export type Total = Pick<PageReply, 'total' | 'totalIsExact'>;

/** $1 account, $2 lists */
export const LIST_TOTAL =
  'SELECT COALESCE(sum(total), 0)::float8 AS total FROM list_totals WHERE account_id = $1 AND list = ANY ($2::text[])';

/** Returns the total length of unfiltered lists from the counters that triggers maintain. */
export async function wholeTotal(
  dataSource: DataSource,
  accountId: string,
  lists: readonly CountedList[],
): Promise<Total> {
  const [row] = await query<{ total: number }>(dataSource, LIST_TOTAL, [accountId, lists]);
  return { total: row?.total ?? 0, totalIsExact: true };
}

/** Counts messages. The counters exclude unsettled messages. $1 account, $2 lists, $3 true to include unsettled ones */
const MESSAGES_TOTAL = `
  SELECT COALESCE(sum(total), 0)::float8 + (
    SELECT count(*) FROM messages WHERE account_id = $1 AND NOT settled AND $3::boolean
  ) AS total
  FROM list_totals WHERE account_id = $1 AND list = ANY ($2::text[])`;

/**
 * Returns the number of messages of an account.
 * @param direction counts both directions if absent
 */
export async function messagesTotal(
  dataSource: DataSource,
  accountId: string,
  direction?: 'inbound' | 'outbound',
): Promise<Total> {
  const lists = direction ? [direction] : ['inbound', 'outbound'];
  const [row] = await query<{ total: number }>(dataSource, MESSAGES_TOTAL, [accountId, lists, direction !== 'inbound']);
  return { total: row?.total ?? 0, totalIsExact: true };
}

/** Counts the matching rows of a list, as far as one bounded scan reaches. */
export async function scannedTotal(dataSource: DataSource, list: BoundedScan, params: unknown[]): Promise<Total> {
  const [row] = await scanQuery<{ total: number; isCutOff: boolean }>(
    dataSource,
    boundedCount(list, COUNT_LIMIT),
    params,
  );
  const { total, totalIsExact } = capped(row?.total ?? 0);
  return { total, totalIsExact: totalIsExact && row?.isCutOff === false };
}

/** Returns the total of a list that was counted up to one more than the limit. */
export function capped(counted: number, limit = COUNT_LIMIT): Total {
  return { total: Math.min(counted, limit), totalIsExact: counted <= limit };
}

/**
 * Returns the total if the first page determines it: either the page contains all rows, or the scan ended before the
 * page was full.
 */
export function totalOfFirst({ rows, hasNext }: Page<unknown>, limit: number): Total | undefined {
  return hasNext && rows.length === limit ? undefined : { total: rows.length, totalIsExact: !hasNext };
}
