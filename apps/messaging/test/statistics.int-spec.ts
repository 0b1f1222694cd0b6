import { statisticsOf, foldHourlyTotals, totalsOf } from '@switchboard/database';
import fc from 'fast-check';
import { DataSource } from 'typeorm';
import { MESSAGE_HOURS, PRICE_HOURS } from '../src/statistics/message-hours';
import { inboundMessageId } from '../src/messages/message-id';
import { createStore, minutesAgo, type StoredAccount, type TestStore } from './support/store';

const PHONE = '919800000001';
const DAY_MINUTES = 24 * 60;
const NONE = { received: 0, accepted: 0, sent: 0, delivered: 0, read: 0, failed: 0 };
type Figures = typeof NONE;

describe('message statistics', () => {
  let store: TestStore;
  let account: StoredAccount;

  beforeAll(async () => {
    store = await createStore();
  });
  beforeEach(async () => {
    account = await store.addAccount();
  });
  afterAll(() => store.drop());

  const sql = <T>(text: string, ...params: unknown[]): Promise<T[]> => store.dataSource.query(text, params);
  const figures = (unit: 'hour' | 'day' = 'day', count = 90) =>
    statisticsOf(store.dataSource, { ...MESSAGE_HOURS, none: NONE }, { accountId: account.accountId, unit, count });
  /** Returns statistics computed from the rows, by the time of their ids. */
  const counted = async (from = '-infinity') => {
    const rows = await sql<{ day: string; state: keyof Figures; total: number }>(
      `SELECT to_char(message_hours_hour_of(id) AT TIME ZONE 'UTC', 'YYYY-MM-DD') AS day, state, count(*)::int AS total
       FROM messages WHERE account_id = $1 AND settled AND message_hours_hour_of(id) >= $2::timestamptz GROUP BY 1, 2`,
      account.accountId,
      from,
    );
    const days: Record<string, Figures> = {};
    for (const { day, state, total } of rows) (days[day] ??= { ...NONE })[state] = total;
    return days;
  };
  const byDay = async () =>
    Object.fromEntries((await figures()).map(({ at, ...totals }) => [at.slice(0, 10), totals] as const));

  it('derive day and hour from the message id', async () => {
    const times = [0, 1, 3_599_999, 3_600_000, Date.UTC(2026, 1, 28, 23, 59, 59, 999), Date.UTC(2026, 2, 1)];
    for (const time of times) {
      const id = inboundMessageId({ numberId: 'num_1', upstreamId: 'x', at: new Date(time) });
      const [row] = await sql<{ hour: Date }>('SELECT message_hours_hour_of($1) AS hour', id);
      expect(row?.hour.getTime()).toBe(Math.floor(time / 3_600_000) * 3_600_000);
    }
  });

  it('count each message once, in its current state', async () => {
    const [first = '', second = ''] = await store.addMessages(account, [
      { with: PHONE, state: 'sending' },
      { with: PHONE, state: 'unknown' },
      { with: PHONE, direction: 'inbound' },
    ]);
    expect(await figures('hour', 2)).toMatchObject([{ ...NONE, received: 1 }]);
    const totals = async () => {
      const [found = { ...NONE, at: '' }] = await figures();
      return { ...found, at: undefined };
    };
    await sql("UPDATE messages SET state = 'accepted' WHERE id = ANY ($1)", [first, second]);
    expect(await totals()).toEqual({ ...NONE, at: undefined, received: 1, accepted: 2 });
    for (const state of ['sent', 'delivered', 'read'])
      await sql('UPDATE messages SET state = $2 WHERE id = $1', first, state);
    await sql("UPDATE messages SET state = 'failed' WHERE id = $1", second);
    await sql("UPDATE messages SET caption = 'x' WHERE account_id = $1", account.accountId);
    expect(await totals()).toEqual({ ...NONE, at: undefined, received: 1, read: 1, failed: 1 });
    await sql('DELETE FROM messages WHERE account_id = $1', account.accountId);
    expect(await totals()).toEqual({ ...NONE, at: undefined, received: 1, read: 1, failed: 1 });
  });

  it('match the messages after any changes, including roll-ups', async () => {
    const message = fc.record({
      direction: fc.constantFrom('inbound', 'outbound'),
      minutes: fc.nat({ max: 20 * DAY_MINUTES }),
      state: fc.constantFrom('sending', 'accepted', 'failed'),
    });
    const step = fc.oneof(
      fc.record({ add: fc.array(message, { minLength: 1, maxLength: 12 }) }),
      fc.record({ move: fc.constantFrom('unknown', 'sent', 'delivered', 'failed', 'read') }),
      fc.constant({ fold: true as const }),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 3, maxLength: 10 }), async (story) => {
        account = await store.addAccount();
        for (const each of story) {
          if ('fold' in each) await foldHourlyTotals(store.dataSource, MESSAGE_HOURS);
          else if ('move' in each)
            await sql(
              "UPDATE messages SET state = $2 WHERE account_id = $1 AND direction = 'outbound' AND right(id, 1) < 'g'",
              account.accountId,
              each.move,
            );
          else
            await store.addMessages(
              account,
              each.add.map(({ direction, minutes, state }) =>
                direction === 'inbound'
                  ? { with: PHONE, direction: 'inbound' as const, at: minutesAgo(minutes) }
                  : { with: PHONE, state, at: minutesAgo(minutes) },
              ),
            );
        }
        expect(await byDay()).toEqual(await counted());
      }),
      { numRuns: 30, seed: 20_261_124 },
    );
  }, 120_000);

  it('aggregate past days and delete expired totals', async () => {
    const at = (days: number) => minutesAgo(days * DAY_MINUTES);
    await store.addMessages(
      account,
      [6, 6, 6.3, 500].map((days) => ({ with: PHONE, at: at(days) })),
    );
    await store.addMessages(account, [{ with: PHONE, at: at(6) }]);
    const before = await byDay();
    while (await foldHourlyTotals(store.dataSource, MESSAGE_HOURS));
    expect(await byDay()).toEqual(before);
    const days = await sql<{ day: string; rows: number }>(
      `SELECT hour::date::text AS day, count(*)::int AS rows FROM message_hours WHERE account_id = $1 GROUP BY 1`,
      account.accountId,
    );
    expect(days.every(({ rows }) => rows === 1)).toBe(true);
    expect(days).toHaveLength(Object.keys(before).length);
  });

  it('are exact under concurrent writes, without deadlocks', async () => {
    const others = await Promise.all([1, 2, 3].map(() => store.addAccount()));
    const sets = await Promise.all(
      [account, ...others].map((one) =>
        store.addMessages(
          one,
          Array.from({ length: 40 }, () => ({ with: PHONE, state: 'accepted' })),
        ),
      ),
    );
    const ids = sets.flat();
    const write = async (state: string, first: number): Promise<void> => {
      // Change rows of all accounts, each transaction in a different order.
      const some = [...ids.slice(first), ...ids.slice(0, first)].filter((_, index) => index % 2 === 0);
      await store.dataSource.transaction(async (tx) => {
        await tx.query(
          `UPDATE messages SET state = $2 FROM (SELECT id FROM messages WHERE id = ANY ($1) ORDER BY id FOR UPDATE) AS locked
           WHERE messages.id = locked.id`,
          [some, state],
        );
      });
    };
    await Promise.all(
      Array.from({ length: 24 }, (_, turn) => write(['sent', 'delivered', 'read'][turn % 3] ?? '', (turn * 7) % 160)),
    );
    for (const one of [account, ...others]) {
      account = one;
      expect(await byDay()).toEqual(await counted());
    }
  });

  it('use UTC days regardless of the server time zone', async () => {
    const now = new Date();
    // Midnight UTC in last winter or summer, whichever has a different offset in Berlin than now.
    const [winter, summer] = [0, 6].map((month) => lastMidnight(now, month));
    const isWinter = berlinOffset(now) === berlinOffset(winter ?? now);
    const start = (isWinter ? summer : winter) ?? now;
    const days = Math.floor((now.getTime() - start.getTime()) / 86_400_000) + 1;
    await sql(
      "INSERT INTO message_hours (account_id, hour, state, slot, total) VALUES ($1, $2, 'sent', 0, 1), ($1, $3, 'sent', 0, 1)",
      account.accountId,
      start,
      new Date(start.getTime() - 3_600_000),
    );
    const [{ name } = { name: '' }] = await sql<{ name: string }>('SELECT current_database() AS name');
    await sql(`ALTER DATABASE ${name} SET TimeZone = 'Europe/Berlin'`);
    const berlin = await new DataSource({ ...store.dataSource.options }).initialize();
    try {
      expect(await berlin.query('SHOW TimeZone')).toEqual([{ TimeZone: 'Europe/Berlin' }]);
      const span = { accountId: account.accountId, unit: 'day' as const, count: days };
      expect(await statisticsOf(berlin, { ...MESSAGE_HOURS, none: NONE }, span)).toEqual([
        { ...NONE, sent: 1, at: start.toISOString() },
      ]);
    } finally {
      await berlin.destroy();
      await sql(`ALTER DATABASE ${name} RESET TimeZone`);
    }
  });
});

