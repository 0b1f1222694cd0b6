/** Whoever asks again and again with the same dead key costs one query in so long a time. */
export const UNKNOWN_KEY_TTL_MS = 10_000;
const MAX_ENTRIES = 10_000;

/** Hashes of keys that do not work, for a moment. */
export class UnknownKeys {
  /** Hash → until when, the oldest first. */
  private readonly entries = new Map<string, number>();

  constructor(private readonly now: () => number = () => performance.now()) {}

  has(hash: string): boolean {
    return (this.entries.get(hash) ?? 0) > this.now();
  }

  note(hash: string): void {
    this.entries.delete(hash);
    this.entries.set(hash, this.now() + UNKNOWN_KEY_TTL_MS);
    const oldest = this.entries.keys().next();
    if (this.entries.size > MAX_ENTRIES && !oldest.done) this.entries.delete(oldest.value);
  }

  clear(): void {
    this.entries.clear();
  }
}
