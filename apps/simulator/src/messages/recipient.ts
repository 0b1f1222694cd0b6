import { userIdOf, waIdOf, waIdOfUser } from '../customers/identity';
import { invalidParameter, refusal } from '../graph-error';
import type { JsonObject } from '../json';
import type { BusinessNumber } from '../numbers/number-store';

export interface Recipient {
  /** `to` (or `recipient`) as it came. */
  input: string;
  /** The user's id, digits only; not always the digits of `input`. */
  waId: string;
  /** The plus was missing, so the number's country code was put in front. */
  misrouted: boolean;
  /** Addressed by user id: the phone number stays hidden in the answer and the statuses. */
  byUserId: boolean;
}

/**
 * Whom a send is for: `to` wins over `recipient`.
 * @throws GraphError 100, 131009, 131021
 */
export function readRecipient({ to, recipient }: JsonObject, number: BusinessNumber): Recipient {
  if ((to === undefined || to === '') && recipient !== undefined) return readUserId(recipient);
  if (to === undefined || to === '') throw invalidParameter('The parameter to is required.');
  if (typeof to !== 'string') throw invalidParameter('Param to must be a string.');
  const digits = /^[+\d][\d\s()-]*$/.test(to) ? to.replace(/\D/g, '') : '';
  // Without the plus the platform reads the digits as a national number of the business number's country.
  const misrouted = !to.startsWith('+');
  const international = misrouted ? number.countryCode + digits : digits;
  if (digits.length < 7 || international.length > 15)
    throw refusal(131009, 'Recipient phone number is not a valid phone number');
  if (international === number.displayDigits) {
    throw refusal(131021, 'Recipient phone number and sender phone number are the same');
  }
  return { input: to, waId: waIdOf(international), misrouted, byUserId: false };
}

function readUserId(recipient: unknown): Recipient {
  const waId = typeof recipient === 'string' ? waIdOfUser(recipient) : undefined;
  if (!waId) throw refusal(131009, 'Recipient is not a valid business-scoped user ID');
  return { input: userIdOf(waId), waId, misrouted: false, byUserId: true };
}
