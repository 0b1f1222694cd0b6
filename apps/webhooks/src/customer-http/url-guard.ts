import { AppError, blankFault, mayBePublicHost, readUrl } from '@switchboard/contracts';

/** `allowPrivate` lifts the rules about https and addresses, for a machine of one's own (spec §11.2.4). */
export interface UrlRules {
  allowPrivate: boolean;
}

/**
 * First layer of the guard: reads a customer's URL and judges what the text alone tells. Names are judged when they are
 * looked up, and the address again when it is connected (`guarded-connect.ts`).
 * @throws AppError INVALID_LINK naming the rule that was broken
 */
export function parseCustomerUrl(text: string, { allowPrivate }: UrlRules): URL {
  const url = readUrl(text);
  if (!url) throw refusal(`it ${blankFault(text, (plain) => readUrl(plain) !== undefined) ?? 'is not a URL'}`);
  if (url.protocol !== 'https:' && !(allowPrivate && url.protocol === 'http:'))
    throw refusal('it must begin with https://');
  if (url.username || url.password) throw refusal('it must not hold a user name or password');
  if (!allowPrivate && !mayBePublicHost(url.hostname)) throw refusal('its host must be a public address');
  url.hash = '';
  return url;
}

/** The host without the brackets of an IPv6 literal. */
export function hostOf(hostname: string): string {
  return hostname.startsWith('[') ? hostname.slice(1, -1) : hostname;
}

function refusal(reason: string): AppError {
  return new AppError('INVALID_LINK', { message: `the webhook URL is refused: ${reason}` });
}
