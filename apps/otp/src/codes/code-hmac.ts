import { createHmac } from 'node:crypto';

export interface CodeOwner {
  accountId: string;
  /** Canonical phone number (`canonicalPhone`). */
  phone: string;
}

/**
 * Returns the keyed hash to store for a one-time code (spec §9.3.1). Account and phone are part of the input, so equal
 * codes of two phones have different hashes, and a hash copied to another row verifies nothing. No part can contain a
 * colon.
 */
export function hmacOfCode(code: string, { accountId, phone }: CodeOwner, pepper: string): Buffer {
  return createHmac('sha256', pepper).update(`${accountId}:${phone}:${code}`).digest();
}
