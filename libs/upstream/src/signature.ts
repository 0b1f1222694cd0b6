import { createHmac, timingSafeEqual } from 'node:crypto';

const PREFIX = 'sha256=';

/** Returns `X-Hub-Signature-256` for the exact bytes of a callback: `sha256=` and 64 lowercase hex digits. */
export function signCallback(rawBody: Uint8Array | string, appSecret: string): string {
  return PREFIX + createHmac('sha256', appSecret).update(rawBody).digest('hex');
}

/** Returns whether a header has the format of a signature, without verifying the signature. */
export function isCallbackSignature(header: unknown): boolean {
  return typeof header === 'string' && /^sha256=[0-9a-f]{64}$/.test(header);
}

/**
 * Returns whether the header is the signature of these bytes. Compares in constant time. Pass the bytes as received:
 * the platform escapes non-ASCII characters and slashes, so a re-serialized body fails the verification.
 */
export function verifyCallback(rawBody: Uint8Array | string, header: string | undefined, appSecret: string): boolean {
  const given = Buffer.from(header ?? '', 'utf8');
  const wanted = Buffer.from(signCallback(rawBody, appSecret), 'utf8');
  return given.length === wanted.length && timingSafeEqual(given, wanted);
}
