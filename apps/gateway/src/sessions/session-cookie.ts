import { createHash, createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import type { GatewayConfig } from '../config';

const TOKEN_BYTES = 32;
const TOKEN = /^[\w-]{43}$/;

/** Checks whether users access this installation over HTTPS, so that the cookie must be `Secure`. */
function isByHttps({ PUBLIC_BASE_URL, TLS_CERT_FILE, REQUIRE_HTTPS }: CookieConfig): boolean {
  return REQUIRE_HTTPS || TLS_CERT_FILE !== undefined || PUBLIC_BASE_URL.startsWith('https:');
}
type CookieConfig = Pick<GatewayConfig, 'PUBLIC_BASE_URL' | 'TLS_CERT_FILE' | 'REQUIRE_HTTPS'>;

/** Cookie of a full session, or of a sign-in that still requires the second factor. */
type CookieKind = 'session' | 'half_session';

/**
 * Returns the cookie's name. With the prefix `__Host-`, browsers accept the cookie only from this host over HTTPS, so
 * that a sibling domain cannot set it.
 */
function nameOf(config: CookieConfig, kind: CookieKind): string {
  return `${isByHttps(config) ? '__Host-' : ''}switchboard_${kind}`;
}

/** Creates a session token of 256 random bits. */
export function newSessionToken(): string {
  return randomBytes(TOKEN_BYTES).toString('base64url');
}

/** Returns the hash for looking up a session. The token itself is never stored. */
export function tokenHash(token: string): Buffer {
  return createHash('sha256').update(token).digest();
}

/**
 * Builds the `Set-Cookie` header of a session. The cookie expires with the browser session; the server enforces its own
 * limits.
 */
export function sessionCookie(token: string, config: CookieConfig, kind: CookieKind = 'session'): string {
  return `${nameOf(config, kind)}=${token}; Path=/; HttpOnly; SameSite=Strict${isByHttps(config) ? '; Secure' : ''}`;
}

/** Builds the `Set-Cookie` header that deletes the cookie. */
export function expiredCookie(config: CookieConfig, kind: CookieKind = 'session'): string {
  return `${sessionCookie('', config, kind)}; Max-Age=0`;
}

/**
 * Returns the token from a `Cookie` header. Returns undefined without a token, and with several, since another site may
 * have set one.
 */
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
 * Derives the CSRF token from the session token, so that it need not be stored. Requests that change something must
 * send it in a header. Only pages that can read the gateway's responses know it.
 */
export function csrfTokenOf(token: string): string {
  return createHmac('sha256', token).update('csrf').digest('base64url');
}

export function isCsrfToken(given: unknown, token: string): boolean {
  const expected = Buffer.from(csrfTokenOf(token));
  const actual = Buffer.from(typeof given === 'string' ? given : '');
  return actual.length === expected.length && timingSafeEqual(actual, expected);
}
