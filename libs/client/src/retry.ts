import { ApiError, ConnectionError } from './errors';

const FIRST_DELAY_MS = 250;
const LONGEST_DELAY_MS = 8_000;
/** Nothing was done for these, whatever was asked. */
const SAFE_STATUSES = [429, 502, 503];

/** Whether the same call may be made again after this error. A call is repeatable when it changes nothing or carries an Idempotency-Key. */
export function isRetriable(error: unknown, { repeatable }: { repeatable: boolean }): boolean {
  if (error instanceof ConnectionError) return repeatable;
  if (!(error instanceof ApiError)) return false;
  if (SAFE_STATUSES.includes(error.status)) return true;
  return repeatable && (error.status === 504 || error.code === 'IDEMPOTENCY_IN_PROGRESS');
}

/**
 * How long to wait before retry number `retry` (from 1): twice as long each time, of which up to a half is left to chance so that
 * clients do not come back all at once; never less than the API asked for.
 * @param random from 0 to 1
 */
export function retryDelayMs(retry: number, { retryAfterSeconds = 0, random }: { retryAfterSeconds?: number; random: number }): number {
  const full = Math.min(FIRST_DELAY_MS * 2 ** (retry - 1), LONGEST_DELAY_MS);
  const own = full * (0.5 + random / 2);
  const asked = retryAfterSeconds * 1000;
  return Math.round(asked > 0 ? asked + (random * full) / 2 : own);
}
