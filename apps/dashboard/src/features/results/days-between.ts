const DAY_MS = 86_400_000;

/** Returns the days from the first to the last, inclusive, such as `2026-11-29`. */
export function daysBetween(first: string, last: string): string[] {
  const start = Date.parse(first);
  const count = Math.max(0, Math.round((Date.parse(last) - start) / DAY_MS) + 1);
  return Array.from({ length: count }, (_, index) => new Date(start + index * DAY_MS).toISOString().slice(0, 10));
}
