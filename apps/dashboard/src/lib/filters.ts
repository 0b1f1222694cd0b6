// URL parameters can contain anything: users type them, and old links outlive options.

const HOUR_MS = 3_600_000;

/** Time spans that lists can be limited to. */
export const SPANS = [
  ['1h', 'Last hour'],
  ['24h', 'Last 24 hours'],
  ['7d', 'Last 7 days'],
  ['30d', 'Last 30 days'],
] as const;
const HOURS: Record<(typeof SPANS)[number][0], number> = { '1h': 1, '24h': 24, '7d': 7 * 24, '30d': 30 * 24 };

/** Returns the value if it is one of the options, otherwise undefined. */
export function oneOf<Value extends string>(
  given: string | undefined,
  options: readonly (Value | readonly [value: Value, text: string])[],
): Value | undefined {
  return options.map((option) => (typeof option === 'string' ? option : option[0])).find((value) => value === given);
}

/** Returns the start of a span that ends now. Call it for each read, so that the span moves with time. */
export function sinceOf(within: string | undefined, now = Date.now()): string | undefined {
  const span = oneOf(within, SPANS);
  return span && new Date(now - HOURS[span] * HOUR_MS).toISOString();
}
