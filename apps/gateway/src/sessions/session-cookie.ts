import { createHash, createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import type { GatewayConfig } from '../config';

const TOKEN_BYTES = 32;
const TOKEN = /^[\w-]{43}$/;

/** Whether people reach this installation by HTTPS, so that their cookie must never travel without. */
function isByHttps({ PUBLIC_BASE_URL, TLS_CERT_FILE, REQUIRE_HTTPS }: CookieConfig): boolean {
  return REQUIRE_HTTPS || TLS_CERT_FILE !== undefined || PUBLIC_BASE_URL.startsWith('https:');
}
type CookieConfig = Pick<GatewayConfig, 'PUBLIC_BASE_URL' | 'TLS_CERT_FILE' | 'REQUIRE_HTTPS'>;

/** A whole session's cookie, or that of somebody who has shown the password and still has to show the second factor. */
type CookieKind = 'session' | 'half_session';

/**
 * With `__Host-` a browser takes the cookie from this very host by HTTPS only: no neighbour under the domain can plant
 * one.
 */
function nameOf(config: CookieConfig, kind: CookieKind): string {
  return `${isByHttps(config) ? '__Host-' : ''}switchboard_${kind}`;
}

/** A new session's token: 256 random bits. */
export function newSessionToken(): string {
  return randomBytes(TOKEN_BYTES).toString('base64url');
}

/** What a session is found by; the token itself is kept nowhere. */
export function tokenHash(token: string): Buffer {
  return createHash('sha256').update(token).digest();
}

/** The `Set-Cookie` that gives a browser its session. It ends with the browser; the server has its own limits. */
export function sessionCookie(token: string, config: CookieConfig, kind: CookieKind = 'session'): string {
  return `${nameOf(config, kind)}=${token}; Path=/; HttpOnly; SameSite=Strict${isByHttps(config) ? '; Secure' : ''}`;
}

/** The `Set-Cookie` that takes it away. */
export function expiredCookie(config: CookieConfig, kind: CookieKind = 'session'): string {
  return `${sessionCookie('', config, kind)}; Max-Age=0`;
}

/** The token of a `Cookie` header; undefined when there is none, or more than one: then somebody else planted one. */
export function tokenOf(
  header: string | undefined,
  config: CookieConfig,
  kind: CookieKind = 'session',
): string | undefined {
  const name = nameOf(config, kind);
  const values = (header ?? '').split(';').flatMap((pair) => {
    const [key = '', value = ''] = pair.split(/=(.*)/s);
    return key.trim() === name ? [value.trim()] : [];
  });
  const [token] = values;
  return values.length === 1 && token !== undefined && TOKEN.test(token) ? token : undefined;
}

/**
 * The token that changing requests must show in a header: only who can read answers of ours knows it. It is made of the
 * session's, so nothing is stored.
 */
export function csrfTokenOf(token: string): string {
  return createHmac('sha256', token).update('csrf').digest('base64url');
}

export function isCsrfToken(given: unknown, token: string): boolean {
  const expected = Buffer.from(csrfTokenOf(token));
  const actual = Buffer.from(typeof given === 'string' ? given : '');
  return actual.length === expected.length && timingSafeEqual(actual, expected);
}
