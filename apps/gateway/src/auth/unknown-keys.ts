import { entryBytes, MIB } from '@switchboard/platform';
import { LRUCache } from 'lru-cache';

/** Whoever asks again and again with the same dead key costs one query in so long a time. */
export const UNKNOWN_KEY_TTL_MS = 10_000;
const MAX_BYTES = 4 * MIB;

/** Hashes of keys that do not work, for a moment. */
export class UnknownKeys {
  /** Hash → until when. */
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
