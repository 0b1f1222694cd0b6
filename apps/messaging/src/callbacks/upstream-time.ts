/** Years that are surely not meant; PostgreSQL would refuse some of them. */
const LAST_SECOND = Date.UTC(2200, 0) / 1_000;

/**
 * The upstream platform's time (Unix seconds, as a string) in ISO 8601.
 * @param fallback taken when the upstream's text is no such time
 */
export function upstreamTime(seconds: unknown, fallback: Date): string {
  const value = typeof seconds === 'string' && seconds !== '' ? Number(seconds) : Number.NaN;
  const isTime = Number.isInteger(value) && value > 0 && value < LAST_SECOND;
  return (isTime ? new Date(value * 1_000) : fallback).toISOString();
}
