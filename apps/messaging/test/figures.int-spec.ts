import { canonicalPhone, newId } from '@switchboard/contracts';
import { figuresOf, foldHourlyTotals, totalsOf } from '@switchboard/database';
import { createTestDatabase, type TestDatabase } from '@switchboard/testing';
import fc from 'fast-check';
import { DataSource } from 'typeorm';
import { MESSAGE_HOURS, PRICE_HOURS } from '../src/statistics/message-hours';
import { inboundMessageId } from '../src/messages/message-id';
import { migrations } from '../src/migrations';
import { CountEarlierMessages1763990000110 } from '../src/migrations/1763990000110-count-earlier-messages';
import { CountMessagesByHour1763990000100 } from '../src/migrations/1763990000100-count-messages-by-hour';
import { CountPricesByHour1764100000050 } from '../src/migrations/1764100000050-count-prices-by-hour';
import { CountEarlierPrices1764100000051 } from '../src/migrations/1764100000051-count-earlier-prices';
import { createStore, minutesAgo, type StoredAccount, type TestStore } from './support/store';

const PHONE = '919800000001';
const DAY_MINUTES = 24 * 60;
const NONE = { received: 0, accepted: 0, sent: 0, delivered: 0, read: 0, failed: 0 };
type Figures = typeof NONE;