describe('price statistics', () => {
  let store: TestStore;
  let account: StoredAccount;

  beforeAll(async () => {
    store = await createStore();
  });
  beforeEach(async () => {
    account = await store.addAccount();
  });
  afterAll(() => store.drop());

  const sql = <T>(text: string, ...params: unknown[]): Promise<T[]> => store.dataSource.query(text, params);
  const price = (ids: readonly string[], pricing: object | null) =>
    sql('UPDATE messages SET pricing = $2::jsonb WHERE id = ANY ($1)', ids, pricing && JSON.stringify(pricing));
  /** Returns totals by day as text, both stored and computed from the rows. */
  const told = async (unit: 'hour' | 'day' = 'day') =>
    (await totalsOf(store.dataSource, PRICE_HOURS, { accountId: account.accountId, unit, count: 90 }))
      .map(({ at, category, type, billable, total }) => [at.toISOString(), category, type, billable, total].join(' '))
      .toSorted();
  const counted = async () =>
    (
      await sql<{ row: string }>(
        `SELECT concat_ws(' ', to_char(date_trunc('day', price_hours_hour_of(id), 'UTC') AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
           COALESCE(pricing->>'category', ''), COALESCE(pricing->>'type', ''), COALESCE(pricing->>'billable', ''), count(*)) AS row
         FROM messages WHERE account_id = $1 AND pricing IS NOT NULL
         GROUP BY date_trunc('day', price_hours_hour_of(id), 'UTC'), pricing->>'category', pricing->>'type', pricing->>'billable'`,
        account.accountId,
      )
    )
      .map(({ row }) => row)
      .toSorted();

  it('count each priced message once by category, type and billing', async () => {
    const others = await store.addAccount();
    const theirs = await store.addMessages(others, [{ with: PHONE }]);
    const [first = '', second = '', third = ''] = await store.addMessages(account, [
      { with: PHONE },
      { with: PHONE },
      { with: PHONE },
    ]);
    expect(await told()).toEqual([]);
    await price([first, second, ...theirs], { category: 'utility', type: 'regular', billable: true, model: 'PMP' });
    await price([third], { category: null, type: null, billable: false, model: null });
    const shown = async () => (await told('hour')).map((row) => row.slice(25));
    expect(await shown()).toEqual(['  false 1', 'utility regular true 2']);
    for (const state of ['delivered', 'read'])
      await sql('UPDATE messages SET state = $2 WHERE account_id = $1', account.accountId, state);
    await sql('DELETE FROM messages WHERE account_id = $1', account.accountId);
    expect(await shown()).toEqual(['  false 1', 'utility regular true 2']);
  });

  it('match the messages after any changes, including roll-ups', async () => {
    const pricing = fc.option(
      fc.record({
        category: fc.constantFrom('utility', 'marketing', 'marketing_lite', null),
        type: fc.constantFrom('regular', 'free_entry_point', null),
        billable: fc.constantFrom(true, false, null),
      }),
    );
    const step = fc.oneof(
      fc.record({ add: fc.array(fc.nat({ max: 20 * DAY_MINUTES }), { minLength: 1, maxLength: 12 }) }),
      fc.record({ pricing, digits: fc.constantFrom('8', 'g', 'z') }),
      fc.constant({ fold: true as const }),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 3, maxLength: 10 }), async (story) => {
        account = await store.addAccount();
        for (const each of story) {
          if ('fold' in each) while (await foldHourlyTotals(store.dataSource, PRICE_HOURS));
          else if ('add' in each)
            await store.addMessages(
              account,
              each.add.map((minutes) => ({ with: PHONE, at: minutesAgo(minutes) })),
            );
          else
            await sql(
              'UPDATE messages SET pricing = $2::jsonb WHERE account_id = $1 AND right(id, 1) < $3',
              account.accountId,
              each.pricing && JSON.stringify(each.pricing),
              each.digits,
            );
        }
        expect(await told()).toEqual(await counted());
      }),
      { numRuns: 30, seed: 20_261_125 },
    );
  }, 120_000);
});

/** Returns midnight UTC on the 15th of the given month, in this year or the last, whichever is past. */
function lastMidnight(now: Date, month: number): Date {
  const thisYear = Date.UTC(now.getUTCFullYear(), month, 15);
  return new Date(thisYear < now.getTime() ? thisYear : Date.UTC(now.getUTCFullYear() - 1, month, 15));
}

function berlinOffset(at: Date): string {
  return at.toLocaleString('en', { timeZone: 'Europe/Berlin', timeZoneName: 'shortOffset' }).split(' ').at(-1) ?? '';
}
