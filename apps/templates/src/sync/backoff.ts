import type { UpstreamError } from '@switchboard/upstream';

const FIRST_PAUSE_SECONDS = 30;
const FIRST_REST_SECONDS = 60;
const LONGEST_REST_SECONDS = 3_600;
/** Limits the exponent. The pauses reach their maximum earlier. */
const MAX_DOUBLINGS = 10;

export interface Pause {
  seconds: number;
  /** The platform is throttling. The pause covers all requests about the business, including those after callbacks. */
  isRest: boolean;
}

/**
 * Returns the pause after a failed call. It doubles with consecutive failures, up to the sync interval, or up to an
 * hour when throttled.
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
  // Any other rejection may be temporary, and announced changes or submissions wait for the retry.
  const needsSomebody = error.category === 'auth' || error.category === 'integrity';
  return {
    seconds: needsSomebody ? intervalSeconds : Math.min(FIRST_PAUSE_SECONDS * factor, intervalSeconds),
    isRest: false,
  };
}
