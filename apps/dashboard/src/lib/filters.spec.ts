import { oneOf, SPANS, sinceOf } from './filters';

describe('a filter of an address', () => {
  it('is one of its options, or not given', () => {
    const states = [['active', 'Active'], 'expired'] as const;
    expect(['active', 'expired', 'x', '', undefined].map((given) => oneOf(given, states))).toEqual([
      'active',
      'expired',
      undefined,
      undefined,
      undefined,
    ]);
  });

  it('for a span begins so long before now, and nowhere for a span that there is not', () => {
    const now = Date.parse('2026-03-31T12:00:00Z');
    expect(sinceOf('24h', now)).toBe('2026-03-30T12:00:00.000Z');
    expect(sinceOf('24h', now + 1_000)).toBe('2026-03-30T12:00:01.000Z');
    expect(SPANS.map(([span]) => sinceOf(span, now))).not.toContain(undefined);
    for (const given of ['24', '1e9', 'constructor', '', undefined]) expect(sinceOf(given, now)).toBe(undefined);
  });
});
