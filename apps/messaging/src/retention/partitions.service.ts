import { setTimeout } from 'node:timers/promises';
import { Inject, Injectable } from '@nestjs/common';
import { type Transaction, Transactions } from '@switchboard/database';
import { Every, type Logger, LOGGER, CLEANUP_STATEMENT_MS } from '@switchboard/platform';
import {
  boundsOf,
  EARLIEST_PARTITION,
  LATEST_PARTITION,
  type MessagePartition,
  monthOfPartition,
  monthPartition,
  monthsBetween,
  monthsFrom,
  startOfMonth,
} from '../messages/message-partitions';

/** Ensures that one replica at a time maintains the partitions. */
const LOCK_MAINTENANCE = "SELECT pg_try_advisory_xact_lock(hashtext('messaging.partitions')) AS locked";

/** Limits the wait for locks, because sends wait while the table changes. A later run tries again. */
const LIMIT_LOCK_WAIT = "SET LOCAL lock_timeout = '500ms'";

/**
 * Locks both tables before any change, because the foreign key also locks `numbers`, and a callback may hold a number
 * while it waits for a message. With these locks first, such a wait is no deadlock, and the failing transaction is
 * never a callback.
 */
const LOCK_TABLES = ['LOCK TABLE numbers IN SHARE ROW EXCLUSIVE MODE', 'LOCK TABLE messages IN ACCESS EXCLUSIVE MODE'];
/** Number of attempts to get the locks. Callbacks run in between. */
const LOCK_TRIES = 3;
const LOCK_PAUSE_MS = 300;

const LIST_PARTITIONS = `
  SELECT child.relname AS name FROM pg_inherits JOIN pg_class AS child ON child.oid = inhrelid
  WHERE inhparent = 'messages'::regclass ORDER BY child.relname`;

/** Reads the columns that are not generated. */
const LIST_COLUMNS = `
  SELECT string_agg(quote_ident(attname), ', ' ORDER BY attnum) AS columns FROM pg_attribute
  WHERE attrelid = 'messages'::regclass AND attnum > 0 AND NOT attisdropped AND attgenerated = ''`;

/** Detaches the partition above the last month, so that months can be added below it. */
const DETACH_LATEST = `ALTER TABLE messages DETACH PARTITION ${LATEST_PARTITION}`;

/** Reattaches this partition above the given id. */
const attachLatest = (from: string): string =>
  `ALTER TABLE messages ATTACH PARTITION ${LATEST_PARTITION} ${boundsOf({ from, to: null })}`;

/**
 * Creates a month and moves its rows from another partition, where they were stored because they arrived before the
 * month was created. The moved rows are not counted again.
 */
const attachMonth = (month: MessagePartition, columns: string, other: string): string[] => [
  `CREATE TABLE ${month.name} (LIKE messages INCLUDING DEFAULTS INCLUDING GENERATED INCLUDING CONSTRAINTS) WITH (fillfactor = 80)`,
  `WITH early AS (DELETE FROM ${other} WHERE id >= '${month.from ?? ''}' AND id < '${month.to ?? ''}' RETURNING ${columns})
   INSERT INTO ${month.name} (${columns}) SELECT ${columns} FROM early`,
  `ALTER TABLE messages ATTACH PARTITION ${month.name} ${boundsOf(month)}`,
];

/** Detaches the partition below the first month, so that months can be added above it. */
const DETACH_EARLIEST = `ALTER TABLE messages DETACH PARTITION ${EARLIEST_PARTITION}`;
const attachEarliest = (to: string): string =>
  `ALTER TABLE messages ATTACH PARTITION ${EARLIEST_PARTITION} ${boundsOf({ from: null, to })}`;

/**
 * Counts the rows below the first month, up to a limit, because too many rows are not moved while the tables are
 * locked.
 * $1 maximum rows
 */
const COUNT_EARLIEST = `SELECT count(*)::int AS count FROM (SELECT 1 FROM ${EARLIEST_PARTITION} LIMIT $1) AS earliest`;
const MOVED_MOST = 1_000;
/** Number of months of history that the platform shares, plus one. */
const EARLIER_MONTHS = 7;

const hasRows = (partition: string): string => `SELECT EXISTS (SELECT 1 FROM ${partition}) AS used`;
/** Blocks writes to a partition until the transaction ends. */
const closePartition = (partition: string): string => `LOCK TABLE ${partition} IN ACCESS EXCLUSIVE MODE`;

/**
 * Drops the oldest months. The partition below the first month is extended to their range, so that every id has a
 * partition.
 */
const dropMonths = (months: readonly string[], to: string): string[] => [
  ...months.map((name) => `DROP TABLE ${name}`),
  DETACH_EARLIEST,
  attachEarliest(to),
];

/** Run interval. Months are created three months ahead. */
const EVERY_MS = 3_600_000;

/** Maintains the monthly partitions of the messages table: creates new ones in advance and drops empty old ones. */
@Injectable()
export class PartitionsService {
  /** First month as last read by this process. A chunk of history is usually within existing months. */
  private earliestMonth?: Date;

