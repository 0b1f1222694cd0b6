import { metricsRegistry } from '@switchboard/platform';
import { createTestDatabase, type TestDatabase } from '@switchboard/testing';
import { migrations } from '../src/migrations';
import { SyncMetrics } from '../src/sync/sync-metrics';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase('templates', migrations);
});
afterAll(() => database.drop());
beforeEach(() => database.dataSource.query('DELETE FROM upstream_accounts'));

interface Times {
  added?: string;
  read?: string;
  due?: string;
  left?: boolean;
  failures?: number;
}

let businesses = 0;
const add = ({ added = '0s', read, due = '0s', left = false, failures = 0 }: Times) =>
  database.dataSource.query(
    `INSERT INTO upstream_accounts (account_id, waba_id, sealed_access_token, token_stored_at, last_synced_at, next_sync_at, left_at, failures)
     VALUES ($1, 'waba', 'sealed', now() - $2::interval, now() - $3::interval, now() + $4::interval, CASE WHEN $5 THEN now() END, $6)`,
    [`acc_${(businesses += 1)}`, added, read ?? null, due, left, failures],
  );
const figures = async () => {
  await new SyncMetrics(database.dataSource).look();
  const text = await metricsRegistry.metrics();
  const valueOf = (name: string) => Number(new RegExp(`^switchboard_${name} (.+)$`, 'm').exec(text)?.[1]);
  return { age: Math.round(valueOf('template_sync_age_seconds')), failing: valueOf('template_sync_failing') };
};

describe('template age metric', () => {
  it('is 0 without a business', async () => {
    await add({ added: '3h', left: true });
    expect(await figures()).toEqual({ age: 0, failing: 0 });
  });

  it('is the age of the business that has waited longest', async () => {
    await add({ added: '9h', read: '1h', due: '5m' });
    await add({ added: '9h', read: '2h', due: '-5m', failures: 3 });
    expect(await figures()).toEqual({ age: 7200, failing: 1 });
  });

  it('counts from the addition of a business that never synced', async () => {
    await add({ added: '2h', due: '5m', failures: 24 });
    expect(await figures()).toEqual({ age: 7200, failing: 1 });
  });
});
