import type { UpstreamError } from '@switchboard/upstream';

const FIRST_PAUSE_SECONDS = 30;
const FIRST_REST_SECONDS = 60;
const LONGEST_REST_SECONDS = 3_600;
/** Limits the exponent. The pause reaches its maximum earlier. */
const MAX_DOUBLINGS = 10;

export interface Pause {
  seconds: number;
  /**
   * True if the platform is throttling. The pause then covers all requests about the business, including syncs after
   * callbacks.
   */
  isRest: boolean;
}

/**
 * Returns the pause after a failed call. It doubles with each consecutive failure, up to the sync interval. When
 * throttled, the maximum is one hour.
 */
export function pauseAfter(
  error: UpstreamError,
  { failures, intervalSeconds }: { failures: number; intervalSeconds: number },
): Pause {
  const factor = 2 ** Math.min(failures, MAX_DOUBLINGS);
  if (error.category === 'rate_limit') {
    return {
      seconds: Math.min(Math.max(error.retryAfterSeconds ?? 0, FIRST_REST_SECONDS * factor), LONGEST_REST_SECONDS),
      isRest: true,
    };
  }
  // Any other error may be temporary, and announced changes and submissions wait for the retry.
  const needsSomebody = error.category === 'auth' || error.category === 'integrity';
  return {
    seconds: needsSomebody ? intervalSeconds : Math.min(FIRST_PAUSE_SECONDS * factor, intervalSeconds),
    isRest: false,
  };
}