  constructor(
    private readonly transactions: Transactions,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  @Every({ name: 'partitions', everyMs: EVERY_MS, statementMs: CLEANUP_STATEMENT_MS })
  keepMonthsReady(): Promise<void> {
    return this.addMonths();
  }

  /** Creates the months that will be needed. Idempotent. */
  async addMonths(now = new Date()): Promise<void> {
    const added = await this.run(async (tx) => {
      if (!(await lockMaintenance(tx))) return [];
      const newest = monthOfPartition((await monthNames(tx)).at(-1) ?? '');
      const missing = monthsFrom(newest ? startOfMonth(newest, 1) : startOfMonth(now, -1), now);
      if (missing.length === 0) return [];
      const [row] = await tx.query<{ columns: string }>(LIST_COLUMNS);
      const statements = [
        ...LOCK_TABLES,
        DETACH_LATEST,
        ...missing.flatMap((month) => attachMonth(month, row?.columns ?? '', LATEST_PARTITION)),
        attachLatest(missing.at(-1)?.to ?? ''),
      ];
      for (const sql of statements) await tx.query(sql);
      return missing.map(({ name }) => name);
    });
    if (added.length > 0) this.logger.info({ added }, 'partitions.added');
  }

  /**
   * Creates the months from the given time up to the first existing one, for old messages, at most seven months back.
   * Changes nothing if many messages are already stored there.
   */
  async addEarlierMonths(oldest: Date, now = new Date()): Promise<void> {
    const first = startOfMonth(
      oldest < startOfMonth(now, -EARLIER_MONTHS) ? startOfMonth(now, -EARLIER_MONTHS) : oldest,
    );
    if (this.earliestMonth !== undefined && first >= this.earliestMonth) return;
    const added = await this.run(async (tx) => {
      const known = await earliestMonth(tx);
      if (known && first >= known) return { known, names: [] };
      if (!known || !(await lockMaintenance(tx))) return { names: [] };
      // Check again under the lock, because another process may have created them.
      const end = (await earliestMonth(tx)) ?? known;
      const [row] = await tx.query<{ count: number }>(COUNT_EARLIEST, [MOVED_MOST + 1]);
      if (first >= end || (row?.count ?? 0) > MOVED_MOST) return { known: end, names: [] };
      const [{ columns } = { columns: '' }] = await tx.query<{ columns: string }>(LIST_COLUMNS);
      const missing = monthsBetween(first, end);
      const statements = [
        ...LOCK_TABLES,
        DETACH_EARLIEST,
        ...missing.flatMap((month) => attachMonth(month, columns, EARLIEST_PARTITION)),
        attachEarliest(missing[0]?.from ?? ''),
      ];
      for (const sql of statements) await tx.query(sql);
      return { known: first, names: missing.map(({ name }) => name) };
    });
    this.earliestMonth = added.known;
    if (added.names.length > 0) this.logger.info({ added: added.names }, 'partitions.added');
  }

  /**
   * Drops the oldest months up to the first one in use.
   * @returns their names
   */
  async dropEmptyMonths(now = new Date()): Promise<string[]> {
    const dropped = await this.run(async (tx) => {
      if (!(await lockMaintenance(tx)) || (await isUsed(tx, EARLIEST_PARTITION))) return [];
      const empty: string[] = [];
      for (const name of await monthNames(tx)) {
        const month = monthOfPartition(name) ?? now;
        if (month >= startOfMonth(now, -1) || (await isUsed(tx, name))) break;
        empty.push(name);
        for (const sql of LOCK_TABLES) await tx.query(sql);
        if (await isUsedWhenClosed(tx, [EARLIEST_PARTITION, name])) throw new Error(`${name} is in use again`);
      }
      const next = monthOfPartition(empty.at(-1) ?? '');
      if (next) for (const sql of dropMonths(empty, monthPartition(next).to ?? '')) await tx.query(sql);
      return empty;
    });
    if (dropped.length > 0) this.logger.info({ dropped }, 'partitions.dropped');
    return dropped;
  }

  /** Retries the work if it did not get its locks in time. */
  private async run<T>(work: (tx: Transaction) => Promise<T>): Promise<T> {
    for (let tried = 1; ; tried += 1) {
      try {
        return await this.transactions.run(work);
      } catch (error) {
        if (tried === LOCK_TRIES || !isLockMissed(error)) throw error;
        await setTimeout(LOCK_PAUSE_MS);
      }
    }
  }
}

/** Returns true for a lock timeout or a deadlock. */
function isLockMissed(error: unknown): boolean {
  return error instanceof Error && 'code' in error && (error.code === '55P03' || error.code === '40P01');
}

async function isUsed(tx: Transaction, partition: string): Promise<boolean> {
  const [row] = await tx.query<{ used: boolean }>(hasRows(partition));
  return row?.used === true;
}

/** Checks again after blocking writes, because a late message may have arrived meanwhile. */
async function isUsedWhenClosed(tx: Transaction, partitions: readonly string[]): Promise<boolean> {
  for (const partition of partitions) await tx.query(closePartition(partition));
  return (await Promise.all(partitions.map((partition) => isUsed(tx, partition)))).includes(true);
}

async function lockMaintenance(tx: Transaction): Promise<boolean> {
  await tx.query(LIMIT_LOCK_WAIT);
  const [row] = await tx.query<{ locked: boolean }>(LOCK_MAINTENANCE);
  return row?.locked === true;
}

async function earliestMonth(tx: Transaction): Promise<Date | undefined> {
  return monthOfPartition((await monthNames(tx))[0] ?? '') ?? undefined;
}

/** Returns the names of the months, oldest first. */
async function monthNames(tx: Transaction): Promise<string[]> {
  return (await tx.query<{ name: string }>(LIST_PARTITIONS))
    .map(({ name }) => name)
    .filter((name) => monthOfPartition(name) !== null);
}
