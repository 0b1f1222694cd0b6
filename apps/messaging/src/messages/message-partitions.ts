import { firstIdAt } from '@switchboard/contracts';

/** A partition of the messages table, for ids from `from` up to but excluding `to`. Null means unbounded. */
export interface MessagePartition {
  name: string;
  from: string | null;
  to: string | null;
}

/** Partitions before the first and after the last month, so that no message is rejected because of its time. */
export const EARLIEST_PARTITION = 'messages_before';
export const LATEST_PARTITION = 'messages_later';

const MONTHS_AHEAD = 3;

/** Returns the first moment of the month in UTC, offset by `monthsAway`. */
export function startOfMonth(now: Date, monthsAway = 0): Date {
  return new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + monthsAway, 1));
}

/** Returns the partition of one month, such as `messages_2026_03`. */
export function monthPartition(month: Date): MessagePartition {
  const name = `messages_${month.toISOString().slice(0, 7).replace('-', '_')}`;
  return {
    name,
    from: firstIdAt('msg', startOfMonth(month).getTime()),
    to: firstIdAt('msg', startOfMonth(month, 1).getTime()),
  };
}

const MONTH_NAME = /^messages_(\d{4})_(\d{2})$/;

/** Parses the month from a partition name. Null for the first and the last partition. */
export function monthOfPartition(name: string): Date | null {
  const [, year, month] = MONTH_NAME.exec(name) ?? [];
  return year === undefined ? null : new Date(Date.UTC(Number(year), Number(month) - 1, 1));
}

/** Returns the months from `first` to three after `now`, without gaps. */
export function monthsFrom(first: Date, now: Date): MessagePartition[] {
  return monthsBetween(first, startOfMonth(now, MONTHS_AHEAD + 1));
}

/** Returns the months from that of `first` up to but excluding that of `end`. */
export function monthsBetween(first: Date, end: Date): MessagePartition[] {
  const months: MessagePartition[] = [];
  for (let month = startOfMonth(first); month < startOfMonth(end); month = startOfMonth(month, 1))
    months.push(monthPartition(month));
  return months;
}

/**
 * Returns all partitions of a new table: last month, this month, the next three, and the unbounded ones at both ends.
 */
export function firstPartitions(now: Date): MessagePartition[] {
  const months = monthsFrom(startOfMonth(now, -1), now);
  const earliest = { name: EARLIEST_PARTITION, from: null, to: months[0]?.from ?? null };
  const latest = { name: LATEST_PARTITION, from: months.at(-1)?.to ?? null, to: null };
  return [earliest, ...months, latest];
}

/** Returns the bounds as SQL literals. Ids need no escaping. */
export function boundsOf({ from, to }: Pick<MessagePartition, 'from' | 'to'>): string {
  return `FOR VALUES FROM (${from === null ? 'MINVALUE' : `'${from}'`}) TO (${to === null ? 'MAXVALUE' : `'${to}'`})`;
}

/** Reserves space on each page for HOT updates, so that a new status needs no index update. */
const ROW_ROOM = 'WITH (fillfactor = 80)';

export function createPartition(partition: MessagePartition): string {
  return `CREATE TABLE ${partition.name} PARTITION OF messages ${boundsOf(partition)} ${ROW_ROOM}`;
}
