import { VERSION } from '@switchboard/platform';
import { createHmac } from 'node:crypto';

/** The platform's file servers refuse whoever does not say what calls them. */
export const USER_AGENT = `Switchboard/${VERSION}`;

/** What every call says of its caller, whatever host it goes to. */
export function callerHeaders(accessToken: string, scheme: 'Bearer' | 'OAuth' = 'Bearer'): Record<string, string> {
  return { 'user-agent': USER_AGENT, authorization: `${scheme} ${accessToken}` };
}

/** The path of a call of the API, with the proof when there is a secret to make it with. */
export function provenPath(path: string, accessToken: string, appSecret: string | undefined): string {
  if (appSecret === undefined) return path;
  return `${path}${path.includes('?') ? '&' : '?'}appsecret_proof=${appSecretProof(accessToken, appSecret)}`;
}

/** The proof that who shows an access token has the secret of the token's app, too: a stolen token alone has none. */
export function appSecretProof(accessToken: string, appSecret: string): string {
  return createHmac('sha256', appSecret).update(accessToken).digest('hex');
}
