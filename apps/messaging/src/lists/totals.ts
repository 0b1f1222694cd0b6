import type { PageReply } from '@switchboard/contracts';
import { lookQuery, type LookThrough, lookThroughCount, type Page, query } from '@switchboard/database';
import type { DataSource } from 'typeorm';

/** Filtered lists are counted up to here: a total must not cost more the longer the list is (spec §7.1.10). */
export const COUNT_LIMIT = 1_000;

export type CountedList = 'inbound' | 'outbound' | 'contacts' | 'conversations';
export type Total = Pick<PageReply, 'total' | 'totalIsExact'>;

/** $1 account, $2 lists */
export const LIST_TOTAL =
  'SELECT COALESCE(sum(total), 0)::float8 AS total FROM list_totals WHERE account_id = $1 AND list = ANY ($2::text[])';

/** The length of whole lists, from the counters that the database keeps (message-triggers.ts). */
export async function wholeTotal(
  dataSource: DataSource,
  accountId: string,
  lists: readonly CountedList[],
): Promise<Total> {
  const [row] = await query<{ total: number }>(dataSource, LIST_TOTAL, [accountId, lists]);
  return { total: row?.total ?? 0, totalIsExact: true };
}

/** Number of messages; the counters do not have the open ones. $1 account, $2 lists, $3 with open ones */
const MESSAGES_TOTAL = `
  SELECT COALESCE(sum(total), 0)::float8 + (
    SELECT count(*) FROM messages WHERE account_id = $1 AND NOT settled AND $3::boolean
  ) AS total
  FROM list_totals WHERE account_id = $1 AND list = ANY ($2::text[])`;

/** The number of an account's messages. @param direction both when absent */
export async function messagesTotal(
  dataSource: DataSource,
  accountId: string,
  direction?: 'inbound' | 'outbound',
): Promise<Total> {
  const lists = direction ? [direction] : ['inbound', 'outbound'];
  const [row] = await query<{ total: number }>(dataSource, MESSAGES_TOTAL, [accountId, lists, direction !== 'inbound']);
  return { total: row?.total ?? 0, totalIsExact: true };
}

/** The rows of a list that match, counted as far as one look through it goes. */
export async function lookedTotal(dataSource: DataSource, list: LookThrough, params: unknown[]): Promise<Total> {
  const [row] = await lookQuery<{ total: number; isCutOff: boolean }>(
    dataSource,
    lookThroughCount(list, COUNT_LIMIT),
    params,
  );
  const { total, totalIsExact } = capped(row?.total ?? 0);
  return { total, totalIsExact: totalIsExact && row?.isCutOff === false };
}

/** Total of a list that was counted no further than one above the limit. */
export function capped(counted: number, limit = COUNT_LIMIT): Total {
  return { total: Math.min(counted, limit), totalIsExact: counted <= limit };
}

/**
 * The total that the first page of a list tells by itself: it has all there is, or the look through the list ended
 * before it was full.
 */
export function totalOfFirst({ rows, hasNext }: Page<unknown>, limit: number): Total | undefined {
  return hasNext && rows.length === limit ? undefined : { total: rows.length, totalIsExact: !hasNext };
}
