// What stands in an address may be anything: somebody typed it, or an older link has it.

const HOUR_MS = 3_600_000;

/** Until when a list of what happened goes back. */
export const SPANS = [
  ['1h', 'Last hour'],
  ['24h', 'Last 24 hours'],
  ['7d', 'Last 7 days'],
  ['30d', 'Last 30 days'],
] as const;
const HOURS: Record<(typeof SPANS)[number][0], number> = { '1h': 1, '24h': 24, '7d': 7 * 24, '30d': 30 * 24 };

/** @returns the filter when it is one of its options; with any other text it is not given */
export function oneOf<Value extends string>(
  given: string | undefined,
  options: readonly (Value | readonly [value: Value, text: string])[],
): Value | undefined {
  return options.map((option) => (typeof option === 'string' ? option : option[0])).find((value) => value === given);
}

/** @returns when a span begins that ends now; each read asks anew, so that the span moves on */
export function sinceOf(within: string | undefined, now = Date.now()): string | undefined {
  const span = oneOf(within, SPANS);
  return span && new Date(now - HOURS[span] * HOUR_MS).toISOString();
}
