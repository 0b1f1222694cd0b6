import type { GatewayConfig } from '../config';

const DAY_MS = 86_400_000;
/** Days until the expiry date, which a running gateway advances daily. RFC 9116 recommends less than a year. */
const VALID_DAYS = 90;

/**
 * Builds the security.txt of RFC 9116.
 * @returns undefined without SECURITY_CONTACT
 */
export function securityTxt(
  { SECURITY_CONTACT, PUBLIC_BASE_URL }: Pick<GatewayConfig, 'SECURITY_CONTACT' | 'PUBLIC_BASE_URL'>,
  now: Date,
): string | undefined {
  if (SECURITY_CONTACT === undefined) return undefined;
  // Counts from the start of the day, so that the file and its entity tag change once a day.
  const expires = new Date((Math.floor(now.getTime() / DAY_MS) + VALID_DAYS) * DAY_MS);
  const lines = [`Contact: ${SECURITY_CONTACT}`, `Expires: ${expires.toISOString().replace('.000Z', 'Z')}`];
  // RFC 9116 requires https for web URLs.
  if (PUBLIC_BASE_URL.startsWith('https:'))
    lines.push(`Canonical: ${PUBLIC_BASE_URL.replace(/\/$/, '')}/.well-known/security.txt`);
  return `${lines.join('\n')}\n`;
}
