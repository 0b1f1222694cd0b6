import { createTestDatabase, type TestDatabase } from '@switchboard/testing';
import { migrations } from '../src/migrations';
import {
  addAccount,
  claimDueAccount,
  recordCallback,
  type SyncClaim,
  waitForNextSync,
} from '../src/sync/upstream-accounts.queries';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase('templates', migrations);
});
afterAll(() => database.drop());
beforeEach(async () => {
  await database.dataSource.query('DELETE FROM upstream_accounts');
  await addAccount(database.dataSource, { accountId: 'acc_a', wabaId: 'waba-a', sealedAccessToken: 'v1.sealed' });
});

async function claim(): Promise<SyncClaim> {
  const claimed = await claimDueAccount(database.dataSource);
  if (!claimed) throw new Error('no account is due');
  return claimed;
}

const reportChange = () =>
  database.dataSource.transaction((manager) =>
    recordCallback(
      { query: (sql, params) => manager.query(sql, params) },
      { wabaId: 'waba-a', templateId: '1', field: 'f', reason: null, raw: '{}' },
    ),
  );

it('claims an account once per interval', async () => {
  const claimed = await claim();
  expect(claimed).toMatchObject({ accountId: 'acc_a', wabaId: 'waba-a', sealedAccessToken: 'v1.sealed' });
  expect(await claimDueAccount(database.dataSource)).toBeUndefined();
  await waitForNextSync(database.dataSource, claimed, 300);
  expect(await claimDueAccount(database.dataSource)).toBeUndefined();
});

it('syncs again after a change reported during a sync', async () => {
  const claimed = await claim();
  await reportChange();
  await waitForNextSync(database.dataSource, claimed, 300);
  expect(await claimDueAccount(database.dataSource)).toMatchObject({ accountId: 'acc_a' });
});

it('replaces a lost process when its lease ends', async () => {
  const lost = await claim();
  await database.dataSource.query("UPDATE upstream_accounts SET next_sync_at = next_sync_at - interval '20 seconds'");
  expect(await claimDueAccount(database.dataSource)).toBeUndefined();
  await database.dataSource.query("UPDATE upstream_accounts SET next_sync_at = next_sync_at - interval '10 seconds'");
  const claimed = await claim();
  await waitForNextSync(database.dataSource, lost, 300);
  expect(await dueAt()).toBe(claimed.leaseUntil);
});

it('claims the account that has waited longest first', async () => {
  await addAccount(database.dataSource, { accountId: 'acc_b', wabaId: 'waba-b', sealedAccessToken: 'v1.sealed' });
  await database.dataSource.query(
    "UPDATE upstream_accounts SET next_sync_at = now() - interval '1 minute' WHERE account_id = 'acc_b'",
  );
  expect([(await claim()).accountId, (await claim()).accountId]).toEqual(['acc_b', 'acc_a']);
});

async function dueAt(): Promise<string | undefined> {
  const [account] = await database.dataSource.query<{ due: string }[]>(
    'SELECT next_sync_at::text AS due FROM upstream_accounts',
  );
  return account?.due;
}
