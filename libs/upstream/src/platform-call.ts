import { VERSION } from '@switchboard/platform';
import { createHmac } from 'node:crypto';

/** User agent, which the platform's file servers require. */
export const USER_AGENT = `Switchboard/${VERSION}`;

/** Returns the headers that identify the caller. They are safe for any host, unlike the proof. */
export function callerHeaders(accessToken: string, scheme: 'Bearer' | 'OAuth' = 'Bearer'): Record<string, string> {
  return { 'user-agent': USER_AGENT, authorization: `${scheme} ${accessToken}` };
}

/** Returns the path of an API call, with the proof if there is an app secret. */
export function provenPath(path: string, accessToken: string, appSecret: string | undefined): string {
  if (appSecret === undefined) return path;
  return `${path}${path.includes('?') ? '&' : '?'}appsecret_proof=${appSecretProof(accessToken, appSecret)}`;
}

/**
 * Proves that the holder of an access token also has the secret of the token's app, so that a stolen token alone is
 * useless.
 */
export function appSecretProof(accessToken: string, appSecret: string): string {
  return createHmac('sha256', appSecret).update(accessToken).digest('hex');
}
