import { pricingOf } from './pricing';

describe('pricingOf', () => {
  it('returns only the known pricing fields', () => {
    expect(
      pricingOf({ billable: false, pricing_model: 'PMP', type: 'free_customer_service', category: 'utility', x: 1 }),
    ).toEqual({ category: 'utility', billable: false, type: 'free_customer_service', model: 'PMP' });
    expect(pricingOf({ category: 'marketing_lite' })).toEqual({
      category: 'marketing_lite',
      billable: null,
      type: null,
      model: null,
    });
  });

  it('returns nothing without valid fields', () => {
    const others = [undefined, null, 'utility', 7, [], {}, { category: '', billable: 'yes', type: {} }];
    expect(others.map(pricingOf)).toEqual(others.map(() => null));
    expect(pricingOf({ category: 'a\u0000b', type: 'x'.repeat(65), billable: true })).toEqual({
      category: null,
      billable: true,
      type: null,
      model: null,
    });
  });
});
