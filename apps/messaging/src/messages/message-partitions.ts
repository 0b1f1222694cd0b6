import { firstIdAt } from '@switchboard/contracts';

/** A part of the messages table: the ids from `from` up to, not including, `to`. Null stands for the end of all ids. */
export interface MessagePartition {
  name: string;
  from: string | null;
  to: string | null;
}

/** Below the first month, and above the last one: no message is refused because of its time. */
export const EARLIEST_PARTITION = 'messages_before';
export const LATEST_PARTITION = 'messages_later';

const MONTHS_AHEAD = 3;

/** First moment of the month, in UTC, that is so many months away. */
export function startOfMonth(now: Date, monthsAway = 0): Date {
  return new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + monthsAway, 1));
}

/** The partition of one month, such as `messages_2026_03`. */
export function monthPartition(month: Date): MessagePartition {
  const name = `messages_${month.toISOString().slice(0, 7).replace('-', '_')}`;
  return {
    name,
    from: firstIdAt('msg', startOfMonth(month).getTime()),
    to: firstIdAt('msg', startOfMonth(month, 1).getTime()),
  };
}

const MONTH_NAME = /^messages_(\d{4})_(\d{2})$/;

/** The month of a partition by its name; null for those at the ends. */
export function monthOfPartition(name: string): Date | null {
  const [, year, month] = MONTH_NAME.exec(name) ?? [];
  return year === undefined ? null : new Date(Date.UTC(Number(year), Number(month) - 1, 1));
}

/** The months from `first` to three after `now`, without a gap. */
export function monthsFrom(first: Date, now: Date): MessagePartition[] {
  return monthsBetween(first, startOfMonth(now, MONTHS_AHEAD + 1));
}

/** The months from that of `first` up to, not including, that of `end`. */
export function monthsBetween(first: Date, end: Date): MessagePartition[] {
  const months: MessagePartition[] = [];
  for (let month = startOfMonth(first); month < startOfMonth(end); month = startOfMonth(month, 1))
    months.push(monthPartition(month));
  return months;
}

/** All parts of a new table: the last month, this one and three to come, and one on either side of them. */
export function firstPartitions(now: Date): MessagePartition[] {
  const months = monthsFrom(startOfMonth(now, -1), now);
  const earliest = { name: EARLIEST_PARTITION, from: null, to: months[0]?.from ?? null };
  const latest = { name: LATEST_PARTITION, from: months.at(-1)?.to ?? null, to: null };
  return [earliest, ...months, latest];
}

/** The bounds in SQL. They hold nothing but our own ids, so they need no quoting. */
export function boundsOf({ from, to }: Pick<MessagePartition, 'from' | 'to'>): string {
  return `FOR VALUES FROM (${from === null ? 'MINVALUE' : `'${from}'`}) TO (${to === null ? 'MAXVALUE' : `'${to}'`})`;
}

/** Room on every page lets a status replace its row where it stands, without touching an index. */
const ROW_ROOM = 'WITH (fillfactor = 80)';

export function createPartition(partition: MessagePartition): string {
  return `CREATE TABLE ${partition.name} PARTITION OF messages ${boundsOf(partition)} ${ROW_ROOM}`;
}
