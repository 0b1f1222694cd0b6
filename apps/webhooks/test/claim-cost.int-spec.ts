import { GENERIC_PLAN } from '@switchboard/database';
import { createTestDatabase, rowsRead, type TestDatabase } from '@switchboard/testing';
import type { QueryRunner } from 'typeorm';
import { claimStatements } from '../src/deliveries/claims.queries';
import { RECORD_RESULTS } from '../src/deliveries/results';
import { migrations } from '../src/migrations';

const WAITING = 50_000;
/** Enough rows to distinguish the plans, and quick even with the worse plan, which is quadratic. */
const WAITING_SINCE = 3_000;
const WANTED = [{ id: 'ep', accountId: 'acc', atMost: 3 }];
/** A few rows per claimed delivery. A scan of the backlog would read a thousand times as many. */
const MOST_ROWS = 100;

/** Number of other endpoints with a waiting event at the last ANALYZE. */
const MOMENTS: [string, number][] = [
  ['next to nothing waited', 0],
  ['one event waited at many endpoints', 200],
];

// Explains the statements with the given values. Prepared statements are planned as in the service.
const [[LOCK, LOCKED] = ['', []], [CLAIM] = ['']] = claimStatements(WANTED, { defaultLimit: 3, holder: 1 });
const PREPARE_CLAIM = `PREPARE claim (int, int, text[], text[], int[]) AS ${CLAIM}`;
const EXECUTE_CLAIM = "EXECUTE claim (3, 1, ARRAY['acc'], ARRAY['ep'], ARRAY[3])";
const PREPARE_RECORD = `PREPARE record AS ${RECORD_RESULTS}`;
/** Records a successful attempt. */
const executeRecord = (id: string): string => `
  EXECUTE record (ARRAY['${id}'], ARRAY[0], ARRAY['acc'], ARRAY['https://example.com'], ARRAY[7], ARRAY[200],
    ARRAY[NULL], ARRAY[NULL::bytea], ARRAY[extract(epoch FROM now())::float8], ARRAY['delivered'],
    ARRAY[NULL::float8])`;

describe('endpoint with a long backlog', () => {
  let database: TestDatabase;
  let runner: QueryRunner;

  beforeEach(async () => {
    database = await createTestDatabase('webhooks', migrations);
    runner = database.dataSource.createQueryRunner();
    await query(
      `INSERT INTO endpoints (id, account_id, url, sealed_verify_token, sealed_secret, set_by)
       VALUES ('ep', 'acc', 'https://example.com', '', '', 'set')`,
    );
  }, 60_000);
  afterEach(async () => {
    await runner.release();
    await database.drop();
  });

  const query = (text: string, params: unknown[] = []): Promise<unknown> => runner.query(text, params);
  const addWaiting = (first: number, last: number): Promise<unknown> =>
    query(
      `INSERT INTO pending_deliveries (id, account_id, endpoint_id, event_id, message_id)
       SELECT 'dlv_' || n, 'acc', 'ep', 'evt_' || n, 'wamid.' || n FROM generate_series($1::int, $2::int) AS n`,
      [first, last],
    );

  /** Gathers statistics while one event waits at `ep` and one at each of the other endpoints. */
  async function gatherStatistics(others: number): Promise<void> {
    await query(
      `INSERT INTO pending_deliveries (id, account_id, endpoint_id, event_id, message_id)
       SELECT 'other_' || n, 'acc', 'ep_' || n, 'evt_0', 'wamid.0' FROM generate_series(1, $1::int) AS n`,
      [others],
    );
    await addWaiting(1, 1);
    await query('VACUUM ANALYZE');
  }

  async function inTransaction<T>([sql, params]: readonly [string, unknown[]], work: () => Promise<T>): Promise<T> {
    await runner.startTransaction();
    await query(sql, params);
    const result = await work();
    await runner.commitTransaction();
    return result;
  }

  it.each([
    ['for any parameters', 'force_generic_plan'],
    ['for the given parameters', 'force_custom_plan'],
  ])('reads only the claimed deliveries if planned %s', async (_how, mode) => {
    await addWaiting(1, WAITING);
    await query('VACUUM ANALYZE');
    await query(`SET plan_cache_mode = ${mode}`);
    await query(PREPARE_CLAIM);
    expect(await inTransaction([LOCK, LOCKED], () => rowsRead(query, EXECUTE_CLAIM))).toBeLessThanOrEqual(MOST_ROWS);
    expect(await query('SELECT 1 FROM pending_deliveries WHERE claimed_by = 1')).toHaveLength(3);
  });

  it.each(MOMENTS)('reads only the claimed deliveries when planned while %s', async (_when, others) => {
    await gatherStatistics(others);
    await query(PREPARE_CLAIM);
    await inTransaction([LOCK, LOCKED], () => query(EXECUTE_CLAIM));
    await addWaiting(2, WAITING_SINCE);
    expect(await inTransaction([LOCK, LOCKED], () => rowsRead(query, EXECUTE_CLAIM))).toBeLessThanOrEqual(MOST_ROWS);
    expect(await query('SELECT 1 FROM pending_deliveries WHERE claimed_by = 1')).toHaveLength(3);
  });

  it.each(MOMENTS)('records a result without reading the backlog when planned while %s', async (_when, others) => {
    await gatherStatistics(others);
    await query(PREPARE_RECORD);
    await inTransaction([GENERIC_PLAN, []], () => query(executeRecord('dlv_1')));
    await addWaiting(2, WAITING_SINCE);
    const record = executeRecord('dlv_2');
    expect(await inTransaction([GENERIC_PLAN, []], () => rowsRead(query, record))).toBeLessThanOrEqual(MOST_ROWS);
    expect(await query("SELECT 1 FROM deliveries WHERE state = 'delivered'")).toHaveLength(2);
  });
});
