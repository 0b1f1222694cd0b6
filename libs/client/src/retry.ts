import { ApiError, ConnectionError } from './errors';

const FIRST_DELAY_MS = 250;
const LONGEST_DELAY_MS = 8_000;
/**
 * The service takes a request for dead whose process has said nothing for ten seconds: only then can a retry take its
 * place.
 */
const IN_PROGRESS_PATIENCE_MS = 15_000;

/**
 * Whether the same call may be made again after this error. A call is repeatable when it changes nothing or carries an
 * Idempotency-Key.
 */
export function isRetriable(error: unknown, { repeatable }: { repeatable: boolean }): boolean {
  if (error instanceof ConnectionError) return repeatable;
  if (!(error instanceof ApiError)) return false;
  if (error.status === 429) return true;
  // A 5xx does not say that nothing was done: a proxy or a dying gateway may have given it after the message was sent.
  return repeatable && (error.status >= 500 || error.code === 'IDEMPOTENCY_IN_PROGRESS');
}

/**
 * Whether there is another retry to be made after a retriable error. An attempt of ours that is said to be still
 * running may have died with the process that ran it; giving up before that is known would leave its outcome open.
 * @param retry the number of the next retry, from 1
 * @param elapsedMs since the first attempt
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
 * How long to wait before retry number `retry` (from 1): twice as long each time, of which up to a half is left to
 * chance so that clients do not come back all at once; counted from the time that the API asked for (spec §2.4.2).
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
