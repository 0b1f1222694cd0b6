import { Secret, TOTP } from 'otpauth';
import encodeQR from 'qr';

const ISSUER = 'Switchboard';
/** Defaults of authenticator apps (RFC 6238 with HMAC-SHA-1). */
const KIND = { algorithm: 'SHA1', digits: 6, period: 30 };
const STEP_MS = KIND.period * 1_000;
/** Number of time steps accepted before and after the current one, for clock skew and slow typing. */
const STEPS_AROUND = 1;
const CODE = /^[0-9]{6}$/;
const SECRET_BYTES = 20;
const QUIET_ZONE = 4;

/** Creates a secret for an authenticator app, in base32. */
export function newTotpSecret(): string {
  return new Secret({ size: SECRET_BYTES }).base32;
}

/** Builds the URI from which an authenticator app reads the secret. */
export function totpUri(secret: string, email: string): string {
  return new TOTP({ ...KIND, issuer: ISSUER, label: email, secret }).toString();
}

/** Encodes a text as a QR code in a `data:` URL, with a white background so that it is readable on a dark page. */
export function qrCodeOf(text: string): string {
  const svg = encodeQR(text, 'svg', { border: QUIET_ZONE }).replace(
    /^<svg[^>]*>/,
    '$&<rect width="100%" height="100%" fill="#fff"/>',
  );
  return `data:image/svg+xml;base64,${Buffer.from(svg).toString('base64')}`;
}

/**
 * Returns the time step of a code: the current, previous or next one.
 * @param nowMs time of the database, which all gateways share
 * @returns undefined if the code is valid for none of them
 */
export function stepOfCode(secret: string, code: string, nowMs: number): number | undefined {
  // The library fails on multi-byte characters.
  if (!CODE.test(code)) return undefined;
  const delta = new TOTP({ ...KIND, secret }).validate({ token: code, timestamp: nowMs, window: STEPS_AROUND });
  return delta === null ? undefined : Math.floor(nowMs / STEP_MS) + delta;
}
