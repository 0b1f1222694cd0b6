import { createHmac } from 'node:crypto';

export interface CodeOwner {
  accountId: string;
  /** In the form in which numbers are compared (`canonicalPhone`). */
  phone: string;
}

/**
 * What is stored of a one-time code (spec §9.3.1). Account and phone are part of it: equal codes of two phones have
 * different hashes, and a hash copied to another row verifies nothing. None of the parts can hold a colon.
 */
export function hmacOfCode(code: string, { accountId, phone }: CodeOwner, pepper: string): Buffer {
  return createHmac('sha256', pepper).update(`${accountId}:${phone}:${code}`).digest();
}
