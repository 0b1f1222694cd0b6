import { WEBHOOK_RETRY_DELAYS_SECONDS } from '@switchboard/contracts';
import type { CallOutcome } from '../customer-http/customer-http';
import type { NextStep } from './results.queries';

/** The first attempt and one for each retry (spec 6.6). */
export const MAX_ATTEMPTS = WEBHOOK_RETRY_DELAYS_SECONDS.length + 1;

/**
 * What an attempt's outcome means for its delivery (spec 6.6). Delays count from the end of the failed attempt. Every failure follows
 * the schedule, whatever the receiver answered: 410 and `Retry-After`, too.
 * @param attempt its number, from 1
 */
export function nextStep(attempt: number, { errorClass }: Pick<CallOutcome, 'errorClass'>): NextStep {
  if (errorClass === null) return { state: 'delivered' };
  const delaySeconds = WEBHOOK_RETRY_DELAYS_SECONDS[attempt - 1];
  return delaySeconds === undefined ? { state: 'dropped' } : { state: 'pending', delaySeconds };
}
