import { firstIdAt } from '@switchboard/contracts';

const WEEK_MS = 7 * 24 * 3_600_000;
/** Number of weeks to create in advance, so that no rows reach the default partition. */
const WEEKS_AHEAD = 3;

/**
 * Log tables, partitioned by week of the time in their ids. Dependent tables are listed first, because they are dropped
 * first.
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
  /** Suffix of the partition's name, such as `20261119`. */
  name: string;
}

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
  /** Lowest id after the partition's end. */
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
 * Creates a partition unless it exists. A clock that is ahead may have stored rows of this week in the default
 * partition. They move to the new partition, because PostgreSQL rejects a new partition while the default one contains
 * rows for it.
 */
export async function createPartition(run: Run, { table, name, from, to }: Partition): Promise<void> {
  const [found] = (await run(`SELECT to_regclass('${name}') IS NOT NULL AS "isThere"`)) as { isThere: boolean }[];
  if (found?.isThere) return;
  const id = idColumnOf(table);
  await run(`CREATE TABLE ${name} (LIKE ${table} INCLUDING DEFAULTS INCLUDING CONSTRAINTS)`);
  // Prevent further rows of the week in the default partition.
  await run(`LOCK TABLE ${table}_default IN ACCESS EXCLUSIVE MODE`);
  await run(`
    WITH early AS (DELETE FROM ${table}_default WHERE ${id} >= '${from}' AND ${id} < '${to}' RETURNING *)
    INSERT INTO ${name} SELECT * FROM early`);
  await run(`ALTER TABLE ${table} ATTACH PARTITION ${name} FOR VALUES FROM ('${from}') TO ('${to}')`);
}

export function idColumnOf(table: Partition['table']): 'id' | 'delivery_id' {
  return table === 'attempts' ? 'delivery_id' : 'id';
}

/**
 * Returns the given partitions in which every week is older than the retention.
 * @param names partition names, as the database lists them
 * @param days retention of the log in days
 */
export function outdatedPartitions(names: string[], { now, days }: { now: Date; days: number }): string[] {
  const keepFrom = weekOf(new Date(now.getTime() - days * 24 * 3_600_000)).name;
  return names.filter((name) => /_\d{8}$/.test(name) && name.slice(-8) < keepFrom);
}
