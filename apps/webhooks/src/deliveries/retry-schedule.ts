import { WEBHOOK_EXTENDED_DELAYS_SECONDS, WEBHOOK_RETRY_DELAYS_SECONDS } from '@switchboard/contracts';
import type { CallOutcome } from '../customer-http/customer-http';
import type { Claim } from './claims.queries';

/** The delays of the standard schedule, and then those of the extended one. */
export const ALL_DELAYS_SECONDS: readonly number[] = [
  ...WEBHOOK_RETRY_DELAYS_SECONDS,
  ...WEBHOOK_EXTENDED_DELAYS_SECONDS,
];
/** The first attempt and one for each retry (spec §11.5.2). */
export const MAX_ATTEMPTS = WEBHOOK_RETRY_DELAYS_SECONDS.length + 1;
/** The same of an endpoint that has the extended schedule. */
export const MAX_EXTENDED_ATTEMPTS = ALL_DELAYS_SECONDS.length + 1;

/** What becomes of a delivery after an attempt. */
export type NextStep = { state: 'delivered' | 'dropped' } | { state: 'pending'; delaySeconds: number };

/**
 * What an attempt's outcome means for its delivery (spec §11.5). Delays count from the end of the failed attempt. Every
 * failure follows the schedule, whatever the receiver answered: 410 and `Retry-After`, too.
 */
export function nextStep(
  { attempt, hasExtendedRetries }: Pick<Claim, 'attempt' | 'hasExtendedRetries'>,
  { errorClass }: Pick<CallOutcome, 'errorClass'>,
): NextStep {
  if (errorClass === null) return { state: 'delivered' };
  const delays = hasExtendedRetries ? ALL_DELAYS_SECONDS : WEBHOOK_RETRY_DELAYS_SECONDS;
  const delaySeconds = delays[attempt - 1];
  return delaySeconds === undefined ? { state: 'dropped' } : { state: 'pending', delaySeconds };
}
