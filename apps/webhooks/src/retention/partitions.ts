import { firstIdAt } from '@switchboard/contracts';

const WEEK_MS = 7 * 24 * 3_600_000;
/** Partitions exist so many weeks ahead, so that rows never have to go to the default one. */
const WEEKS_AHEAD = 3;

/**
 * The tables of the log, cut by weeks along an id that carries its time. What hangs on another row comes first: it is
 * dropped first.
 */
export const PARTITIONED = [
  { table: 'attempts', prefix: 'dlv' },
  { table: 'deliveries', prefix: 'dlv' },
  { table: 'events', prefix: 'evt' },
] as const;

export interface Week {
  /** Monday or whatever day the epoch's weeks begin with, 00:00 UTC. */
  start: Date;
  end: Date;
  /** `20261119`: ends the partitions' names. */
  name: string;
}

/** The week that a moment lies in. */
export function weekOf(time: Date): Week {
  const start = new Date(Math.floor(time.getTime() / WEEK_MS) * WEEK_MS);
  return {
    start,
    end: new Date(start.getTime() + WEEK_MS),
    name: start.toISOString().slice(0, 10).replaceAll('-', ''),
  };
}

/** The weeks from one moment to some weeks after another. */
export function weeksToKeepReady({ from, now }: { from: Date; now: Date }): Week[] {
  const weeks: Week[] = [];
  const last = now.getTime() + WEEKS_AHEAD * WEEK_MS;
  for (let at = weekOf(from).start.getTime(); at <= last; at += WEEK_MS) weeks.push(weekOf(new Date(at)));
  return weeks;
}

/** One table's part of a week. */
export interface Partition {
  table: (typeof PARTITIONED)[number]['table'];
  name: string;
  /** The lowest id that lies in it. */
  from: string;
  /** The lowest id that lies behind it. */
  to: string;
}

/** The partitions that must be there at a moment, and those of the weeks before it from another moment on. */
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
 * Makes a partition unless it is there. Rows of its week that came too early, from a clock that was ahead, lie in the
 * default partition and move over: the database refuses a partition while the default one holds rows of it.
 */
export async function createPartition(run: Run, { table, name, from, to }: Partition): Promise<void> {
  const [found] = (await run(`SELECT to_regclass('${name}') IS NOT NULL AS "isThere"`)) as { isThere: boolean }[];
  if (found?.isThere) return;
  const id = idColumnOf(table);
  await run(`CREATE TABLE ${name} (LIKE ${table} INCLUDING DEFAULTS INCLUDING CONSTRAINTS)`);
  // No further row of the week comes in between.
  await run(`LOCK TABLE ${table}_default IN ACCESS EXCLUSIVE MODE`);
  await run(`
    WITH early AS (DELETE FROM ${table}_default WHERE ${id} >= '${from}' AND ${id} < '${to}' RETURNING *)
    INSERT INTO ${name} SELECT * FROM early`);
  await run(`ALTER TABLE ${table} ATTACH PARTITION ${name} FOR VALUES FROM ('${from}') TO ('${to}')`);
}

/** The column that a table is cut along. */
export function idColumnOf(table: Partition['table']): 'id' | 'delivery_id' {
  return table === 'attempts' ? 'delivery_id' : 'id';
}

/**
 * Which of the given partitions hold nothing but rows of weeks that are over and older than the log is kept.
 * @param names of partitions, as the database lists them
 * @param days how long the log is kept
 */
export function outdatedPartitions(names: string[], { now, days }: { now: Date; days: number }): string[] {
  const keepFrom = weekOf(new Date(now.getTime() - days * 24 * 3_600_000)).name;
  return names.filter((name) => /_\d{8}$/.test(name) && name.slice(-8) < keepFrom);
}
