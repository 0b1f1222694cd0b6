import { createHash } from 'node:crypto';

/** The key under which a fact of an account is stored once: the first half of a SHA-256, as a UUID. */
export function eventKey(accountId: string, dedupKey: string): string {
  const hex = createHash('sha256').update(`${accountId}\n${dedupKey}`).digest('hex');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20, 32)}`;
}
