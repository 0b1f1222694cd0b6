import { existsSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';
import { cpuSecondsOf, round } from './harness/figures';
import { inForm } from './harness/form';
import { seedDemo, startInstallation } from './harness/installation';
import type { BenchOptions } from './harness/options';

/** Time until all loops rest, after the reads that follow the set-up. */
const SETTLED_MS = 90_000;
const MEASURED_MS = inForm(120_000, 30_000);

export const about = {
  measures: 'CPU and transactions of an installation with the demo account and nothing to do',
  floor: 'none: an installation without work should need nothing',
};

interface Figure {
  name: string;
  /** Share of a core in percent. */
  corePercent: number;
  /** Transactions of all services, including two of the measurement. */
  transactionsPerSecond?: number;
}

/** Measures what an idle installation costs: transactions per second, and the CPU time of each process. */
export default async function benchIdle({ log }: BenchOptions): Promise<Figure[]> {
  const installation = await startInstallation('idle');
  const database = new pg.Client({ connectionString: installation.databaseUrl });
  try {
    await seedDemo(installation);
    await database.connect();
    log(`waiting ${SETTLED_MS / 1_000} s until the installation is idle`);
    await delay(SETTLED_MS);
    const parts: Record<string, number[]> = {
      ...Object.fromEntries(Object.entries(installation.pids()).map(([name, pid]) => [name, [pid]])),
      PostgreSQL: installation.database.pids(),
      RabbitMQ: [installation.broker.pid],
    };
    const usage = (): Map<number, number> =>
      new Map(Object.values(parts).flatMap((pids) => pids.flatMap((pid) => cpuOf(pid))));
    const [before, committedBefore] = [usage(), await commits(database)];
    log(`measuring ${MEASURED_MS / 1_000} s`);
    await delay(MEASURED_MS);
    const [after, committedAfter] = [usage(), await commits(database)];
    const percent = (name: string): number => {
      const lived = (parts[name] ?? []).filter((pid) => before.has(pid) && after.has(pid));
      const seconds = lived.reduce((sum, pid) => sum + Number(after.get(pid)) - Number(before.get(pid)), 0);
      return seconds / (MEASURED_MS / 100_000);
    };
    const names = Object.keys(parts);
    return [
      {
        name: 'all',
        corePercent: round(names.reduce((sum, name) => sum + percent(name), 0)),
        transactionsPerSecond: round((committedAfter - committedBefore) / (MEASURED_MS / 1_000)),
      },
      ...names.map((name) => ({ name, corePercent: round(percent(name)) })),
    ];
  } finally {
    await database.end();
    await installation.stop();
  }
}

/** Returns nothing for a process that has ended, such as an autovacuum worker. */
function cpuOf(pid: number): [number, number][] {
  return existsSync(`/proc/${pid}/stat`) ? [[pid, cpuSecondsOf(pid)]] : [];
}

async function commits(database: pg.Client): Promise<number> {
  const { rows } = await database.query<{ commits: string }>(
    'SELECT sum(xact_commit) AS commits FROM pg_stat_database',
  );
  return Number(rows[0]?.commits);
}
