import { randomBytes } from 'node:crypto';
import { AppError } from '@switchboard/contracts';
import type { CallOutcome, CustomerHttp } from '../customer-http/customer-http';

/** Number of characters to show of a wrong response: enough to distinguish an error page from JSON. */
const SHOWN_CHARACTERS = 80;

/**
 * Sends a challenge to verify that an endpoint expects webhook events (spec §11.1.2).
 * @throws AppError INVALID_PARAMETER with the failure, the requested URL without the token, and the response
 */
export async function verifyEndpoint(http: CustomerHttp, endpoint: { url: URL; verifyToken: string }): Promise<void> {
  const challenge = randomBytes(16).toString('hex');
  const url = challengeUrl(endpoint.url, endpoint.verifyToken, challenge);
  const outcome = await http.call({
    method: 'GET',
    url: url.toString(),
    headers: { 'User-Agent': 'Switchboard-Webhooks/1' },
  });
  const failure = challengeFailure(outcome, challenge);
  if (failure === undefined) return;
  const asked = challengeUrl(endpoint.url, '…', challenge);
  throw new AppError('INVALID_PARAMETER', {
    message: `the verification challenge failed: ${failure}. The service asked GET ${asked.toString().replace(encodeURIComponent('…'), '…')} and expected the body ${challenge}`,
  });
}

/** Returns the endpoint's URL with the three challenge parameters. Keeps the query of the URL. */
export function challengeUrl(endpoint: URL, verifyToken: string, challenge: string): URL {
  const url = new URL(endpoint);
  const added = new URLSearchParams({
    'hub.mode': 'subscribe',
    'hub.verify_token': verifyToken,
    'hub.challenge': challenge,
  });
  url.search = url.search ? `${url.search}&${added.toString()}` : added.toString();
  return url;
}

/** Returns why the challenge failed, phrased for customers, or undefined when it passed. */
export function challengeFailure(outcome: CallOutcome, challenge: string): string | undefined {
  if (outcome.errorClass !== null) return outcome.reason;
  const body = outcome.answer.toString('utf8').trim();
  if (body === challenge) return undefined;
  return `the endpoint answered 200, but its body is not the value of hub.challenge: ${body === '' ? 'it is empty' : `it begins with ${JSON.stringify(body.slice(0, SHOWN_CHARACTERS))}`}`;
}
