import { ApiError, ConnectionError } from './errors';

const FIRST_DELAY_MS = 250;
const LONGEST_DELAY_MS = 8_000;
/** Whether the same call may be made again after this error. A call is repeatable when it changes nothing or carries an Idempotency-Key. */
export function isRetriable(error: unknown, { repeatable }: { repeatable: boolean }): boolean {
  if (error instanceof ConnectionError) return repeatable;
  if (!(error instanceof ApiError)) return false;
  if (error.status === 429) return true;
  // A 5xx does not say that nothing was done: a proxy or a dying gateway may have given it after the message was sent.
  return repeatable && (error.status >= 500 || error.code === 'IDEMPOTENCY_IN_PROGRESS');
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
