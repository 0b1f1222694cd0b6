import { WEBHOOK_RETRY_DELAYS_SECONDS } from '@switchboard/contracts';
import type { CallOutcome } from '../customer-http/customer-http';
import type { NextStep } from './results.queries';

/** The first attempt and one for each retry (spec 6.6). */
export const MAX_ATTEMPTS = WEBHOOK_RETRY_DELAYS_SECONDS.length + 1;

/** A receiver may ask for more time than the schedule gives, up to so many times as much. */
const LONGEST_STRETCH = 2;

/**
 * What an attempt's outcome means for its delivery (spec 6.6). Delays count from the end of the failed attempt.
 * @param attempt its number, from 1
 */
export function nextStep(attempt: number, { errorClass, retryAfterSeconds }: Pick<CallOutcome, 'errorClass' | 'retryAfterSeconds'>): NextStep {
  if (errorClass === null) return { state: 'delivered' };
  const step = WEBHOOK_RETRY_DELAYS_SECONDS[attempt - 1];
  if (step === undefined) return { state: 'dropped' };
  return { state: 'pending', delaySeconds: Math.max(step, Math.min(retryAfterSeconds ?? 0, step * LONGEST_STRETCH)) };
}
