import type { ListEventsCommand } from '@switchboard/contracts';
import { createTestDatabase, type TestDatabase } from '@switchboard/testing';
import { LogController } from '../src/log/log.controller';
import { migrations } from '../src/migrations';
import { firstIdAt } from '../src/ordered-ids';

const EVENTS = 12_000;
/** Events that one page may look at. */
const LOOK_MOST = 5_000;
const ACCOUNT = 'acc_1';
const INSERT = `
  INSERT INTO events (id, account_id, kind, body, occurred_at)
  SELECT left($1, 20) || lpad(to_hex(n), 10, '0'), $2, CASE n WHEN 1 THEN 'message' ELSE 'message_status' END, '', now() FROM generate_series(1, $3::int) AS n`;

describe('the log of an account with many events', () => {
  let database: TestDatabase;
  let log: LogController;

  beforeAll(async () => {
    database = await createTestDatabase('webhooks', migrations);
    log = new LogController(database.dataSource);
    await database.dataSource.query(INSERT, [firstIdAt('evt', new Date()), ACCOUNT, EVENTS]);
    await database.dataSource.query('ANALYZE events');
  });
  afterAll(() => database.drop());

  it.each<[string, Partial<ListEventsCommand>, number]>([
    ['a kind', { kind: 'message' }, 1],
    ['delivered ones', { state: 'delivered' }, 0],
  ])('looks through so many for %s, and its cursor leads to all of them', async (_title, filter, count) => {
    let found = 0;
    let pages = 0;
    let cursor: string | undefined;
    do {
      const { events, nextCursor } = await log.listEvents({ accountId: ACCOUNT, limit: 20, cursor, ...filter });
      found += events.length;
      cursor = nextCursor ?? undefined;
      pages += 1;
    } while (cursor);
    expect([found, pages]).toEqual([count, Math.floor(EVENTS / LOOK_MOST) + 1]);
  });
});
