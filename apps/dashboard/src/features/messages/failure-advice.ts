import type { Schemas } from '../../api/client';

type Failure = Schemas['MessageError'];

const BY_CATEGORY: Record<Failure['category'], string> = {
  auth: 'The platform did not accept the credentials of the number. Ask your operator to renew them, then send again.',
  rate_limit: 'The platform slowed the number down. Wait some minutes, then send again.',
  integrity:
    'The platform has restricted the account or the number. See what it says under Numbers before you send more.',
  template:
    'The template and the values do not fit, or it is not approved any more. Open the template, then send again.',
  window:
    'The customer has not written within 24 hours. Send an approved template; when they answer, write freely again.',
  undeliverable:
    'The platform cannot reach the number: it is wrong, or not on the platform. Check it before you send again.',
  media:
    'The platform could not take the file. Check its type and size, and that the platform can open its link, then send again.',
  optout: 'This person has opted out. Do not send again, unless they opt in.',
  credit:
    'There were no credits left, or the platform could not charge the business. Ask your operator to settle it, then send again.',
  other: 'This is all that the platform says. If messages still fail, give your operator the code below.',
};

/** Returns what to do about a failure. */
export function adviceOf({ category, retriable }: Failure): string {
  return retriable ? `The same message may succeed later. ${BY_CATEGORY[category]}` : BY_CATEGORY[category];
}
