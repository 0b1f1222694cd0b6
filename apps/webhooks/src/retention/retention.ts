import { firstIdAt } from '@switchboard/contracts';
import { Inject, Injectable } from '@nestjs/common';
import { type Transaction, Transactions } from '@switchboard/database';
import { CONFIG, Every, type Logger, LOGGER, CLEANUP_STATEMENT_MS } from '@switchboard/platform';
import type { WebhooksConfig } from '../config';
import { AccountRetention } from './account-retention';
import {
  createPartition,
  idColumnOf,
  outdatedPartitions,
  type Partition,
  PARTITIONED,
  partitionsToKeepReady,
  weekOf,
} from './partitions';

const EVERY_MS = 3_600_000;
/** Longer than the seven days during which the upstream platform repeats a report. */
const KEY_DAYS = 8;
const KEYS_PER_STEP = 10_000;
const DAY_MS = 24 * 3_600_000;

/**
 * Creates upcoming log partitions and removes events past their retention, the log's or that of an account. Any number
 * of processes may run it: a database lock admits one process at a time to the partitions.
 */
@Injectable()
export class Retention {
  constructor(
    @Inject(CONFIG) private readonly config: WebhooksConfig,
    @Inject(LOGGER) private readonly logger: Logger,
    private readonly transactions: Transactions,
    private readonly accounts: AccountRetention,
  ) {}

  @Every({ name: 'retention', everyMs: EVERY_MS, statementMs: CLEANUP_STATEMENT_MS })
  keepUpNow(): Promise<boolean> {
    return this.keepUp(new Date());
  }

  /**
   * Maintains the log in steps. A failing step does not stop the following ones.
   * @returns true if there is more to do
   * @throws the errors of the failed steps, after all steps have run
   */
  async keepUp(now: Date): Promise<boolean> {
    const failures: unknown[] = [];
    const attempt = async (step: () => Promise<boolean | void>): Promise<boolean> => {
      try {
        return (await step()) === true;
      } catch (error) {
        failures.push(error);
        return false;
      }
    };
    for (const partition of partitionsToKeepReady({ from: now, now })) {
      await attempt(() => this.alone((tx) => createPartition((sql) => tx.query(sql), partition)));
    }
    await attempt(() => this.dropOutdated(now, attempt));
    const hasMoreKeys = await attempt(
      async () => (await this.transactions.run((tx) => deleteOldKeys(tx))) === KEYS_PER_STEP,
    );
    const hasMoreEvents = await attempt(async () => !(await this.accounts.removeStep(now)).done);
    if (failures.length > 0)
      throw new AggregateError(failures, failures.map(messageOf).join('; '), { cause: failures[0] });
    return hasMoreKeys || hasMoreEvents;
  }

  /** Drops expired partitions. Deliveries that still wait are dropped together with their events. */
  private async dropOutdated(now: Date, attempt: (step: () => Promise<void>) => Promise<boolean>): Promise<void> {
    const days = this.config.WEBHOOK_LOG_DAYS;
    const keepFrom = weekOf(new Date(now.getTime() - days * DAY_MS)).start;
    await this.alone(async (tx) => {
      await tx.query('DELETE FROM pending_deliveries WHERE event_id < $1', [firstIdAt('evt', keepFrom)]);
      await tx.query('DELETE FROM replays WHERE created_at < $1', [keepFrom]);
    });
    for (const { table, prefix } of PARTITIONED) {
      await attempt(() => this.alone((tx) => deleteStray(tx, table, firstIdAt(prefix, keepFrom))));
      const names = await this.transactions.run((tx) => partitionsOf(tx, table));
      for (const name of outdatedPartitions(names, { now, days })) await attempt(() => this.dropPartition(name));
    }
  }

  private dropPartition(name: string): Promise<void> {
    return this.alone(async (tx) => {
      await tx.query(`DROP TABLE IF EXISTS ${name}`);
      this.logger.info({ partition: name }, 'log.partition-dropped');
    });
  }

  /** Runs the work unless another process holds the lock and is doing the same work. */
  private alone(work: (tx: Transaction) => Promise<void>): Promise<void> {
    return this.transactions.run(async (tx) => {
      if (await takeLock(tx)) await work(tx);
    });
  }
}

/** Limits the wait for table locks, because writers queue behind a waiting lock request. */
async function takeLock(tx: Transaction): Promise<boolean> {
  await tx.query(`SET LOCAL lock_timeout = '2s'`);
  const [row] = await tx.query<{ taken: boolean }>(`SELECT pg_try_advisory_xact_lock(hashtext('retention')) AS taken`);
  return row?.taken === true;
}

async function partitionsOf(tx: Transaction, table: string): Promise<string[]> {
  const rows = await tx.query<{ name: string }>(
    'SELECT inhrelid::regclass::text AS name FROM pg_inherits WHERE inhparent = $1::regclass ORDER BY 1',
    [table],
  );
  return rows.map(({ name }) => name);
}

async function deleteOldKeys(tx: Transaction): Promise<number> {
  const sql = `DELETE FROM event_keys WHERE key IN (SELECT key FROM event_keys WHERE created_at < now() - make_interval(days => $1) LIMIT $2) RETURNING key`;
  return (await tx.query(sql, [KEY_DAYS, KEYS_PER_STEP])).length;
}

/** Deletes expired rows in the default partition. */
async function deleteStray(tx: Transaction, table: Partition['table'], below: string): Promise<void> {
  await tx.query(`DELETE FROM ${table}_default WHERE ${idColumnOf(table)} < $1`, [below]);
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
