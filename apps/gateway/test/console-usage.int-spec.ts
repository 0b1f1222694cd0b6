import {
  type StatisticsSpanCommand,
  getDeliveryStatisticsV1,
  getMessageStatisticsV1,
  getOtpStatisticsV1,
  getPriceStatisticsV1,
  listNumberChangesV1,
  listNumbersV1,
  newId,
} from '@switchboard/contracts';
import { Transactions } from '@switchboard/database';
import { silentLogger } from '@switchboard/testing';
import { CreditRounds } from '../src/accounts/credit-rounds';
import { ReservationsService } from '../src/accounts/reservations.service';
import { signedIn } from './support/console';
import { type Customer, type GatewayUnderTest, startGateway } from './support/gateway';

const DAY_MS = 86_400_000;
const dayOf = (daysAgo: number): string => new Date(Date.now() - daysAgo * DAY_MS).toISOString().slice(0, 10);

interface Day {
  at: string;
  messages: Record<string, number>;
  deliveries: Record<string, number>;
  codes: Record<string, number>;
  credits: { given: number; spent: number; returned: number };
}
interface Entry {
  id: string;
  at: string;
  kind: string;
  amount: number;
  reason: string;
  reservationId: string | null;
}

describe('console statistics and usage', () => {
  let gateway: GatewayUnderTest;
  let customer: Customer;
  let viewer: Awaited<ReturnType<typeof signedIn>>;
  let reservations: ReservationsService;

  beforeAll(async () => {
    gateway = await startGateway({
      standing: ['messaging', 'otp', 'webhooks'],
      settings: { CONSOLE_REQUESTS_PER_MINUTE: 10_000 },
    });
    reservations = new ReservationsService(new Transactions(gateway.database.dataSource), silentLogger);
  });
  beforeEach(async () => {
    gateway.fakes.reset();
    await gateway.database.dataSource.query('DELETE FROM sign_in_attempts');
    customer = await gateway.customer();
    viewer = await signedIn(gateway, customer.accountId, 'viewer');
  });
  afterAll(() => gateway.close());

  const get = async <T>(path: string): Promise<T> => (await viewer.call('GET', `/console/v1${path}`)).body as T;
  const giveCredits = (amount: number, reason = 'test') =>
    gateway.services.credits.topUp({ accountId: customer.accountId, category: 'utility', amount, reason }, 'test');
  const reserve = async (amount: number): Promise<string> => {
    const reservationId = newId('otp');
    const held = { category: 'utility' as const, amount, holdSeconds: 60 };
    await reservations.reserve({ accountId: customer.accountId, reservationId, ...held });
    return reservationId;
  };
  const ledger = async (query = '') => (await get<{ entries: Entry[] }>(`/credits${query}`)).entries;

  it('return each day once, including empty days', async () => {
    const at = `${dayOf(1)}T00:00:00.000Z`;
    const [sample] = getMessageStatisticsV1.sample.response.figures;
    gateway.fakes.answer(getMessageStatisticsV1, () => ({ figures: [{ ...sample, at }] }));
    gateway.fakes.answer(getDeliveryStatisticsV1, () => ({ figures: [{ at, delivered: 5, dropped: 2 }] }));
    const none = getOtpStatisticsV1.sample.response.total;
    gateway.fakes.answer(getOtpStatisticsV1, () => ({
      total: none,
      days: [{ day: dayOf(0), sent: 3, failed: 1, verified: 2, refused: 0, conversion: 0.6 }],
    }));
    const { days } = await get<{ days: Day[] }>('/figures?days=3');
    expect(days.map((day) => day.at.slice(0, 10))).toEqual([dayOf(2), dayOf(1), dayOf(0)]);
    const zero = { received: 0, accepted: 0, sent: 0, delivered: 0, read: 0, failed: 0 };
    expect(days).toMatchObject([
      { messages: zero, deliveries: { delivered: 0, dropped: 0 }, codes: { sent: 0 } },
      { messages: { delivered: sample?.delivered }, deliveries: { delivered: 5, dropped: 2 } },
      { messages: zero, codes: { sent: 3, failed: 1, verified: 2, refused: 0 } },
    ]);
    const asked: Partial<StatisticsSpanCommand> = { accountId: customer.accountId, unit: 'day', count: 3 };
    expect(gateway.fakes.of(getMessageStatisticsV1)).toEqual([asked]);
  });

  it('return each of the last hours', async () => {
    const { hours } = await get<{ hours: Day[] }>('/figures/hours?hours=4');
    expect(hours).toHaveLength(4);
    expect(Date.now() - Date.parse(hours.at(-1)?.at ?? '')).toBeLessThan(3_600_000);
    expect(gateway.fakes.of(getDeliveryStatisticsV1)).toMatchObject([{ unit: 'hour', count: 4 }]);
  });

  it('return prices by day and by hour', async () => {
    const at = `${dayOf(1)}T00:00:00.000Z`;
    const utility = { category: 'utility', type: 'regular', billable: true, messages: 51 };
    const free = { category: null, type: 'free_entry_point', billable: false, messages: 2 };
    gateway.fakes.answer(getPriceStatisticsV1, () => ({
      figures: [
        { at, ...utility },
        { at, ...free },
      ],
    }));
    const { periods } = await get<{ periods: { at: string; prices: object[] }[] }>('/figures/prices?days=3');
    expect(periods.map((period) => period.at.slice(0, 10))).toEqual([dayOf(2), dayOf(1), dayOf(0)]);
    expect(periods.map(({ prices }) => prices)).toEqual([[], [utility, free], []]);
    const hours = await get<{ periods: { at: string }[] }>('/figures/prices/hours?hours=4');
    expect(hours.periods).toHaveLength(4);
    expect(gateway.fakes.of(getPriceStatisticsV1)).toEqual([
      { accountId: customer.accountId, unit: 'day', count: 3 },
      { accountId: customer.accountId, unit: 'hour', count: 4 },
    ]);
    for (const query of ['?days=0', '?days=91', '/hours?hours=49', '/hours?hours=x'])
      expect(await viewer.call('GET', `/console/v1/figures/prices${query}`)).toMatchObject({ status: 400 });
  });

  it('reject an invalid number of days', async () => {
    for (const query of ['?days=0', '?days=91', '?days=x', '?days=1&days=2'])
      expect(await viewer.call('GET', `/console/v1/figures${query}`)).toMatchObject({ status: 400 });
  });

  it('return the same daily credits as the ledger', async () => {
    const before = (await get<{ days: Day[] }>('/figures?days=1')).days[0]?.credits ?? { given: 0 };
    await giveCredits(50);
    const [spent, unused, undelivered] = [await reserve(2), await reserve(3), await reserve(4)];
    await reservations.settle(customer.accountId, spent);
    await reservations.refund(customer.accountId, unused);
    await reservations.settle(customer.accountId, undelivered);
    await reservations.returnSpent(customer.accountId, undelivered);
    const [today] = (await get<{ days: Day[] }>('/figures?days=1')).days;
    expect(today?.credits).toEqual({ given: before.given + 50, spent: 9, returned: 7 });
    const entries = await ledger('?limit=100');
    const sum = (...kinds: string[]) =>
      entries.filter(({ kind }) => kinds.includes(kind)).reduce((total, { amount }) => total + amount, 0);
    expect(today?.credits).toEqual({
      given: sum('grant', 'top_up'),
      spent: -sum('reserve'),
      returned: sum('refund'),
    });
  });

  it('count credits exactly under concurrency', async () => {
    await giveCredits(400);
    const rounds = new CreditRounds(new Transactions(gateway.database.dataSource), silentLogger);
    await Promise.all(
      Array.from({ length: 40 }, async (_, index) => {
        const id = await reserve(1 + (index % 3));
        if (index % 4 === 0) await reservations.refund(customer.accountId, id);
        else await reservations.settle(customer.accountId, id);
        if (index % 10 === 0) await rounds.releaseOverdue();
      }),
    );
    const [today] = (await get<{ days: Day[] }>('/figures?days=1')).days;
    const { credits } = await get<{ credits: { utility: number } }>('/account');
    const { given = 0, spent = 0, returned = 0 } = today?.credits ?? {};
    expect(given - spent + returned).toBe(credits.utility);
  });

  it('list the ledger by page, kind and time', async () => {
    for (const amount of [1, 2, 3]) await giveCredits(amount, `gift ${amount}`);
    const id = await reserve(2);
    const all = await ledger('?limit=100');
    expect(all.slice(0, 2)).toMatchObject([
      { kind: 'reserve', amount: -2, reservationId: id },
      { kind: 'top_up', amount: 3, reason: 'gift 3', reservationId: null },
    ]);
    const paged: Entry[] = [];
    for (let cursor: string | null = ''; cursor !== null; ) {
      const page: { entries: Entry[]; nextCursor: string | null } = await get(
        `/credits?limit=2${cursor ? `&cursor=${cursor}` : ''}`,
      );
      paged.push(...page.entries);
      cursor = page.nextCursor;
    }
    expect(paged).toEqual(all);
    expect((await ledger('?kind=top_up')).map(({ amount }) => amount)).toEqual([3, 2, 1]);
    const second = all[2]?.at ?? '';
    expect(await ledger(`?until=${second}`)).toEqual(all.filter(({ at }) => at < second));
    expect((await ledger(`?since=${second}&kind=top_up`)).map(({ amount }) => amount)).toContain(3);
    for (const query of ['?kind=gift', '?since=monday', '?cursor=x'])
      expect((await viewer.call('GET', `/console/v1/credits${query}`)).status).toBeGreaterThanOrEqual(400);
  });

  it('export the ledger without formulas', async () => {
    await giveCredits(7, '=HYPERLINK("https://example.com")');
    await reserve(2);
    const { status, headers, body } = await viewer.call('GET', '/console/v1/credits.csv?kind=top_up');
    expect([status, headers.get('content-type')]).toEqual([200, 'text/csv; charset=utf-8']);
    const [head, line, ...rest] = String(body.text).trimEnd().split('\r\n');
    expect(head).toBe('id,at,kind,category,amount,reason,reservation');
    expect(line).toContain(`top_up,utility,7,"'=HYPERLINK(""https://example.com"")",`);
    expect(rest).toEqual([]);
    const { body: whole } = await viewer.call('GET', '/console/v1/credits.csv');
    expect(String(whole.text)).toContain(',reserve,utility,-2,reserved,');
  });

  it("show each client's rate limit without counting", async () => {
    const ask = () => fetch(`${gateway.url}/v1/me`, { headers: { authorization: `Bearer ${customer.apiKey}` } });
    const { rateLimit } = (await (await ask()).json()) as { rateLimit: { limit: number; remaining: number } };
    for (let times = 0; times < 2; times += 1) {
      const { clients } = await get<{ clients: { keyId: string; limit: number; remaining: number }[] }>('/rate-usage');
      expect(clients).toMatchObject([{ keyId: customer.keyId, limit: rateLimit.limit }]);
      expect(clients[0]?.remaining).toBeGreaterThanOrEqual(rateLimit.remaining);
    }
  });

  it('return the numbers with health and history', async () => {
    const id = newId('num');
    const [{ phoneNumberId, ...sample } = {}] = listNumbersV1.sample.response.numbers;
    const health = { isPrimary: true, throughput: 'HIGH', lastCallbackAt: '2026-03-02T10:15:00.000Z' };
    gateway.fakes.answer(listNumbersV1, () => ({ numbers: [{ ...sample, phoneNumberId, id, ...health }] }));
    expect((await get<{ numbers: object[] }>('/numbers')).numbers).toEqual([
      {
        ...sample,
        id,
        ...health,
        displayName: null,
        stoppedReason: null,
        restrictions: [],
        businessState: null,
        nameDecision: null,
        appHistory: null,
      },
    ]);
    expect(await get(`/numbers/${id}`)).toMatchObject({
      number: { id, throughput: 'HIGH' },
      contactsLeft: 9_880,
      contactLimit: 10_000,
    });
    expect(await viewer.call('GET', `/console/v1/numbers/${newId('num')}`)).toMatchObject({ status: 404 });
    const { changes } = listNumberChangesV1.sample.response;
    expect(await get(`/numbers/${id}/history?limit=5`)).toMatchObject({ changes, nextCursor: null });
    expect(gateway.fakes.of(listNumberChangesV1)).toEqual([{ accountId: customer.accountId, numberId: id, limit: 5 }]);
  });
});
