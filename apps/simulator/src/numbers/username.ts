import { invalidParameter, refusal } from '../graph-error';
import { isObject, type JsonObject } from '../json';
import type { BusinessNumber } from './number-store';

const USERNAME = /^(?!\.|www|.*\.\.|.*\.$)(?=.*[a-z])[a-z0-9._]{3,35}$/i;
/** User names must not look like a domain; a few endings stand for all. */
const DOMAIN = /\.(com|org|net|int|edu|gov|mil|us|in|html)$/i;
/** Messaging limit of a business that may not have a user name. */
const LOWEST_TIER = 'TIER_250';
/** Prefixes of user names that the platform rejects with these codes. */
const REJECTED: readonly [prefix: string, code: number][] = [
  ['taken', 147001],
  ['facebook', 147003],
  ['instagram', 147004],
];
/** Prefix of user names that are only reserved. */
const RESERVED = 'reserved';

/** User name of a number; contacts see it when it is approved. */
export interface BusinessUsername {
  username: string;
  status: 'approved' | 'reserved';
}

/** Handles `GET /{phone-number-id}/username`; an empty object without a user name. */
export function showUsername({ username }: BusinessNumber): object {
  return { ...username };
}

/** Handles `POST /{phone-number-id}/username`. @throws GraphError 100, 133010, 147001 to 147004 */
export function setUsername(numbers: readonly BusinessNumber[], number: BusinessNumber, body: unknown): object {
  const username = nameIn(isObject(body) ? body : {});
  if (!number.registration.isRegistered) throw refusal(133010);
  if (number.graph.whatsapp_business_manager_messaging_limit === LOWEST_TIER) throw refusal(147002);
  const lower = username.toLowerCase();
  const [, code] = REJECTED.find(([prefix]) => lower.startsWith(prefix)) ?? [];
  if (code !== undefined) throw refusal(code);
  if (numbers.some((other) => other !== number && other.username?.username.toLowerCase() === lower))
    throw refusal(147001);
  number.username = { username, status: lower.startsWith(RESERVED) ? 'reserved' : 'approved' };
  return { status: number.username.status };
}

/** Handles `DELETE /{phone-number-id}/username`, also without a user name. */
export function deleteUsername(number: BusinessNumber): object {
  number.username = undefined;
  return { success: true };
}

function nameIn({ username }: JsonObject): string {
  if (typeof username === 'string' && USERNAME.test(username) && !DOMAIN.test(username)) return username;
  throw invalidParameter('Param username is not a valid username.');
}