describe('the figures of messages', () => {
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
    figuresOf(store.dataSource, { ...MESSAGE_HOURS, none: NONE }, { accountId: account.accountId, unit, count });
  /** What the rows themselves say, by the time of their identifiers. */
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

  it('tell the day and hour of an identifier as its time does', async () => {
    const times = [0, 1, 3_599_999, 3_600_000, Date.UTC(2026, 1, 28, 23, 59, 59, 999), Date.UTC(2026, 2, 1)];
    for (const time of times) {
      const id = inboundMessageId({ numberId: 'num_1', upstreamId: 'x', at: new Date(time) });
      const [row] = await sql<{ hour: Date }>('SELECT message_hours_hour_of($1) AS hour', id);
      expect(row?.hour.getTime()).toBe(Math.floor(time / 3_600_000) * 3_600_000);
    }
  });

  it('count each message in the state that it has now, and none twice', async () => {
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

  it('are what the rows say after any story, also when days are folded in between', async () => {
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

  it('keep one row for each state of a day that is over, and let go of what is older than all figures', async () => {
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

  it('are exact when many connections count at the same time, and none waits for another in vain', async () => {
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
      // Over all accounts, from another end each.
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

  it('have days in UTC, whatever the time zone of the server is, also over a change of the clocks', async () => {
    const now = new Date();
    // A midnight in UTC of the last winter or summer: whichever has another time in Berlin than now.
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
      expect(await figuresOf(berlin, { ...MESSAGE_HOURS, none: NONE }, span)).toEqual([
        { ...NONE, sent: 1, at: start.toISOString() },
      ]);
    } finally {
      await berlin.destroy();
      await sql(`ALTER DATABASE ${name} RESET TimeZone`);
    }
  });
});

describe('the figures of prices', () => {
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
  /** As text, by day: the totals, and what the rows themselves say. */
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

  it('count a message once it has a price, by category, type and whether it is billed, and none twice', async () => {
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

  it('are what the rows say after any story, also when days are folded in between', async () => {
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

/** The middle of a month, in UTC, that is over. */
function lastMidnight(now: Date, month: number): Date {
  const thisYear = Date.UTC(now.getUTCFullYear(), month, 15);
  return new Date(thisYear < now.getTime() ? thisYear : Date.UTC(now.getUTCFullYear() - 1, month, 15));
}

function berlinOffset(at: Date): string {
  return at.toLocaleString('en', { timeZone: 'Europe/Berlin', timeZoneName: 'shortOffset' }).split(' ').at(-1) ?? '';
}

describe('messages from before they were counted', () => {
  let database: TestDatabase;
  const account = { accountId: newId('acc'), numberId: newId('num') };
  const contactId = newId('ct');

  beforeEach(async () => {
    database = await createTestDatabase('messaging', migrations.slice(0, 11));
    await sql(
      "INSERT INTO numbers (id, account_id, phone_number, phone_number_id, waba_id, sealed_access_token, status, is_primary) VALUES ($1, $2, '1555', '1555', '1', 'v1.x', 'CONNECTED', true)",
      account.numberId,
      account.accountId,
    );
    await sql(
      'INSERT INTO contacts (id, account_id, phone, phone_key) VALUES ($1, $2, $3, $4)',
      contactId,
      account.accountId,
      PHONE,
      canonicalPhone(PHONE),
    );
  });
  afterEach(() => database.drop());

  const sql = <T>(text: string, ...params: unknown[]): Promise<T[]> => database.dataSource.query(text, params);
  const add = (days: number, state = 'sent', tx: Pick<DataSource, 'query'> = database.dataSource) => {
    const at = minutesAgo(days * DAY_MINUTES);
    const id = inboundMessageId({ numberId: account.numberId, upstreamId: `${days} ${state}`, at });
    return tx.query(
      `INSERT INTO messages (id, account_id, number_id, contact_id, direction, sender, recipient, type, state)
       VALUES ($1, $2, $3, $4, 'outbound', '1555', $5, 'text', $6)`,
      [id, account.accountId, account.numberId, contactId, PHONE, state],
    );
  };
  const createTriggers = () =>
    database.dataSource.transaction(async ({ queryRunner }) => {
      if (queryRunner) await new CountMessagesByHour1763990000100().up(queryRunner);
    });
  const countEarlier = async () => {
    const runner = database.dataSource.createQueryRunner();
    await new CountEarlierMessages1763990000110().up(runner);
    await runner.release();
  };
  const totals = async () => {
    const span = { accountId: account.accountId, unit: 'day' as const, count: 90 };
    const found = await figuresOf(database.dataSource, { ...MESSAGE_HOURS, none: NONE }, span);
    const total = (state: keyof Figures) => found.reduce((sum, figures) => sum + figures[state], 0);
    return { sent: total('sent'), read: total('read'), delivered: total('delivered'), failed: total('failed') };
  };

  it('are counted by the migration, up to the days that figures show, while others go on writing', async () => {
    for (const days of [0, 1, 2.5, 40, 89, 100]) await add(days);
    await add(3, 'unknown');
    await createTriggers();
    // A version that runs meanwhile: what it settles, moves and adds late counts once.
    await sql(
      "UPDATE messages SET state = 'read' WHERE id IN (SELECT id FROM messages WHERE state = 'sent' ORDER BY id LIMIT 2)",
    );
    await add(39, 'delivered');
    await Promise.all([
      countEarlier(),
      ...[2, 38, 80].map((days) => add(days, 'failed')),
      sql("UPDATE messages SET state = 'delivered' WHERE state = 'unknown'"),
    ]);
    await sql("UPDATE messages SET state = 'read' WHERE state = 'delivered'");
    expect(await totals()).toEqual({ sent: 4, read: 3, delivered: 0, failed: 3 });
  });

  it('are counted without a wait for open transactions, whose changes count when they are committed', async () => {
    for (const days of [1, 40, 80]) await add(days);
    await createTriggers();
    const writer = database.dataSource.createQueryRunner();
    await writer.startTransaction();
    await writer.query("UPDATE messages SET state = 'read' WHERE id = (SELECT max(id) FROM messages)");
    await add(79, 'failed', writer);
    await countEarlier();
    expect(await totals()).toEqual({ sent: 3, read: 0, delivered: 0, failed: 0 });
    await writer.commitTransaction();
    await writer.release();
    expect(await totals()).toEqual({ sent: 2, read: 1, delivered: 0, failed: 1 });
  });

  it('count once when the migration runs again, also when days were folded meanwhile', async () => {
    for (const days of [1, 5, 6]) await add(days);
    await createTriggers();
    await sql("UPDATE messages SET state = 'delivered' WHERE id = (SELECT min(id) FROM messages)");
    while (await foldHourlyTotals(database.dataSource, MESSAGE_HOURS));
    for (let run = 0; run < 2; run += 1) {
      await countEarlier();
      expect(await totals()).toEqual({ sent: 2, read: 0, delivered: 1, failed: 0 });
    }
  });

  it('have their prices counted by their migration, once, while statuses come in', async () => {
    await createTriggers();
    await sql('ALTER TABLE messages ADD COLUMN pricing jsonb');
    const price = (condition: string, category: string) =>
      sql(`UPDATE messages SET pricing = jsonb_build_object('category', $1::text) WHERE ${condition}`, category);
    for (const days of [0, 1, 2.5, 40, 89, 100]) await add(days);
    await price('true', 'utility');
    await add(3);
    await database.dataSource.transaction(async ({ queryRunner }) => {
      if (queryRunner) await new CountPricesByHour1764100000050().up(queryRunner);
    });
    // A version that runs meanwhile: what it hears late counts once.
    const writer = database.dataSource.createQueryRunner();
    await writer.startTransaction();
    await writer.query(`UPDATE messages SET pricing = '{"category": "marketing"}' WHERE pricing IS NULL`);
    for (let run = 0; run < 2; run += 1) {
      const runner = database.dataSource.createQueryRunner();
      await new CountEarlierPrices1764100000051().up(runner);
      await runner.release();
    }
    await writer.commitTransaction();
    await writer.release();
    while (await foldHourlyTotals(database.dataSource, PRICE_HOURS));
    const span = { accountId: account.accountId, unit: 'day' as const, count: 90 };
    const rows = await totalsOf(database.dataSource, PRICE_HOURS, span);
    const sum = (category: string) =>
      rows.filter((row) => row.category === category).reduce((total, row) => total + row.total, 0);
    expect([sum('utility'), sum('marketing')]).toEqual([5, 1]);
  });
});
