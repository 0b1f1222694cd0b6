import { firstIdAt } from '@switchboard/contracts';

const WEEK_MS = 7 * 24 * 3_600_000;
/** Number of weeks to create in advance, so that no rows go to the default partition. */
const WEEKS_AHEAD = 3;

/**
 * Log tables, partitioned by week along an id that contains its time. Dependent tables come first, because they are
 * dropped first.
 */
export const PARTITIONED = [
  { table: 'attempts', prefix: 'dlv' },
  { table: 'deliveries', prefix: 'dlv' },
  { table: 'events', prefix: 'evt' },
] as const;

export interface Week {
  /** First day of the week at 00:00 UTC. Weeks are counted from the Unix epoch. */
  start: Date;
  end: Date;
  /** Suffix of the partition names, such as `20261119`. */
  name: string;
}

/** Returns the week of a point in time. */
export function weekOf(time: Date): Week {
  const start = new Date(Math.floor(time.getTime() / WEEK_MS) * WEEK_MS);
  return {
    start,
    end: new Date(start.getTime() + WEEK_MS),
    name: start.toISOString().slice(0, 10).replaceAll('-', ''),
  };
}

/** Returns the weeks from one point in time to `WEEKS_AHEAD` after another. */
export function weeksToKeepReady({ from, now }: { from: Date; now: Date }): Week[] {
  const weeks: Week[] = [];
  const last = now.getTime() + WEEKS_AHEAD * WEEK_MS;
  for (let at = weekOf(from).start.getTime(); at <= last; at += WEEK_MS) weeks.push(weekOf(new Date(at)));
  return weeks;
}

/** The partition of one table and week. */
export interface Partition {
  table: (typeof PARTITIONED)[number]['table'];
  name: string;
  /** Lowest id in the partition. */
  from: string;
  /** Lowest id after the partition. */
  to: string;
}

/** Returns the partitions that must exist now, including those of earlier weeks since `from`. */
export function partitionsToKeepReady(span: { from: Date; now: Date }): Partition[] {
  return weeksToKeepReady(span).flatMap(({ start, end, name }) =>
    PARTITIONED.map(({ table, prefix }) => ({
      table,
      name: `${table}_${name}`,
      from: firstIdAt(prefix, start),
      to: firstIdAt(prefix, end),
    })),
  );
}

type Run = (sql: string) => Promise<unknown>;

/**
 * Creates a partition unless it exists. Rows of its week that were stored early, by a clock that was ahead, move over
 * from the default partition. PostgreSQL rejects a new partition while the default one holds rows for it.
 */
export async function createPartition(run: Run, { table, name, from, to }: Partition): Promise<void> {
  const [found] = (await run(`SELECT to_regclass('${name}') IS NOT NULL AS "isThere"`)) as { isThere: boolean }[];
  if (found?.isThere) return;
  const id = idColumnOf(table);
  await run(`CREATE TABLE ${name} (LIKE ${table} INCLUDING DEFAULTS INCLUDING CONSTRAINTS)`);
  // Prevents further rows of the week in the default partition.
  await run(`LOCK TABLE ${table}_default IN ACCESS EXCLUSIVE MODE`);
  await run(`
    WITH early AS (DELETE FROM ${table}_default WHERE ${id} >= '${from}' AND ${id} < '${to}' RETURNING *)
    INSERT INTO ${name} SELECT * FROM early`);
  await run(`ALTER TABLE ${table} ATTACH PARTITION ${name} FOR VALUES FROM ('${from}') TO ('${to}')`);
}

/** Returns the partition key of a table. */
export function idColumnOf(table: Partition['table']): 'id' | 'delivery_id' {
  return table === 'attempts' ? 'delivery_id' : 'id';
}

/**
 * Returns the given partitions that contain only weeks older than the retention.
 * @param names names of partitions, as the database lists them
 * @param days retention of the log in days
 */
export function outdatedPartitions(names: string[], { now, days }: { now: Date; days: number }): string[] {
  const keepFrom = weekOf(new Date(now.getTime() - days * 24 * 3_600_000)).name;
  return names.filter((name) => /_\d{8}$/.test(name) && name.slice(-8) < keepFrom);
}
