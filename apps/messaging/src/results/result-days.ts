import { firstIdAt, RESULT_GROUPINGS, RESULT_OPEN_DAYS, timeOfId } from '@switchboard/contracts';
import type { Transaction } from '@switchboard/database';
import { type CountsOf, ResultCounts } from './count-results';
import * as sql from './results.queries';

export const DAY_MS = 86_400_000;
/** Number of messages that are read at a time. */
export const PAGE_ROWS = 2_000;
/** Time before a message within which the contact's messages count as waiting for it. */
const WAITING_DAYS = 30;

export const dayOf = (time: number): string => new Date(time).toISOString().slice(0, 10);
const idAt = (time: number): string => firstIdAt('msg', time);

/** A day of an account, in UTC. */
export interface AccountDay {
  accountId: string;
  day: string;
}

/** The time for a computation is used up. */
export class OutOfTimeError extends Error {}

/**
 * Counts the outbound messages of a day.
 * @param checkTime called before each page; may throw
 */
export async function countDay(
  tx: Transaction,
  { accountId, day }: AccountDay,
  checkTime: () => void = () => undefined,
): Promise<ResultCounts> {
  const counts = new ResultCounts();
  const bounds = boundsOf(day);
  let after = bounds.first;
  for (;;) {
    checkTime();
    const rows = await tx.query<sql.ResultRow>(sql.OUTCOMES_OF_RANGE, [
      accountId,
      after,
      bounds.end,
      ...bounds.neighbours,
      PAGE_ROWS,
    ]);
    for (const row of rows) if (row.direction === 'outbound') counts.add(row);
    const last = rows.at(-1);
    if (!last || rows.length < PAGE_ROWS) return counts;
    after = last.id;
  }
}

/** Stores the counts of a day in place of the earlier ones. */
export async function storeCounts(
  tx: Transaction,
  { accountId, day }: AccountDay,
  counts: ResultCounts,
  isRemoved: boolean,
): Promise<void> {
  await tx.query(sql.DELETE_COUNTS, [accountId, day, RESULT_GROUPINGS, isRemoved]);
  const rows = counts.all().map((each) => ({ accountId, day, removed: isRemoved, ...each }));
  if (rows.length > 0) await tx.query(sql.INSERT_COUNTS, sql.COUNTS_OF_DAY.parameters(rows));
}

/**
 * Keeps the counts of messages that the same transaction deletes afterwards, for days that are not final. The counts
 * contain no personal data.
 */
export async function keepCounts(
  tx: Transaction,
  accountId: string,
  messageIds: readonly string[],
  now = Date.now(),
): Promise<void> {
  const idsOf = new Map<string, string[]>();
  for (const id of messageIds) {
    const day = dayOf(timeOfId('msg', id)?.getTime() ?? now);
    idsOf.set(day, [...(idsOf.get(day) ?? []), id]);
  }
  const days = [...idsOf.keys()];
  const recent = days.filter((day) => day >= dayOf(now - DAY_MS));
  if (recent.length > 0) await tx.query(sql.ADD_DAYS, [accountId, recent]);
  const open = await tx.query<{ day: string }>(sql.NOTE_REMOVALS, [accountId, days]);
  if (open.length === 0) return;
  await tx.query(sql.READ_IN_INDEX_ORDER);
  for (const { day } of open) {
    const counts = new ResultCounts();
    const { first, end, neighbours } = boundsOf(day);
    const ids = idsOf.get(day) ?? [];
    for (let start = 0; start < ids.length; start += PAGE_ROWS) {
      const page = ids.slice(start, start + PAGE_ROWS);
      const rows = await tx.query<sql.ResultRow>(sql.OUTCOMES_OF_IDS, [accountId, first, end, ...neighbours, page]);
      for (const row of rows) counts.add(row);
    }
    for (const kept of await tx.query<CountsOf>(sql.REMOVED_COUNTS, [accountId, day, RESULT_GROUPINGS]))
      counts.merge(kept);
    await storeCounts(tx, { accountId, day }, counts, true);
  }
  await tx.query(sql.READ_IN_ANY_ORDER);
}

/** Returns the ids that limit the messages of a day, and the parameters $4 to $6 of `OUTCOMES_OF_RANGE`. */
function boundsOf(day: string): { first: string; end: string; neighbours: unknown[] } {
  const start = Date.parse(day);
  return {
    // Compared exclusively: no message has the lowest id of a millisecond.
    first: idAt(start),
    end: idAt(start + DAY_MS),
    neighbours: [
      // Times of the platform have whole seconds and another clock.
      new Date(start - DAY_MS),
      idAt(start + DAY_MS + RESULT_OPEN_DAYS * DAY_MS),
      idAt(start - WAITING_DAYS * DAY_MS),
    ],
  };
}
