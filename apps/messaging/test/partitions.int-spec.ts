import { Transactions } from '@switchboard/database';
import { metricsRegistry } from '@switchboard/platform';
import { eventually, silentLogger } from '@switchboard/testing';
import { startOfMonth } from '../src/messages/message-partitions';
import { PartitionMetrics } from '../src/retention/partition-metrics';
import { PartitionsService } from '../src/retention/partitions.service';
import { createStore, type StoredAccount, type TestStore } from './support/store';

const ASHA = '919812345678';

describe('monthly message partitions', () => {
  let store: TestStore;
  let partitions: PartitionsService;
  let account: StoredAccount;
  const now = new Date();
  const later = (months: number): Date => new Date(startOfMonth(now, months).getTime() + 86_400_000);

  beforeEach(async () => {
    store = await createStore();
    partitions = new PartitionsService(new Transactions(store.dataSource), silentLogger);
    account = await store.addAccount();
  });
  afterEach(() => store.drop());

  const names = async (): Promise<string[]> =>
    (
      await store.dataSource.query<{ name: string }[]>(
        "SELECT inhrelid::regclass::text AS name FROM pg_inherits WHERE inhparent = 'messages'::regclass ORDER BY 1",
      )
    ).map(({ name }) => name);
  const partitionOf = async (id = ''): Promise<string> =>
    (
      await store.dataSource.query<{ name: string }[]>(
        'SELECT tableoid::regclass::text AS name FROM messages WHERE id = $1',
        [id],
      )
    )[0]?.name ?? 'none';
  const month = (months: number): string =>
    `messages_${startOfMonth(now, months).toISOString().slice(0, 7).replace('-', '_')}`;
  const months = (from: number, to: number): string[] =>
    Array.from({ length: to - from + 1 }, (_unused, index) => month(from + index));

  it('are created three months ahead, once by several replicas', async () => {
    expect(await names()).toEqual([...months(-1, 3), 'messages_before', 'messages_later']);
    await Promise.all([partitions.addMonths(later(2)), partitions.addMonths(later(2))]);
    await partitions.addMonths(later(2));
    expect(await names()).toEqual([...months(-1, 5), 'messages_before', 'messages_later']);
  });

  it('are created without a deadlock with callbacks', async () => {
    const callback = store.dataSource.createQueryRunner();
    await callback.startTransaction();
    await callback.query('UPDATE numbers SET phone_number = phone_number WHERE account_id = $1', [account.accountId]);
    const made = partitions.addMonths(later(2));
    await eventually(async () =>
      expect(await store.dataSource.query('SELECT 1 FROM pg_locks WHERE NOT granted')).not.toEqual([]),
    );
    await callback.query('UPDATE messages SET caption = caption');
    await callback.commitTransaction();
    await callback.release();
    await made;
    expect(await names()).toContain(month(5));
  });

  it('publish their end as a metric', async () => {
    const figures = new PartitionMetrics(store.dataSource);
    const shown = async (): Promise<number | undefined> =>
      (await metricsRegistry.getSingleMetric('switchboard_message_partitions_end_timestamp_seconds')?.get())?.values[0]
        ?.value;
    await figures.count();
    expect(await shown()).toBe(startOfMonth(now, 4).getTime() / 1_000);
    await store.dataSource.query(`DROP TABLE ${month(3)}, ${month(2)}`);
    await figures.count();
    expect(await shown()).toBe(startOfMonth(now, 2).getTime() / 1_000);
    await partitions.addMonths();
    await figures.count();
    expect(await shown()).toBe(startOfMonth(now, 4).getTime() / 1_000);
  });

  it('move early rows into a new month without counting them again', async () => {
    const [early, farOff] = await store.addMessages(account, [
      { with: ASHA, at: later(5) },
      { with: ASHA, at: later(30) },
    ]);
    expect(await partitionOf(early)).toBe('messages_later');
    await partitions.addMonths(later(2));
    expect([await partitionOf(early), await partitionOf(farOff)]).toEqual([month(5), 'messages_later']);
    expect(await store.totals(account)).toEqual({ contacts: 1, conversations: 1, outbound: 2 });
    const [next] = await store.addMessages(account, [{ with: ASHA, at: later(4), state: 'unknown' }]);
    expect(await partitionOf(next)).toBe(month(4));
    await store.dataSource.query("UPDATE messages SET state = 'failed' WHERE id = $1", [next]);
    expect(await store.totals(account)).toEqual({ contacts: 1, conversations: 1, outbound: 3 });
    const indexes = await store.dataSource.query<{ count: number }[]>(
      "SELECT tablename, count(*)::int AS count FROM pg_indexes WHERE tablename ~ '^messages_[0-9]' GROUP BY tablename",
    );
    expect(new Set(indexes.map(({ count }) => count)).size).toBe(1);
  });

  it('are dropped when past and empty', async () => {
    await partitions.addMonths(later(6));
    await store.addMessages(account, [{ with: ASHA, at: later(1) }]);
    expect(await partitions.dropEmptyMonths(later(6))).toEqual(months(-1, 0));
    const [late] = await store.addMessages(account, [{ with: ASHA, at: later(-1) }]);
    expect(await partitionOf(late)).toBe('messages_before');
    // A row is older than all months, so no month after it is dropped.
    await store.dataSource.query('DELETE FROM messages WHERE id <> $1', [late]);
    expect(await partitions.dropEmptyMonths(later(6))).toEqual([]);
    await store.dataSource.query('DELETE FROM messages');
    expect(await partitions.dropEmptyMonths(later(6))).toEqual(months(1, 4));
    expect(await names()).toEqual([...months(5, 9), 'messages_before', 'messages_later']);
  });

  it('are unchanged while the table is locked', async () => {
    const holder = store.dataSource.createQueryRunner();
    await holder.startTransaction();
    await holder.query('SELECT 1 FROM messages LIMIT 1');
    const beganAt = Date.now();
    await expect(partitions.addMonths(later(2))).rejects.toThrow(/lock timeout/);
    expect(Date.now() - beganAt).toBeLessThan(5_000);
    await holder.rollbackTransaction();
    await holder.release();
    await partitions.addMonths(later(2));
    expect(await names()).toContain(month(5));
  });
});
