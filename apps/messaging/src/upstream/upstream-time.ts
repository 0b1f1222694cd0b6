/** Years that are surely not meant; PostgreSQL would refuse some of them. */
const LAST_SECOND = Date.UTC(2200, 0) / 1_000;
/** A time further ahead than this is no clock that goes a little fast. */
const SKEW_MS = 86_400_000;

function secondsOf(given: unknown): number | undefined {
  const value = typeof given === 'string' && given !== '' ? Number(given) : given;
  return typeof value === 'number' && Number.isInteger(value) && value > 0 && value < LAST_SECOND ? value : undefined;
}

/**
 * The upstream platform's time (Unix seconds, as text or as a number) in ISO 8601.
 * @param fallback taken when it is no such time
 */
export function upstreamTime(seconds: unknown, fallback: Date): string {
  const value = secondsOf(seconds);
  return (value === undefined ? fallback : new Date(value * 1_000)).toISOString();
}

/** Whether it is a time at which something can have happened, seen from now. */
export function isTimely(seconds: unknown, now: Date): boolean {
  const value = secondsOf(seconds);
  return value !== undefined && value * 1_000 <= now.getTime() + SKEW_MS;
}
