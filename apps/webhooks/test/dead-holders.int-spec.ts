import { newId } from '@switchboard/contracts';
import { query, Transactions } from '@switchboard/database';
import { createTestDatabase, type TestDatabase } from '@switchboard/testing';
import pg from 'pg';
import { TAKE_HOLDER_LOCK } from '../src/deliveries/claim-holder.queries';
import { DeadHolders } from '../src/deliveries/dead-holders';
import { migrations } from '../src/migrations';

const HOLDER = 7;

describe('the holder of a claim', () => {
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

  it('lives while it holds its lock and when it was without it at one look, and is dead at the second', async () => {
    const holders = new DeadHolders(new Transactions(database.dataSource));
    const first = await session();
    expect([await holders.endTheirClaims(), await holders.endTheirClaims()]).toEqual([[], []]);
    await first.end();
    expect(await holders.endTheirClaims()).toEqual([]);
    const second = await session();
    expect([await holders.endTheirClaims(), await holders.endTheirClaims()]).toEqual([[], []]);
    await second.end();
    expect(await holders.endTheirClaims()).toEqual([]);
    expect(await holders.endTheirClaims()).toMatchObject([{ deliveryId, attempt: 1, state: 'pending' }]);
    expect(await holders.endTheirClaims()).toEqual([]);
  });
});
