import type { Schemas } from '../../../api/client';

type Failure = Schemas['MessageError'];

const BY_CATEGORY: Record<Failure['category'], string> = {
  auth: 'The platform rejected the credentials of the number. Ask your operator to renew them, then send again.',
  rate_limit: 'The platform throttled the number. Wait a few minutes, then send again.',
  integrity:
    'The platform has restricted the account or the number. Check the notices under Numbers before you send more.',
  template:
    'The values do not match the template, or the template is no longer approved. Check the template, then send again.',
  window:
    'The customer has not written within 24 hours. Send an approved template. You can send any message once they reply.',
  undeliverable:
    'The platform cannot reach the number. Check that it is correct and registered on the platform before you send again.',
  media:
    'The platform could not process the file. Check its type and size, and that its link is public, then send again.',
  optout: 'The recipient has opted out. Do not send again unless they opt in.',
  credit:
    'No credits were left, or the platform could not charge the business. Ask your operator to resolve this, then send again.',
  other: 'The platform gave no further details. If messages keep failing, report the code below to your operator.',
};

export function adviceOf({ category, retriable }: Failure): string {
  return retriable ? `A retry may succeed. ${BY_CATEGORY[category]}` : BY_CATEGORY[category];
}

/** Categories of failures after which the same message may succeed later. */
const PASSING: readonly Failure['category'][] = ['auth', 'rate_limit', 'credit', 'other'];

/** Returns whether sending the same message again may help. */
export const mayHelpAgain = ({ category, retriable }: Failure): boolean => retriable || PASSING.includes(category);
