import type { UpstreamError } from '@switchboard/upstream';

const FIRST_PAUSE_SECONDS = 30;
const FIRST_REST_SECONDS = 60;
const LONGEST_REST_SECONDS = 3_600;
/** Doubling more often than this only makes numbers too big. */
const MAX_DOUBLINGS = 10;

export interface Pause {
  seconds: number;
  /** The platform is throttling: the pause is for all that is asked of the business, callbacks or not. */
  isRest: boolean;
}

/**
 * How long to wait after a failed call: longer each time in a row, up to the usual interval, or an hour when throttled.
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
  // Any other refusal may be the moment's, and what was announced or handed in waits for the next try.
  const needsSomebody = error.category === 'auth' || error.category === 'integrity';
  return {
    seconds: needsSomebody ? intervalSeconds : Math.min(FIRST_PAUSE_SECONDS * factor, intervalSeconds),
    isRest: false,
  };
}
