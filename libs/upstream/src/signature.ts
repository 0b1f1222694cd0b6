import { createHmac, timingSafeEqual } from 'node:crypto';

const PREFIX = 'sha256=';

/** The value of `X-Hub-Signature-256` for the exact bytes of a callback: `sha256=` and 64 lower-case hex digits. */
export function signCallback(rawBody: Uint8Array | string, appSecret: string): string {
  return PREFIX + createHmac('sha256', appSecret).update(rawBody).digest('hex');
}

/** Whether a header has the form of a signature; whether it signs anything only the body tells. */
export function isCallbackSignature(header: unknown): boolean {
  return typeof header === 'string' && /^sha256=[0-9a-f]{64}$/.test(header);
}

/**
 * Whether the header signs these bytes, compared in constant time. Give it the bytes as they arrived: upstream
 * escapes non-ASCII and slashes, so a body that was parsed and written again does not verify.
 */
export function verifyCallback(rawBody: Uint8Array | string, header: string | undefined, appSecret: string): boolean {
  const given = Buffer.from(header ?? '', 'utf8');
  const wanted = Buffer.from(signCallback(rawBody, appSecret), 'utf8');
  return given.length === wanted.length && timingSafeEqual(given, wanted);
}
