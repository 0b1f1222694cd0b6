import { WEBHOOK_RETRY_DELAYS_SECONDS } from '@switchboard/contracts';

/** The first attempt and one for each retry (spec 6.6). */
export const MAX_ATTEMPTS = WEBHOOK_RETRY_DELAYS_SECONDS.length + 1;

/**
 * How long to wait after a failed attempt, counted from its end.
 * @param attempt its number, from 1
 * @returns seconds; undefined when it was the last one and the delivery is dropped
 */
export function delayAfterFailure(attempt: number): number | undefined {
  return WEBHOOK_RETRY_DELAYS_SECONDS[attempt - 1];
}
