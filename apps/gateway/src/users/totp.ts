import { Secret, TOTP } from 'otpauth';
import encodeQR from 'qr';

const ISSUER = 'Switchboard';
/** What authenticator apps know without being told: RFC 6238 with HMAC-SHA-1. */
const KIND = { algorithm: 'SHA1', digits: 6, period: 30 };
const STEP_MS = KIND.period * 1_000;
/**
 * Clocks of phones are off by some seconds, and people type slowly: one code before and one after the present one
 * count.
 */
const STEPS_AROUND = 1;
const CODE = /^[0-9]{6}$/;
const SECRET_BYTES = 20;
const QUIET_ZONE = 4;

/** A new secret for an authenticator app, in base32. */
export function newTotpSecret(): string {
  return new Secret({ size: SECRET_BYTES }).base32;
}

/** The address that an authenticator app reads a secret from. */
export function totpUri(secret: string, email: string): string {
  return new TOTP({ ...KIND, issuer: ISSUER, label: email, secret }).toString();
}

/**
 * A picture of a text to be scanned, as a `data:` URL. It has a white ground, so that it can be read on a dark page,
 * too.
 */
export function qrCodeOf(text: string): string {
  const svg = encodeQR(text, 'svg', { border: QUIET_ZONE }).replace(
    /^<svg[^>]*>/,
    '$&<rect width="100%" height="100%" fill="#fff"/>',
  );
  return `data:image/svg+xml;base64,${Buffer.from(svg).toString('base64')}`;
}

/**
 * The time step that a code belongs to: the present one, the one before or the one after.
 * @param nowMs the database's time, as all gateways have one
 * @returns undefined when the code is of none of them
 */
export function stepOfCode(secret: string, code: string, nowMs: number): number | undefined {
  // The library fails for characters that take more than a byte.
  if (!CODE.test(code)) return undefined;
  const delta = new TOTP({ ...KIND, secret }).validate({ token: code, timestamp: nowMs, window: STEPS_AROUND });
  return delta === null ? undefined : Math.floor(nowMs / STEP_MS) + delta;
}
