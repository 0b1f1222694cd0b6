import { newId } from '@switchboard/contracts';
import { query, Transactions } from '@switchboard/database';
import { createTestDatabase, type TestDatabase } from '@switchboard/testing';
import { migrations } from '../src/migrations';
import { lockNextReplays, type ReplayRow, replayStep } from '../src/replays/replays.queries';

const MOST = 50;

describe('replays', () => {
  let database: TestDatabase;

  beforeAll(async () => {
    database = await createTestDatabase('webhooks', migrations);
  }, 60_000);
  beforeEach(() => query(database.dataSource, 'DELETE FROM replays'));
  afterAll(() => database.drop());

  async function begin(accountId: string, count: number): Promise<void> {
    const sql = "INSERT INTO replays (id, account_id, position, until, total) VALUES ($1, $2, '', 'z', 1)";
    for (let replay = 0; replay < count; replay += 1) await query(database.dataSource, sql, [newId('rpl'), accountId]);
  }

  /** Runs one step in which the next replays advance but do not finish. */
  function takeTurns(): Promise<ReplayRow[]> {
    return new Transactions(database.dataSource).run(async (tx) => {
      const replays = await lockNextReplays(tx, MOST);
      for (const replay of replays) await replayStep(tx, replay, [], { position: '', holder: null });
      return replays;
    });
  }

  it('are not delayed by an account that starts very many', async () => {
    await begin('acc_many', 60);
    await begin('acc_one', 1);
    for (let step = 0; step < 3; step += 1) {
      expect((await takeTurns()).map(({ account_id: accountId }) => accountId).sort()).toEqual(['acc_many', 'acc_one']);
    }
  });

  it('alternate within an account', async () => {
    await begin('acc_many', 3);
    const turns: string[] = [];
    for (let step = 0; step < 6; step += 1) turns.push(...(await takeTurns()).map(({ id }) => id));
    expect(turns.slice(0, 3)).toEqual(turns.slice(3));
    expect(new Set(turns).size).toBe(3);
  });

  it('are spread over two steps if many accounts replay', async () => {
    const accounts = Array.from({ length: MOST + 20 }, (_unused, index) => `acc_${index}`);
    for (const accountId of accounts) await begin(accountId, 1);
    const [first, second] = [await takeTurns(), await takeTurns()];
    expect([first.length, second.length]).toEqual([MOST, MOST]);
    expect(new Set([...first, ...second].map(({ account_id: accountId }) => accountId))).toEqual(new Set(accounts));
  });
});
