import { firstIdAt } from '@switchboard/contracts';
import { Inject, Injectable } from '@nestjs/common';
import { type Transaction, Transactions } from '@switchboard/database';
import { CONFIG, Every, type Logger, LOGGER, UPKEEP_STATEMENT_MS } from '@switchboard/platform';
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
/** Reports of one fact come back within the upstream's seven days. */
const KEY_DAYS = 8;
const KEYS_PER_STEP = 10_000;
const DAY_MS = 24 * 3_600_000;

/**
 * Makes the log's coming partitions and drops what is older than it is kept, for everybody or for an account. Any
 * number of processes may run it: a lock in the database lets one of them work on the partitions at a time.
 */
@Injectable()
export class Retention {
  constructor(
    @Inject(CONFIG) private readonly config: WebhooksConfig,
    @Inject(LOGGER) private readonly logger: Logger,
    private readonly transactions: Transactions,
    private readonly accounts: AccountRetention,
  ) {}

  @Every({ name: 'retention', everyMs: EVERY_MS, statementMs: UPKEEP_STATEMENT_MS })
  keepUpNow(): Promise<boolean> {
    return this.keepUp(new Date());
  }

  /**
   * Brings the log into the state that fits the moment, step by step: one that fails stops no other.
   * @returns whether there is more to do
   * @throws what the steps failed with, once all were tried
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

  /** What still waits after all that time goes with its event: its bytes are gone. */
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
      this.logger.info({ partition: name }, 'log.dropped');
    });
  }

  /** One process at a time changes the tables; the others leave it to that one. */
  private alone(work: (tx: Transaction) => Promise<void>): Promise<void> {
    return this.transactions.run(async (tx) => {
      if (await takeLock(tx)) await work(tx);
    });
  }
}

/** Waits for no one for long: whoever writes must not queue behind us. */
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

/** Rows without a partition of their own that are too old. */
async function deleteStray(tx: Transaction, table: Partition['table'], below: string): Promise<void> {
  await tx.query(`DELETE FROM ${table}_default WHERE ${idColumnOf(table)} < $1`, [below]);
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
