import { firstIdAt } from '../ordered-ids';

const WEEK_MS = 7 * 24 * 3_600_000;
/** Partitions exist so many weeks ahead, so that rows never have to go to the default one. */
const WEEKS_AHEAD = 3;

/** The tables of the log, cut by weeks along an id that carries its time. What hangs on another row comes first: it is dropped first. */
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
  return { start, end: new Date(start.getTime() + WEEK_MS), name: start.toISOString().slice(0, 10).replaceAll('-', '') };
}

/** The weeks from one moment to some weeks after another. */
export function weeksToKeepReady({ from, now }: { from: Date; now: Date }): Week[] {
  const weeks: Week[] = [];
  const last = now.getTime() + WEEKS_AHEAD * WEEK_MS;
  for (let at = weekOf(from).start.getTime(); at <= last; at += WEEK_MS) weeks.push(weekOf(new Date(at)));
  return weeks;
}

/** Makes the partitions that are missing; doing it again changes nothing. */
export async function createPartitions(run: (sql: string) => Promise<unknown>, span: { from: Date; now: Date }): Promise<void> {
  for (const { start, end, name } of weeksToKeepReady(span)) {
    for (const { table, prefix } of PARTITIONED) {
      const [from, to] = [firstIdAt(prefix, start), firstIdAt(prefix, end)];
      await run(`CREATE TABLE IF NOT EXISTS ${table}_${name} PARTITION OF ${table} FOR VALUES FROM ('${from}') TO ('${to}')`);
    }
  }
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
