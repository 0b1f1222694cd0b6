import { MAX_USAGE_GROUPS } from '@switchboard/contracts';
import { rateCardOf } from '@switchboard/pricing';
import { summarizeUsage } from './summarize-usage';
import type { UsageRow } from './usage.queries';

const card = rateCardOf([
  { market: 'India', category: 'utility', currency: 'USD', amount: '0.0014', validFrom: '2026-07-01' },
  { market: 'India', category: 'utility', currency: 'USD', amount: '0.0015', validFrom: '2026-10-15' },
]);
const row = (more: Partial<UsageRow> = {}): UsageRow => ({
  day: '2026-10-14',
  category: 'utility',
  type: 'regular',
  billable: 'true',
  country: 'IN',
  name: 'order_update',
  delivered: 100,
  ...more,
});
const summary = (rows: UsageRow[], by: 'market' | 'template' = 'template', rates = card) =>
  summarizeUsage(rows, { card: rates, by });

describe('monthly usage summary', () => {
  it('prices each day by the rate in force', () => {
    const { total, groups } = summary([row(), row({ day: '2026-10-15', delivered: 200 })]);
    expect(total).toMatchObject({ delivered: 300, billable: 300, amount: '0.44', unrated: 0 });
    expect(groups).toEqual([{ name: 'order_update', ...total }]);
  });

  it('counts all delivered messages but prices only billable ones', () => {
    const { total } = summary([
      row(),
      row({ category: 'service', type: 'free_customer_service', billable: 'false', delivered: 7 }),
      row({ category: '', type: 'regular', billable: '', delivered: 1 }),
    ]);
    expect(total).toEqual({
      delivered: 108,
      billable: 101,
      amount: '0.14',
      unrated: 1,
      pricing: [
        { category: 'utility', type: 'regular', billable: true, messages: 100 },
        { category: 'service', type: 'free_customer_service', billable: false, messages: 7 },
        { category: null, type: 'regular', billable: null, messages: 1 },
      ],
    });
  });

  it('has no amount without a known rate', () => {
    const { groups, total } = summary([
      row(),
      row({ country: 'DE', name: 'other' }),
      row({ billable: 'false', name: 'free' }),
    ]);
    expect(groups.map(({ name, amount, unrated }) => [name, amount, unrated])).toEqual([
      ['order_update', '0.14', 0],
      ['other', null, 100],
      ['free', '0.00', 0],
    ]);
    expect([total.amount, total.unrated]).toEqual(['0.14', 100]);
    expect(summary([row()], 'template', rateCardOf([]))).toMatchObject({
      currency: null,
      total: { amount: null, unrated: 100 },
    });
  });

  it('groups countries by market', () => {
    const rows = ['IN', 'US', 'CA', ''].map((country) => row({ country, name: '' }));
    expect(summary(rows, 'market').groups.map(({ name, delivered }) => [name, delivered])).toEqual([
      ['North America', 200],
      ['India', 100],
      ['Other', 100],
    ]);
  });

  it('lists the groups with the most billable messages', () => {
    const rows = Array.from({ length: MAX_USAGE_GROUPS + 3 }, (_, index) =>
      row({ name: `t${index}`, delivered: index + 1 }),
    );
    const { groups, moreGroups } = summary(rows);
    expect([groups.length, moreGroups, groups[0]?.name]).toEqual([MAX_USAGE_GROUPS, 3, `t${MAX_USAGE_GROUPS + 2}`]);
    expect(summary([row({ name: '' })]).groups).toMatchObject([{ name: null }]);
    const free = { billable: 'false', type: 'free_entry_point' };
    const ties = [
      row({ ...free, name: 'b' }),
      row({ ...free, name: 'a' }),
      row({ ...free, name: 'z', delivered: 101 }),
    ];
    expect(summary(ties).groups.map(({ name }) => name)).toEqual(['z', 'a', 'b']);
  });
});
