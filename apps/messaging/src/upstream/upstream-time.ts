/** Upper bound of plausible times. PostgreSQL rejects some later ones. */
const LAST_SECOND = Date.UTC(2200, 0) / 1_000;
/** Maximum clock skew into the future. */
const SKEW_MS = 86_400_000;

function secondsOf(given: unknown): number | undefined {
  const value = typeof given === 'string' && given !== '' ? Number(given) : given;
  return typeof value === 'number' && Number.isInteger(value) && value > 0 && value < LAST_SECOND ? value : undefined;
}

/**
 * Converts an upstream time (Unix seconds, as text or as a number) to ISO 8601.
 * @param fallback used for an invalid time
 */
export function upstreamTime(seconds: unknown, fallback: Date): string {
  const value = secondsOf(seconds);
  return (value === undefined ? fallback : new Date(value * 1_000)).toISOString();
}

/** Returns true if a time is valid and not in the future, apart from clock skew. */
export function isTimely(seconds: unknown, now: Date): boolean {
  const value = secondsOf(seconds);
  return value !== undefined && value * 1_000 <= now.getTime() + SKEW_MS;
}
