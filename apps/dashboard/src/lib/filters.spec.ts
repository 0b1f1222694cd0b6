import { oneOf, SPANS, sinceOf } from './filters';

describe('URL filters', () => {
  it('accept only known options', () => {
    const states = [['active', 'Active'], 'expired'] as const;
    expect(['active', 'expired', 'x', '', undefined].map((given) => oneOf(given, states))).toEqual([
      'active',
      'expired',
      undefined,
      undefined,
      undefined,
    ]);
  });

  it('return the start of a known span, otherwise undefined', () => {
    const now = Date.parse('2026-03-31T12:00:00Z');
    expect(sinceOf('24h', now)).toBe('2026-03-30T12:00:00.000Z');
    expect(sinceOf('24h', now + 1_000)).toBe('2026-03-30T12:00:01.000Z');
    expect(SPANS.map(([span]) => sinceOf(span, now))).not.toContain(undefined);
    for (const given of ['24', '1e9', 'constructor', '', undefined]) expect(sinceOf(given, now)).toBe(undefined);
  });
});
