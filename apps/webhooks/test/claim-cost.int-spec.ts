import { createTestDatabase, type TestDatabase } from '@switchboard/testing';
import { claimStatements } from '../src/deliveries/claims.queries';
import { migrations } from '../src/migrations';
import { rowsRead } from './plan-rows';

const WAITING = 50_000;
const WANTED = [{ id: 'ep', accountId: 'acc', atMost: 3 }];
/** Some for each delivery that is claimed. A look at all that wait would be a thousand times as many. */
const MOST_ROWS = 100;

describe('a claim at an endpoint with a long line', () => {
  let database: TestDatabase;

  beforeAll(async () => {
    database = await createTestDatabase('webhooks', migrations);
    const { dataSource } = database;
    await dataSource.query(
      `INSERT INTO endpoints (id, account_id, url, sealed_verify_token, sealed_secret, set_by)
       VALUES ('ep', 'acc', 'https://example.com', '', '', 'set')`,
    );
    await dataSource.query(
      `INSERT INTO pending_deliveries (id, account_id, endpoint_id, event_id, message_id)
       SELECT 'dlv_' || n, 'acc', 'ep', 'evt_' || n, 'wamid.' || n FROM generate_series(1, $1::int) AS n`,
      [WAITING],
    );
    await dataSource.query('VACUUM ANALYZE');
  }, 60_000);
  afterAll(() => database.drop());

  it.each([
    ['for any values', 'force_generic_plan'],
    ['for its values', 'force_custom_plan'],
  ])('reads what it claims, planned %s', async (_how, mode) => {
    const runner = database.dataSource.createQueryRunner();
    const query = (text: string, params: unknown[] = []): Promise<unknown> => runner.query(text, params);
    await runner.startTransaction();
    await query(`SET LOCAL plan_cache_mode = ${mode}`);
    const [[lock, ids] = ['', []], [claim] = ['']] = claimStatements(WANTED, { defaultLimit: 3, holder: 1 });
    await query(lock, ids);
    // EXPLAIN plans for the values that it is given; a prepared statement is planned as the service has it planned.
    await query(`PREPARE claim (text[], text[], int[], int, int, int) AS ${claim}`);
    const execute = "EXECUTE claim (ARRAY['acc'], ARRAY['ep'], ARRAY[3], 3, 30, 1)";
    expect(await rowsRead(query, execute, [])).toBeLessThanOrEqual(MOST_ROWS);
    expect(await query('SELECT 1 FROM pending_deliveries WHERE claimed_by = 1')).toHaveLength(3);
    await query('DEALLOCATE claim');
    await runner.rollbackTransaction();
    await runner.release();
  });
});
