import { entryBytes, MIB } from '@switchboard/platform';
import { LRUCache } from 'lru-cache';

/** Period in milliseconds during which repeated requests with the same invalid key cost one query. */
export const UNKNOWN_KEY_TTL_MS = 10_000;
const MAX_BYTES = 4 * MIB;

/** Caches the hashes of invalid keys. */
export class UnknownKeys {
  /** Hash → time of expiry. */
  private readonly entries = new LRUCache<string, number>({
    maxSize: MAX_BYTES,
    sizeCalculation: (_until, hash) => entryBytes(hash),
  });

  constructor(private readonly now: () => number = () => performance.now()) {}

  has(hash: string): boolean {
    return (this.entries.peek(hash) ?? 0) > this.now();
  }

  note(hash: string): void {
    this.entries.set(hash, this.now() + UNKNOWN_KEY_TTL_MS);
  }

  clear(): void {
    this.entries.clear();
  }
}
