import { inWorkload, type Workload } from '@switchboard/platform';
import { createTestDatabase, type TestDatabase } from '@switchboard/testing';
import { dataSourceOptions, isDatabaseAway, PooledDataSource, query } from '../src';

/** Longer than the maximum wait of a request for a connection. */
const BUSY_SECONDS = 3;

describe('a pool whose connections are all busy', () => {
  let database: TestDatabase;
  let db: PooledDataSource;

  beforeAll(async () => {
    database = await createTestDatabase('demo', []);
    const { url } = database;
    const sizes = { requests: 1, reads: 1, events: 1, background: 1 };
    db = new PooledDataSource(dataSourceOptions({ schema: 'demo', url, poolSize: 1 }), { schema: 'demo', url, sizes });
    await db.initialize();
  });
  afterAll(async () => {
    await db.destroy();
    await database.drop();
  });

  const askWhileBusy = async (workload: Workload) => {
    const busy = inWorkload(workload, () => query(db, `SELECT pg_sleep(${BUSY_SECONDS})`));
    const asked = inWorkload(workload, () => query<{ one: number }>(db, 'SELECT 1 AS one'));
    const [, outcome] = await Promise.allSettled([busy, asked]);
    return outcome;
  };

  it('makes tasks and events wait for a connection', async () => {
    expect(await askWhileBusy('events')).toEqual({ status: 'fulfilled', value: [{ one: 1 }] });
  });

  it('fails a request before its caller times out', async () => {
    const outcome = await askWhileBusy('reads');
    expect(outcome.status === 'rejected' && isDatabaseAway(outcome.reason)).toBe(true);
  });
});
