import { eventually } from '@switchboard/testing';
import { NumberCache } from '../src/numbers/number-cache';
import { createStore, type TestStore } from './support/store';

describe('NumberCache', () => {
  let store: TestStore;

  beforeAll(async () => {
    store = await createStore();
  });
  afterAll(() => store.drop());

  it('does not cache a number that changed during the read', async () => {
    const { accountId } = await store.addAccount();
    const cache = new NumberCache(store.dataSource, { onBroadcastsMissed: () => undefined });
    const token = async () => (await cache.find(accountId, null))?.sealedAccessToken;
    const changing = store.dataSource.createQueryRunner();
    await changing.startTransaction();
    await changing.query('LOCK TABLE numbers IN ACCESS EXCLUSIVE MODE');
    const underWay = token();
    const waiting = "SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'";
    await eventually(async () => expect((await store.dataSource.query(waiting)).length).toBe(1));
    cache.evict(accountId);
    await changing.commitTransaction();
    await changing.release();
    expect(await underWay).toBe('v1.x');
    await store.dataSource.query("UPDATE numbers SET sealed_access_token = 'v1.y' WHERE account_id = $1", [accountId]);
    expect(await token()).toBe('v1.y');
    await store.dataSource.query("UPDATE numbers SET sealed_access_token = 'v1.z' WHERE account_id = $1", [accountId]);
    expect([await token(), cache.evict(accountId), await token()]).toEqual(['v1.y', undefined, 'v1.z']);
  });
});
