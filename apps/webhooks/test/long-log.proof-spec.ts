import { firstIdAt, type ListEventsCommand, WEBHOOK_DELIVERY_STATES } from '@switchboard/contracts';
import { scanQuery } from '@switchboard/database';
import { createTestDatabase, type TestDatabase } from '@switchboard/testing';
import { LogController } from '../src/log/log.controller';
import { listEventsSql, manyNamedSql, type Statement } from '../src/log/log.queries';
import { migrations } from '../src/migrations';

const EVENTS = 30_000;
/** Maximum number of events that one page may scan. */
const SCAN_LIMIT = 5_000;
const PAGES = EVENTS / SCAN_LIMIT;
/** Number of listed events to compare. */
const COMPARED = 150;
/**
 * Maximum number of rows read per page: each scanned entry, its event and its delivery, which may be waiting or
 * finished.
 */
const MOST_READ = 4 * (SCAN_LIMIT + 2);
const ACCOUNT = 'acc_1';
const OTHER = 'acc_2';
/** Endpoints: one that receives every event, one that receives almost none, and one of another account. */
const [BUSY, QUIET, FOREIGN] = ['ep_busy', 'ep_quiet', 'ep_foreign'];

/**
 * Inserts numbered events, oldest first. Each has its own phone number, and every thousandth number has another prefix.
 */
const EVENT_ROWS = `
  INSERT INTO events (id, account_id, kind, message_id, subject, body, occurred_at)
  SELECT left($1, 20) || lpad(to_hex(n), 10, '0'), $2, CASE n WHEN 1 THEN 'message' ELSE 'message_status'
    END, 'wamid.' || n,
    CASE n % 1000 WHEN 1 THEN '55' ELSE '49' END || lpad(n::text, 8, '0'), '', now()
  FROM generate_series(1, $3::int) AS n`;
const EVENT = "left(replace($1, 'dlv', 'evt'), 20) || lpad(to_hex(n), 10, '0')";
/** Inserts deliveries: a third waiting, a third dropped, a third delivered. */
const WAITING = `
  INSERT INTO pending_deliveries (id, account_id, endpoint_id, event_id)
  SELECT left($1, 20) || lpad(to_hex(n), 10, $5), $2, $3, ${EVENT} FROM generate_series(1, $4::int) AS n
    WHERE n % 3 = 0`;
const ENDED = `
  INSERT INTO deliveries (id, account_id, endpoint_id, event_id, state, attempts_made, created_at, finished_at)
  SELECT left($1, 20) || lpad(to_hex(n), 10, $5), $2, $3, ${EVENT}, CASE n % 3 WHEN 1 THEN 'dropped' ELSE 'delivered'
    END, 5, now(), now()
  FROM generate_series(1, $4::int) AS n WHERE n % 3 > 0`;

const BRUTE_FORCE = `
  SELECT message_id FROM events e
  WHERE account_id = $1 AND kind = COALESCE($2, kind) AND message_id = COALESCE($3, message_id)
    AND starts_with(subject, COALESCE($4, ''))
    AND id IN (SELECT event_id FROM delivery_log WHERE account_id = $1 AND state = COALESCE($5, state)
      AND endpoint_id = COALESCE($6, endpoint_id))
  ORDER BY id DESC LIMIT ${COMPARED}`;
const bruteForceParams = ({ kind, messageId, search, state, endpointId }: Partial<ListEventsCommand>): unknown[] => [
  ACCOUNT,
  kind,
  messageId,
  search,
  state,
  endpointId,
];

interface PlanNode {
  'Node Type': string;
  'Actual Rows': number;
  'Actual Loops': number;
  'Rows Removed by Filter'?: number;
  Plans?: PlanNode[];
}

/** Counts the rows that a plan reads from tables, including rows that it filters out. */
const rowsOf = (node: PlanNode): number =>
  (node['Node Type'].endsWith('Scan') && node['Node Type'] !== 'Subquery Scan'
    ? node['Actual Loops'] * (node['Actual Rows'] + (node['Rows Removed by Filter'] ?? 0))
    : 0) + (node.Plans ?? []).reduce((sum, below) => sum + rowsOf(below), 0);

/** Combines every state, including none, with every endpoint and every other filter. */
const COMBINATIONS = [undefined, ...WEBHOOK_DELIVERY_STATES].flatMap((state) =>
  [undefined, BUSY, QUIET].flatMap((endpointId) =>
    [
      {},
      { kind: 'message' as const },
      { search: '49' },
      { search: '55', kind: 'message' as const },
      { messageId: 'wamid.1' },
    ].map((other) => ({ state, endpointId, ...other })),
  ),
);

