import type { EstimatedGroup, EstimateSendsReply } from '@switchboard/contracts';
import { EstimateTally } from './estimate-tally';
import type { JudgedRow } from '../jobs/row-validator';

const NO_ALLOWANCE = { freeServiceLeast: 0, freeServiceMost: 0, chargesService: true };
const group = (more: Partial<EstimatedGroup> = {}): EstimatedGroup => ({
  category: 'utility',
  market: 'India',
  messages: 1,
  lowest: '0.01',
  highest: '0.01',
  free: null,
  ...more,
});
const service = (messages: number, amount: string, market = 'India'): EstimatedGroup =>
  group({ category: 'service', market, messages, lowest: amount, highest: amount });

function tallyOf(groups: EstimatedGroup[], more: Partial<EstimateSendsReply> = {}): EstimateTally {
  const tally = new EstimateTally();
  tally.add([], { currency: 'USD', groups, rejections: [], initiated: 0, ...more });
  return tally;
}

const rowsOf = (count: number) => Array.from({ length: count }, (_, position) => ({ position, phone: '1' }));
const rowOf = (position: number, code?: string) =>
  ({ position, phone: String(position), fault: code ? { code, message: code } : null }) as JudgedRow;

describe('EstimateTally', () => {
  it('adds up exact amounts by category and market', () => {
    const tally = new EstimateTally();
    for (let part = 0; part < 3; part += 1)
      tally.add([], {
        currency: 'USD',
        groups: [group({ messages: 1_000, lowest: '0.1', highest: '0.1' }), group({ market: 'Brazil' })],
        rejections: [],
        initiated: 0,
      });
    expect(tally.result(NO_ALLOWANCE)).toEqual({
      currency: 'USD',
      price: { lowest: '300.03', highest: '300.03', unrated: 0 },
      lines: [
        {
          category: 'utility',
          market: 'India',
          messages: 3_000,
          free: 0,
          lowest: '300.00',
          highest: '300.00',
          unrated: 0,
        },
        { category: 'utility', market: 'Brazil', messages: 3, free: 0, lowest: '0.03', highest: '0.03', unrated: 0 },
      ],
      free: [],
      failures: [],
    });
  });

  it('excludes free and unrated messages from the price', () => {
    const groups = [
      group({ messages: 5, free: 'free_entry_point', lowest: '0.00', highest: '0.00' }),
      group({ messages: 2 }),
      group({ market: 'Chile', messages: 4, lowest: null, highest: null }),
    ];
    expect(tallyOf(groups).result(NO_ALLOWANCE)).toMatchObject({
      price: { lowest: '0.02', highest: '0.02', unrated: 4 },
      lines: [
        { messages: 7, free: 5, lowest: '0.02' },
        { market: 'Chile', free: 0, lowest: null, highest: null, unrated: 4 },
      ],
      free: [{ reason: 'free_entry_point', messages: 5 }],
    });
  });

  it('returns null without a rate card, and zero if all is free', () => {
    const free = group({ free: 'free_entry_point' });
    expect(tallyOf([free]).result(NO_ALLOWANCE).price).toEqual({ lowest: '0.00', highest: '0.00', unrated: 0 });
    expect(tallyOf([free], { currency: null }).result(NO_ALLOWANCE).price.lowest).toBeNull();
  });

  it('returns the price range for any use of the allowance', () => {
    const tally = tallyOf([service(10, '0.01'), service(10, '0.10', 'Germany')]);
    const allowance = { freeServiceLeast: 12, freeServiceMost: 15, chargesService: true };
    expect(tally.result(allowance)).toMatchObject({
      price: { lowest: '0.05', highest: '0.80' },
      lines: [
        { market: 'India', free: 2, lowest: '0.00', highest: '0.08' },
        { market: 'Germany', free: 2, lowest: '0.00', highest: '0.80' },
      ],
      free: [{ reason: 'free_allowance', messages: 12 }],
    });
    expect(tally.result({ ...allowance, chargesService: false }).free).toEqual([]);
  });

  it('applies the allowance to service messages only', () => {
    const allowance = { freeServiceLeast: 9, freeServiceMost: 9, chargesService: true };
    const { price, free } = tallyOf([group({ messages: 3 }), service(2, '0.50')]).result(allowance);
    expect([price, free]).toEqual([
      { lowest: '0.03', highest: '0.03', unrated: 0 },
      [{ reason: 'free_allowance', messages: 2 }],
    ]);
  });

  it('counts failures by reason and code, with five examples', () => {
    const tally = new EstimateTally();
    tally.addRejected(Array.from({ length: 7 }, (_, position) => rowOf(position, 'INVALID_PHONE')));
    tally.addRejected([rowOf(7), rowOf(8, 'MISSING_FIELD')]);
    const blocked = { reason: 'blocked' as const, code: 'RECIPIENT_BLOCKED' };
    tally.add([rowOf(9), rowOf(10)], {
      currency: 'USD',
      groups: [],
      rejections: [{ index: 1, ...blocked }],
      initiated: 1,
    });
    expect(tally.messages).toBe(1);
    expect(tally.result(NO_ALLOWANCE).failures).toEqual([
      {
        reason: 'invalid',
        code: 'INVALID_PHONE',
        recipients: 7,
        examples: [0, 1, 2, 3, 4].map((index) => ({ index, phone: String(index) })),
      },
      { reason: 'invalid', code: 'MISSING_FIELD', recipients: 1, examples: [{ index: 8, phone: '8' }] },
      { ...blocked, recipients: 1, examples: [{ index: 10, phone: '10' }] },
    ]);
  });

  it('counts the messages that a cap allows at reserved and lowest prices', () => {
    const tally = tallyOf([]);
    const groups = [
      group({ messages: 10, lowest: '0.01', highest: '0.02', reserved: '0.03' }),
      group({ messages: 5, market: 'Brazil', lowest: '0.10', highest: '0.10', reserved: '0.10' }),
      group({ messages: 2, free: 'free_entry_point', lowest: '0.00', highest: '0.00', reserved: '0.01' }),
    ];
    tally.add(rowsOf(17), { currency: 'USD', groups, rejections: [], initiated: 0 });
    const within = (amount: string) => tally.within({ amount, currency: 'USD' }, NO_ALLOWANCE);
    expect(within('0.55')).toEqual({
      amount: '0.55',
      currency: 'USD',
      messagesAtHighest: 6,
      messagesAtLowest: 16,
      wouldPause: true,
    });
    expect(within('0.82')).toMatchObject({ messagesAtHighest: 17, messagesAtLowest: 17, wouldPause: false });
    expect(within('0.81')).toMatchObject({ messagesAtHighest: 16, wouldPause: true });
    expect(within('0.01')).toMatchObject({ messagesAtHighest: 0, messagesAtLowest: 3 });
    // The free messages reserve 0.01 each before they turn out to be free.
    expect(within('0.009')).toMatchObject({ messagesAtHighest: 0, messagesAtLowest: 0, wouldPause: true });
  });

  it("counts messages within what is left of the account's cap", () => {
    const tally = tallyOf([]);
    tally.add(rowsOf(3), { currency: 'USD', groups: [group({ messages: 3 })], rejections: [], initiated: 0 });
    const cap = { amount: '0.10', currency: 'USD', month: '2026-11', spent: '0.07', reserved: '0.01' };
    const covered = { messagesAtHighest: 2, messagesAtLowest: 2, wouldPause: true };
    expect(tally.withinAccount(cap, NO_ALLOWANCE)).toEqual({ ...cap, ...covered });
    expect(tally.withinAccount({ ...cap, spent: '0.06' }, NO_ALLOWANCE)).toMatchObject({ wouldPause: false });
    // Below its used amount, a lowered cap rejects even messages without a price.
    const unpriced = tallyOf([]);
    const groups = [group({ messages: 1, lowest: '0.00', highest: '0.00', reserved: '0' })];
    unpriced.add(rowsOf(1), { currency: 'USD', groups, rejections: [], initiated: 0 });
    expect(unpriced.withinAccount({ ...cap, amount: '0.08' }, NO_ALLOWANCE)).toMatchObject({ wouldPause: false });
    expect(unpriced.withinAccount({ ...cap, amount: '0.05' }, NO_ALLOWANCE)).toMatchObject({
      messagesAtLowest: 0,
      wouldPause: true,
    });
  });

  it('applies the free allowance to the best case within a cap', () => {
    const tally = tallyOf([]);
    const groups = [{ ...service(10, '0.01'), reserved: '0.01' }];
    tally.add(rowsOf(10), { currency: 'USD', groups, rejections: [], initiated: 0 });
    const allowance = { freeServiceLeast: 0, freeServiceMost: 4, chargesService: true };
    expect(tally.within({ amount: '0.05', currency: 'USD' }, allowance)).toMatchObject({
      messagesAtHighest: 5,
      messagesAtLowest: 9,
    });
  });
});
