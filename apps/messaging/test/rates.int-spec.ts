import { importRatesV1, listRatesV1, type RateRecord } from '@switchboard/contracts';
import { type RunningMessaging, startMessaging } from './support/start-messaging';

const rate = (more: Partial<RateRecord> = {}): RateRecord => ({
  market: 'India',
  category: 'utility',
  currency: 'USD',
  amount: '0.0014',
  validFrom: '2026-07-01',
  source: 'sample',
  ...more,
});

describe('the rate card', () => {
  let messaging: RunningMessaging;
  beforeAll(async () => {
    messaging = await startMessaging();
  });
  beforeEach(() => messaging.dataSource.query('DELETE FROM rates'));
  afterAll(() => messaging.stop());

  const load = (rates: RateRecord[], replace = false) => messaging.gateway.request(importRatesV1, { rates, replace });
  const list = (on?: string) => messaging.gateway.request(listRatesV1, on === undefined ? {} : { on });

  it('contains the imported rates, unchanged by a repeated import', async () => {
    const rates = [rate(), rate({ validFrom: '2026-10-01', amount: '0.0015' }), rate({ market: 'Other', amount: '2' })];
    expect(await load(rates)).toEqual({ added: 3, changed: 0, removed: 0, total: 3 });
    expect(await load(rates)).toEqual({ added: 0, changed: 0, removed: 0, total: 3 });
    expect(await list()).toEqual({ rates, total: 3 });
  });

  it('returns the rates in force on a day', async () => {
    await load([
      rate(),
      rate({ validFrom: '2026-10-01', amount: '0.0015' }),
      rate({ market: 'Nepal', validFrom: '2026-10-01' }),
    ]);
    expect((await list('2026-09-30')).rates).toEqual([rate()]);
    expect((await list('2026-10-01')).rates.map(({ market, amount }) => [market, amount])).toEqual([
      ['India', '0.0015'],
      ['Nepal', '0.0014'],
    ]);
    expect(await list('2026-06-30')).toEqual({ rates: [], total: 3 });
  });

  it('changes existing rates and keeps the others', async () => {
    await load([rate(), rate({ market: 'Other' })]);
    expect(await load([rate({ amount: '0.5' }), rate({ category: 'service' })])).toEqual({
      added: 1,
      changed: 1,
      removed: 0,
      total: 3,
    });
    expect((await list()).rates.map(({ amount }) => amount)).toEqual(['0.0014', '0.5', '0.0014']);
  });

  it('changes nothing when a rate is invalid', async () => {
    await load([rate()]);
    const faulty: [RateRecord[], string][] = [
      [[rate({ amount: '9' }), rate({ market: 'Atlantis' })], 'unknown market "Atlantis"'],
      [[rate({ amount: '9' }), rate({ market: 'Other', validFrom: '2026-02-30' })], 'validFrom must be a day'],
      [[rate({ amount: '9' }), rate({ market: 'Other', currency: 'EUR' })], 'the same currency'],
      [[rate({ amount: '9' }), rate({ amount: '8' })], 'one rate only'],
      [[rate({ currency: 'EUR' })], 'the rate card is in USD'],
    ];
    for (const [rates, message] of faulty)
      await expect(load(rates)).rejects.toMatchObject({
        code: 'INVALID_VALUE',
        message: expect.stringContaining(message) as string,
      });
    expect((await list()).rates).toEqual([rate()]);
  });

  it('can be replaced, in another currency', async () => {
    await load([rate(), rate({ market: 'Other' })]);
    expect(await load([rate({ currency: 'EUR' })], true)).toEqual({ added: 0, changed: 1, removed: 1, total: 1 });
    expect(await list()).toEqual({ rates: [rate({ currency: 'EUR' })], total: 1 });
  });

  it('has one currency after concurrent imports', async () => {
    const outcomes = await Promise.allSettled(['USD', 'EUR', 'INR'].map((currency) => load([rate({ currency })])));
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    expect((await list()).total).toBe(1);
  });
});
