import { AppError, blankFault, mayBePublicHost, readUrl } from '@switchboard/contracts';

/** `allowPrivate` permits plain HTTP and private addresses for local development (spec §11.2.4). */
export interface UrlRules {
  allowPrivate: boolean;
}

/**
 * Parses and checks the text of a customer's URL: the first layer of the URL guard. `guarded-connect.ts` checks the
 * addresses when the name is resolved and when a connection is opened.
 * @throws AppError INVALID_LINK with the broken rule
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

/** Returns the host without the brackets of an IPv6 literal. */
export function hostOf(hostname: string): string {
  return hostname.startsWith('[') ? hostname.slice(1, -1) : hostname;
}

function refusal(reason: string): AppError {
  const message = `the webhook URL is rejected: ${reason}`;
  return new AppError('INVALID_LINK', { message, details: [{ field: 'url', message }] });
}
