import { pricedCategories } from './priced-categories';

const price = (category: string | null, type: string | null, billable: boolean | null, messages: number) => ({
  category,
  type,
  billable,
  messages,
});

describe('pricedCategories', () => {
  it('sums categories, largest first, with reasons for free messages', () => {
    expect(
      pricedCategories([
        price('utility', 'regular', true, 3),
        price('utility', 'free_customer_service', false, 2),
        price('marketing', 'regular', true, 20),
        price('utility', 'regular', true, 4),
        price('utility', 'free_customer_service', false, 1),
        price('utility', 'free_entry_point', false, 1),
      ]),
    ).toEqual([
      { category: 'marketing', billed: 20, free: 0, untold: 0, reasons: [] },
      {
        category: 'utility',
        billed: 7,
        free: 4,
        untold: 0,
        reasons: [
          { type: 'free_customer_service', messages: 3 },
          { type: 'free_entry_point', messages: 1 },
        ],
      },
    ]);
  });

  it('derives billing from the type, and otherwise leaves it unknown', () => {
    expect(
      pricedCategories([
        price(null, null, null, 5),
        price('service', 'regular', null, 2),
        price('service', 'free_entry_point', null, 1),
      ]),
    ).toEqual([
      { category: null, billed: 0, free: 0, untold: 5, reasons: [] },
      {
        category: 'service',
        billed: 2,
        free: 1,
        untold: 0,
        reasons: [{ type: 'free_entry_point', messages: 1 }],
      },
    ]);
  });
});