describe('log of an account with many events', () => {
  let database: TestDatabase;
  let log: LogController;

  beforeAll(async () => {
    database = await createTestDatabase('webhooks', migrations);
    log = new LogController(database.dataSource);
    const sql = (text: string, params: unknown[] = []) => database.dataSource.query(text, params);
    const now = new Date();
    for (const [id, accountId] of [
      [BUSY, ACCOUNT],
      [QUIET, ACCOUNT],
      [FOREIGN, OTHER],
    ]) {
      await sql(
        "INSERT INTO endpoints (id, account_id, url, sealed_verify_token, sealed_secret, set_by) VALUES ($1, $2, 'https://example.com', '', '', $1)",
        [id, accountId],
      );
    }
    await sql(EVENT_ROWS, [firstIdAt('evt', now), ACCOUNT, EVENTS]);
    const other = new Date(now.getTime() + 1_000);
    await sql(EVENT_ROWS, [firstIdAt('evt', other), OTHER, EVENTS]);
    for (const rows of [WAITING, ENDED]) {
      await sql(rows, [firstIdAt('dlv', now), ACCOUNT, BUSY, EVENTS, '0']);
      await sql(rows, [firstIdAt('dlv', now), ACCOUNT, QUIET, 6, '1']);
      await sql(rows, [firstIdAt('dlv', other), OTHER, FOREIGN, EVENTS, '0']);
    }
    await sql('VACUUM ANALYZE');
  }, 60_000);
  afterAll(() => database.drop());

  /** Follows the cursor to the end, or until enough events are found. */
  async function readAll(filter: Partial<ListEventsCommand>): Promise<{ found: string[]; pages: number }> {
    const found: string[] = [];
    let pages = 0;
    let cursor: string | undefined;
    do {
      const { events, nextCursor } = await log.listEvents({ accountId: ACCOUNT, limit: 100, cursor, ...filter });
      found.push(...events.map(({ messageId }) => messageId ?? ''));
      cursor = nextCursor ?? undefined;
      pages += 1;
    } while (cursor && found.length < COMPARED);
    return { found, pages };
  }

  async function rowsRead({ sql, params }: Statement): Promise<number> {
    const [row] = await scanQuery<{ 'QUERY PLAN': { Plan: PlanNode }[] }>(
      database.dataSource,
      `EXPLAIN (ANALYZE, TIMING OFF, FORMAT JSON) ${sql}`,
      params,
    );
    const plan = row?.['QUERY PLAN'][0]?.Plan;
    if (!plan) throw new Error('no plan');
    return rowsOf(plan);
  }

  it.each<[string, Partial<ListEventsCommand>, string[], number]>([
    ['kind', { kind: 'message' }, ['wamid.1'], PAGES],
    ['delivered state at a quiet endpoint', { state: 'delivered', endpointId: QUIET }, ['wamid.5', 'wamid.2'], 1],
    ['waiting state at a quiet endpoint', { state: 'pending', endpointId: QUIET }, ['wamid.6', 'wamid.3'], 1],
    [
      'dropped state at a quiet endpoint',
      { state: 'dropped', endpointId: QUIET },
      ['wamid.4', 'wamid.1'],
      Math.floor(EVENTS / 3 / SCAN_LIMIT) + 1,
    ],
    [
      'dropped state and a rare kind',
      { state: 'dropped', kind: 'message' },
      ['wamid.1'],
      Math.floor(EVENTS / 3 / SCAN_LIMIT) + 1,
    ],
    ['quiet endpoint', { endpointId: QUIET }, [6, 5, 4, 3, 2, 1].map((n) => `wamid.${n}`), 1],
    ["another account's endpoint", { endpointId: FOREIGN, state: 'delivered' }, [], 1],
    ['message id', { messageId: 'wamid.7' }, ['wamid.7'], 1],
    ['rare phone prefix', { search: '5500000', state: 'dropped', endpointId: QUIET }, ['wamid.1'], 1],
    ['text without matches', { search: '77' }, [], 1],
    ['common phone prefix', { search: '49', kind: 'message' }, [], PAGES],
  ])('pages through events filtered by %s to the end', async (_title, filter, found, pages) => {
    expect(await readAll(filter)).toEqual({ found, pages });
  });

  it('returns the result of a full scan while reading bounded pages', async () => {
    for (const filter of COMBINATIONS) {
      const expected: { message_id: string }[] = await database.dataSource.query(BRUTE_FORCE, bruteForceParams(filter));
      const { found } = await readAll(filter);
      expect({ filter, found: found.slice(0, COMPARED) }).toEqual({
        filter,
        found: expected.map(({ message_id }) => message_id),
      });
      const page = { accountId: ACCOUNT, limit: 100, ...filter };
      const counted = manyNamedSql(page);
      const [named] = counted
        ? await scanQuery<{ areMany: boolean }>(database.dataSource, counted.sql, counted.params)
        : [];
      const read = await rowsRead(listEventsSql(page, { areFew: named?.areMany === false }));
      const count = counted ? await rowsRead(counted) : 0;
      expect({ filter, read, count, isBounded: read <= MOST_READ && count <= SCAN_LIMIT + 3 }).toEqual({
        filter,
        read,
        count,
        isBounded: true,
      });
    }
  }, 60_000);
});
