import { ApiError, ConnectionError } from './errors';

const FIRST_DELAY_MS = 250;
const LONGEST_DELAY_MS = 8_000;
/**
 * Time to poll a running attempt. The service considers a request dead after its process has been silent for ten
 * seconds; only then can a retry replace it.
 */
const IN_PROGRESS_PATIENCE_MS = 15_000;

/**
 * Checks whether the call may be retried after this error. A call is repeatable if it has no side effects or carries an
 * Idempotency-Key.
 */
export function isRetriable(error: unknown, { repeatable }: { repeatable: boolean }): boolean {
  if (error instanceof ConnectionError) return repeatable;
  if (!(error instanceof ApiError)) return false;
  if (error.status === 429) return true;
  // A 5xx does not prove that nothing was done: a proxy or a crashing gateway may return it after the message was sent.
  return repeatable && (error.status >= 500 || error.code === 'IDEMPOTENCY_IN_PROGRESS');
}

/**
 * Checks whether another retry is allowed after a retriable error. An attempt reported as running may have died with
 * its process, so polling continues until the service can know; stopping earlier would leave the outcome open.
 * @param retry number of the next retry, from 1
 * @param elapsedMs time since the first attempt
 */
export function mayTryAgain(
  error: unknown,
  { retry, maxRetries, elapsedMs }: { retry: number; maxRetries: number; elapsedMs: number },
): boolean {
  if (retry <= maxRetries) return true;
  const isRunning = error instanceof ApiError && error.code === 'IDEMPOTENCY_IN_PROGRESS';
  return isRunning && maxRetries > 0 && elapsedMs < IN_PROGRESS_PATIENCE_MS;
}

/**
 * Returns the delay before a retry: the Retry-After delay plus exponential backoff with up to 50% jitter, so that
 * clients do not retry simultaneously (spec §2.4.2).
 * @param random from 0 to 1
 */
export function retryDelayMs(
  retry: number,
  { retryAfterSeconds = 0, random }: { retryAfterSeconds?: number; random: number },
): number {
  const full = Math.min(FIRST_DELAY_MS * 2 ** (retry - 1), LONGEST_DELAY_MS);
  const own = full * (0.5 + random / 2);
  return Math.round(Math.max(retryAfterSeconds, 0) * 1000 + own);
}
