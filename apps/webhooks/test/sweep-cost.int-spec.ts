import { createTestDatabase, eventually, rowsRead, type TestDatabase } from '@switchboard/testing';
import { LOCK_DEAD } from '../src/deliveries/sweeps.queries';
import {
  findNewlyDue,
  findOverduePage,
  NEWLY_DUE,
  OVERDUE_PAGE,
  type OverduePage,
} from '../src/deliveries/sweeps.queries';
import { migrations } from '../src/migrations';

const ENDPOINTS = 30_000;
const PAGE = 1_000;
/**
 * Every step of a page's plan returns the endpoints of the page. A scan of all endpoints would read four times as many
 * rows.
 */
const MOST_ROWS = 20 * PAGE;

describe('sweep over 30,000 endpoints with a backlog', () => {
  let database: TestDatabase;

  beforeAll(async () => {
    database = await createTestDatabase('webhooks', migrations);
    await sql(
      `
      INSERT INTO endpoints (id, account_id, url, sealed_verify_token, sealed_secret, set_by)
      SELECT 'ep_' || n, 'acc_' || n, 'https://example.com', '', '', 'set_' || n FROM generate_series(1, $1::int) AS n`,
      [ENDPOINTS],
    );
    await sql(
      `
      INSERT INTO pending_deliveries (id, account_id, endpoint_id, event_id, next_attempt_at, attempts_made)
      SELECT 'dlv_' || n, 'acc_' || n, 'ep_' || n, 'evt_' || n, now() - interval '1 hour', 1
        FROM generate_series(1, $1::int) AS n`,
      [ENDPOINTS],
    );
    await sql('VACUUM ANALYZE');
  }, 60_000);

  afterAll(() => database.drop());

  const sql = (text: string, params: unknown[] = []): Promise<unknown[]> => database.dataSource.query(text, params);

  it('reads one page of endpoints', async () => {
    for (const behind of ['', 'ep_2'])
      expect(await rowsRead(sql, OVERDUE_PAGE, [0.25, behind, PAGE])).toBeLessThanOrEqual(MOST_ROWS);
  });

  it('finds every endpoint page by page', async () => {
    const found = new Set<string>();
    let position: string | null = '';
    for (let pages = 0; position !== null && pages < ENDPOINTS / PAGE + 2; pages += 1) {
      const { endsAt, endpoints }: OverduePage = await findOverduePage(database.dataSource, position, PAGE);
      for (const { id } of endpoints) found.add(id);
      position = endsAt;
    }
    expect(position).toBeNull();
    expect(found.size).toBe(ENDPOINTS);
  });

  it('reads only retries that came due since the last sweep', async () => {
    const { mark, endpoints } = await findNewlyDue(database.dataSource, undefined, PAGE);
    expect(endpoints).toEqual([]);
    await sql(
      `
      UPDATE pending_deliveries SET next_attempt_at = $1::timestamptz + interval '1 millisecond'
      WHERE id IN ('dlv_7', 'dlv_8', 'dlv_9', 'dlv_29999')`,
      [mark.at],
    );
    const found: string[] = [];
    const find = async (from: typeof mark) => {
      const next = await findNewlyDue(database.dataSource, from, 3);
      found.push(...next.endpoints.map(({ id }) => id));
      return next.mark;
    };
    // The retries are overdue a moment later.
    await eventually(async () => {
      found.length = 0;
      await find(mark);
      expect(found.length).toBe(3);
    });
    expect(await rowsRead(sql, NEWLY_DUE, [0.25, mark.at, '', 60, PAGE])).toBeLessThanOrEqual(200);
    found.length = 0;
    const last = await find(await find(mark));
    expect(found.sort()).toEqual(['ep_29999', 'ep_7', 'ep_8', 'ep_9']);
    await find(last);
    expect(found).toHaveLength(4);
  });

  it('skips endpoints that are paused or deleted', async () => {
    const { mark } = await findNewlyDue(database.dataSource, undefined, PAGE);
    await sql("UPDATE endpoints SET paused_at = now() WHERE id = 'ep_7'");
    await sql("UPDATE endpoints SET deleted_at = now() WHERE id = 'ep_8'");
    await sql(
      `
      UPDATE pending_deliveries SET next_attempt_at = $1::timestamptz + interval '1 millisecond'
      WHERE id IN ('dlv_7', 'dlv_8', 'dlv_9')`,
      [mark.at],
    );
    await eventually(async () => {
      const { endpoints } = await findNewlyDue(database.dataSource, mark, PAGE);
      expect(endpoints).toEqual([{ id: 'ep_9', accountId: 'acc_9' }]);
    });
  });

  it('reports no work for endpoints that are paused', async () => {
    const page = () => findOverduePage(database.dataSource, '', 1);
    await sql("UPDATE pending_deliveries SET next_attempt_at = now() + interval '1 minute' WHERE endpoint_id = 'ep_1'");
    const waiting = await page();
    expect(waiting).toMatchObject({ endpoints: [], isWorking: false });
    expect(waiting.nextInMs).toBeGreaterThan(0);
    await sql(
      "UPDATE pending_deliveries SET next_attempt_at = now() - interval '1 minute', claimed_by = 1, attempts_made = 0 WHERE endpoint_id = 'ep_1'",
    );
    expect(await page()).toMatchObject({ endpoints: [{ id: 'ep_1' }], isWorking: true });
    await sql("UPDATE endpoints SET paused_at = now() WHERE id = 'ep_1'");
    expect(await page()).toMatchObject({ endpoints: [], isWorking: false, nextInMs: null });
  });

  it('finds processes with stored first attempts without reading their backlog', async () => {
    const stored = `
      INSERT INTO pending_deliveries (id, account_id, endpoint_id, event_id, claimed_by)
      SELECT 'dlv_stored' || n, 'acc_' || n, 'ep_' || n, 'evt_' || n, n % 3 + 1 FROM generate_series(1, $1::int) AS n`;
    await sql(stored, [ENDPOINTS]);
    await sql('VACUUM ANALYZE pending_deliveries');
    expect(await sql(LOCK_DEAD)).toHaveLength(3);
    expect(await rowsRead(sql, LOCK_DEAD, [])).toBeLessThanOrEqual(100);
  });
});
