import { WEBHOOK_EXTENDED_DELAYS_SECONDS, WEBHOOK_RETRY_DELAYS_SECONDS } from '@switchboard/contracts';
import type { CallOutcome } from '../customer-http/customer-http';
import type { Claim } from './claims.queries';

/** Delays of the standard schedule, followed by those of the extended one. */
export const ALL_DELAYS_SECONDS: readonly number[] = [
  ...WEBHOOK_RETRY_DELAYS_SECONDS,
  ...WEBHOOK_EXTENDED_DELAYS_SECONDS,
];
/** One first attempt plus one per retry (spec §11.5.2). */
export const MAX_ATTEMPTS = WEBHOOK_RETRY_DELAYS_SECONDS.length + 1;
/** Maximum attempts at an endpoint with the extended schedule. */
export const MAX_EXTENDED_ATTEMPTS = ALL_DELAYS_SECONDS.length + 1;

export type NextStep = { state: 'delivered' | 'dropped' } | { state: 'pending'; delaySeconds: number };

/**
 * Returns the next step of a delivery after an attempt (spec §11.5). Delays are measured from the end of the failed
 * attempt. Every failure follows the schedule, whatever the response, including status 410 and `Retry-After`.
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
