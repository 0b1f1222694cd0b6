import { activity } from '@switchboard/platform';
import type { DataSource } from 'typeorm';
import type { Params } from './connection';
import { preparedQuery } from './prepared';

/**
 * Returns how long a loop that found nothing may rest until work becomes due by time. Asks the database only while the
 * service is idle; otherwise the loop rests as usual.
 * @param dueAt SQL query of one timestamp: when the next work is due, or null if none is waiting
 * @param everyMs the loop's usual rest, for work that is due and that this process could not take
 * @param params parameters of the query
 * @returns milliseconds, or false if nothing is waiting (`LoopOptions.turn`)
 */
export async function dueIn(
  dataSource: DataSource,
  dueAt: string,
  everyMs: number,
  params: Params = [],
): Promise<number | false> {
  if (!activity.isIdle) return false;
  const [row] = await preparedQuery<{ dueInMs: number | null }>(
    dataSource,
    `SELECT extract(epoch FROM (${dueAt}) - clock_timestamp())::float8 * 1000 AS "dueInMs"`,
    params,
  );
  const dueInMs = row?.dueInMs ?? null;
  if (dueInMs === null) return false;
  return dueInMs > 0 ? Math.ceil(dueInMs) : everyMs;
}
