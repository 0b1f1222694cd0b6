import { PLAN_ONCE } from '@switchboard/database';
import { createTestDatabase, type TestDatabase } from '@switchboard/testing';
import { claimStatements } from '../src/deliveries/claims.queries';
import { RECORD_RESULTS } from '../src/deliveries/results';
import { migrations } from '../src/migrations';
import { rowsRead } from './plan-rows';

const WAITING = 50_000;
/** Enough to tell the plans apart, and soon over with the worse one, which reads all that wait for each that waits. */
const WAITING_SINCE = 3_000;
const WANTED = [{ id: 'ep', accountId: 'acc', atMost: 3 }];
/** Some for each delivery that is claimed. A look at all that wait would be a thousand times as many. */
const MOST_ROWS = 100;

// EXPLAIN plans for the values that it is given; a prepared statement is planned as the service has it planned.
const CLAIM = "EXECUTE claim (ARRAY['acc'], ARRAY['ep'], ARRAY[3], 3, 30, 1)";
/** The first one of the line was delivered. */
const RECORD = `EXECUTE record (ARRAY['dlv_1'], ARRAY[0], ARRAY['acc'], ARRAY['https://example.com'],
  ARRAY[extract(epoch FROM now())::float8], ARRAY[7], ARRAY[200], ARRAY[NULL], ARRAY[NULL::bytea],
  ARRAY['delivered'], ARRAY[NULL::float8])`;

describe('at an endpoint with a long line', () => {
  let database: TestDatabase;

  beforeEach(async () => {
    database = await createTestDatabase('webhooks', migrations);
    await database.dataSource.query(
      `INSERT INTO endpoints (id, account_id, url, sealed_verify_token, sealed_secret, set_by)
       VALUES ('ep', 'acc', 'https://example.com', '', '', 'set')`,
    );
  }, 60_000);
  afterEach(() => database.drop());

  const addWaiting = (first: number, last: number): Promise<unknown> =>
    database.dataSource.query(
      `INSERT INTO pending_deliveries (id, account_id, endpoint_id, event_id, message_id)
       SELECT 'dlv_' || n, 'acc', 'ep', 'evt_' || n, 'wamid.' || n FROM generate_series($1::int, $2::int) AS n`,
      [first, last],
    );

  /** The statistics of a moment when one event waited, at many endpoints: they say that few wait at an endpoint. */
  async function gatherStatistics(): Promise<void> {
    await database.dataSource.query(
      `INSERT INTO pending_deliveries (id, account_id, endpoint_id, event_id, message_id)
       SELECT 'other_' || n, 'acc', 'ep_' || n, 'evt_0', 'wamid.0' FROM generate_series(1, 200) AS n`,
    );
    await addWaiting(1, 1);
    await database.dataSource.query('VACUUM ANALYZE');
  }

  async function expectFewRows(first: string, prepare: string, execute: string, found: string): Promise<void> {
    const runner = database.dataSource.createQueryRunner();
    const query = (text: string, params: unknown[] = []): Promise<unknown> => runner.query(text, params);
    await query(prepare);
    for (const measured of [false, true]) {
      await runner.startTransaction();
      const [[lock, ids] = ['', []]] = claimStatements(WANTED, { defaultLimit: 3, holder: 1 });
      await query(first === 'lock' ? lock : first, first === 'lock' ? ids : []);
      if (measured) {
        expect(await rowsRead(query, execute, [])).toBeLessThanOrEqual(MOST_ROWS);
        expect(await query(found)).not.toEqual([]);
      } else await query(execute);
      await runner.rollbackTransaction();
      if (!measured) await addWaiting(2, WAITING_SINCE);
    }
    await runner.release();
  }

  const claimSql = (): string => claimStatements(WANTED, { defaultLimit: 3, holder: 1 })[1]?.[0] ?? '';

  it.each([
    ['for any values', 'force_generic_plan'],
    ['for its values', 'force_custom_plan'],
  ])('a claim reads what it claims, planned %s', async (_how, mode) => {
    await addWaiting(1, WAITING);
    await database.dataSource.query('VACUUM ANALYZE');
    const runner = database.dataSource.createQueryRunner();
    const query = (text: string, params: unknown[] = []): Promise<unknown> => runner.query(text, params);
    await runner.startTransaction();
    await query(`SET LOCAL plan_cache_mode = ${mode}`);
    const [[lock, ids] = ['', []]] = claimStatements(WANTED, { defaultLimit: 3, holder: 1 });
    await query(lock, ids);
    await query(`PREPARE claim (text[], text[], int[], int, int, int) AS ${claimSql()}`);
    expect(await rowsRead(query, CLAIM, [])).toBeLessThanOrEqual(MOST_ROWS);
    expect(await query('SELECT 1 FROM pending_deliveries WHERE claimed_by = 1')).toHaveLength(3);
    await query('DEALLOCATE claim');
    await runner.rollbackTransaction();
    await runner.release();
  });

  it('a claim reads what it claims, with the statistics of a moment when next to nothing waited', async () => {
    await gatherStatistics();
    const prepare = `PREPARE claim (text[], text[], int[], int, int, int) AS ${claimSql()}`;
    await expectFewRows('lock', prepare, CLAIM, 'SELECT 1 FROM pending_deliveries WHERE claimed_by = 1');
  });

  it('a result reads its delivery, with the statistics of a moment when next to nothing waited', async () => {
    await gatherStatistics();
    const found = "SELECT 1 FROM deliveries WHERE id = 'dlv_1'";
    await expectFewRows(PLAN_ONCE, `PREPARE record AS ${RECORD_RESULTS}`, RECORD, found);
  });
});
