import { createHash, createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import type { GatewayConfig } from '../config';

const TOKEN_BYTES = 32;
const TOKEN = /^[\w-]{43}$/;

/** Checks whether users reach this installation by HTTPS, so that the cookie must be `Secure`. */
function isByHttps({ PUBLIC_BASE_URL, TLS_CERT_FILE, REQUIRE_HTTPS }: CookieConfig): boolean {
  return REQUIRE_HTTPS || TLS_CERT_FILE !== undefined || PUBLIC_BASE_URL.startsWith('https:');
}
type CookieConfig = Pick<GatewayConfig, 'PUBLIC_BASE_URL' | 'TLS_CERT_FILE' | 'REQUIRE_HTTPS'>;

/** Cookie of a full session, or of a sign-in that still needs the second factor. */
type CookieKind = 'session' | 'half_session';

/**
 * Returns the cookie's name. With `__Host-`, browsers accept the cookie from this host over HTTPS only, so that no
 * sibling domain can plant one.
 */
function nameOf(config: CookieConfig, kind: CookieKind): string {
  return `${isByHttps(config) ? '__Host-' : ''}switchboard_${kind}`;
}

/** Creates the token of a new session: 256 random bits. */
export function newSessionToken(): string {
  return randomBytes(TOKEN_BYTES).toString('base64url');
}

/** Returns the hash by which a session is found. The token itself is never stored. */
export function tokenHash(token: string): Buffer {
  return createHash('sha256').update(token).digest();
}

/** Builds the `Set-Cookie` of a session. The cookie ends with the browser; the server has its own limits. */
export function sessionCookie(token: string, config: CookieConfig, kind: CookieKind = 'session'): string {
  return `${nameOf(config, kind)}=${token}; Path=/; HttpOnly; SameSite=Strict${isByHttps(config) ? '; Secure' : ''}`;
}

/** Builds the `Set-Cookie` that removes the cookie. */
export function expiredCookie(config: CookieConfig, kind: CookieKind = 'session'): string {
  return `${sessionCookie('', config, kind)}; Max-Age=0`;
}

/** Returns the token of a `Cookie` header; undefined without one, or with several, of which one may be planted. */
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
 * Derives the CSRF token from the session token, so nothing is stored. Changing requests must send it in a header. Only
 * pages that can read our responses know it.
 */
export function csrfTokenOf(token: string): string {
  return createHmac('sha256', token).update('csrf').digest('base64url');
}

export function isCsrfToken(given: unknown, token: string): boolean {
  const expected = Buffer.from(csrfTokenOf(token));
  const actual = Buffer.from(typeof given === 'string' ? given : '');
  return actual.length === expected.length && timingSafeEqual(actual, expected);
}
