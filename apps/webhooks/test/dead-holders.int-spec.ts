import { newId } from '@switchboard/contracts';
import { query, Transactions } from '@switchboard/database';
import { createTestDatabase, type TestDatabase } from '@switchboard/testing';
import pg from 'pg';
import { TAKE_HOLDER_LOCK } from '../src/deliveries/claim-holder';
import { DeadHolders, type LeftOver } from '../src/deliveries/sweeps';
import { migrations } from '../src/migrations';

const HOLDER = 7;
const LIVING = 8;

describe('DeadHolders', () => {
  let database: TestDatabase;
  let deliveryId: string;

  beforeAll(async () => {
    database = await createTestDatabase('webhooks', migrations);
    const [endpointId, accountId] = [newId('ep'), newId('acc')];
    deliveryId = newId('dlv');
    const endpoint = `INSERT INTO endpoints (id, account_id, url, sealed_verify_token, sealed_secret, set_by) VALUES ($1, $2, 'https://example.com', '', '', $1)`;
    await query(database.dataSource, endpoint, [endpointId, accountId]);
    await query(
      database.dataSource,
      `INSERT INTO pending_deliveries (id, event_id, endpoint_id, account_id, attempts_made, started_at, claimed_until, claimed_by)
       VALUES ($1, $2, $3, $4, 1, now(), now() + interval '1 hour', $5)`,
      [deliveryId, newId('evt'), endpointId, accountId, HOLDER],
    );
  }, 60_000);

  afterAll(() => database.drop());

  async function session(): Promise<pg.Client> {
    const client = new pg.Client({ connectionString: database.url });
    await client.connect();
    await client.query(TAKE_HOLDER_LOCK, [HOLDER]);
    return client;
  }

  const look = (holders: DeadHolders): Promise<LeftOver> => holders.takeOver(LIVING);
  const nothing: LeftOver = { ended: [], waiting: [] };

  it('declares a holder dead after two checks without its lock', async () => {
    const holders = new DeadHolders(new Transactions(database.dataSource));
    const first = await session();
    expect([await look(holders), await look(holders)]).toEqual([nothing, nothing]);
    await first.end();
    expect(await look(holders)).toEqual(nothing);
    const second = await session();
    expect([await look(holders), await look(holders)]).toEqual([nothing, nothing]);
    await second.end();
    expect(await look(holders)).toEqual(nothing);
    expect(await look(holders)).toMatchObject({ ended: [{ deliveryId, attempt: 1, state: 'pending' }], waiting: [] });
    expect(await look(holders)).toEqual(nothing);
  });

  it('transfers unstarted first attempts to a live holder, newest first', async () => {
    const store = `
      INSERT INTO pending_deliveries (id, event_id, endpoint_id, account_id, claimed_by)
      SELECT 'dlv_' || to_char(n, 'FM0000'), 'evt_' || n, 'ep_' || to_char(n, 'FM0000'), 'acc_1', $1
        FROM generate_series(1, 1500) AS n`;
    await query(database.dataSource, store, [HOLDER]);
    const living = new pg.Client({ connectionString: database.url });
    await living.connect();
    await living.query(TAKE_HOLDER_LOCK, [LIVING]);
    const holders = new DeadHolders(new Transactions(database.dataSource));
    expect(await look(holders)).toEqual(nothing);
    const looks = [await look(holders), await look(holders), await look(holders)].map(({ waiting }) =>
      waiting.map(({ id }) => id).sort(),
    );
    expect(looks.map((ids) => [ids.length, ids[0], ids.at(-1)])).toEqual([
      [1_000, 'ep_0501', 'ep_1500'],
      [500, 'ep_0001', 'ep_0500'],
      [0, undefined, undefined],
    ]);
    const owners = await query<{ owner: number; count: number }>(
      database.dataSource,
      `SELECT claimed_by AS owner, count(*)::int FROM pending_deliveries WHERE account_id = 'acc_1' GROUP BY 1`,
    );
    expect(owners).toEqual([{ owner: LIVING, count: 1_500 }]);
    await living.end();
  });
});
