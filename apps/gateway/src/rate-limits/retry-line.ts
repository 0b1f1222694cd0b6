import { LRUCache } from 'lru-cache';

/** Callers whose rejections are remembered; the least recently used one is evicted. */
const MOST_CALLERS = 10_000;
/** Longest line of a caller. A request behind it gets a random time within it. */
const MOST_LINE_MS = 30_000;

/** When a rejected request may be repeated, in milliseconds. */
export interface Wait {
  waitMs: number;
  /** Time in which one request comes back. */
  costMs: number;
}

/**
 * Spreads the repeats of a caller's rejected requests. Parallel requests that all got the same second would repeat
 * together, and be rejected together.
 */
export class RetryLine {
  private readonly endsAt = new LRUCache<string, number>({ max: MOST_CALLERS });

  /** @returns `Retry-After` in seconds, one after another for the requests of one caller. @param now milliseconds */
  secondsFor(caller: string, { waitMs, costMs }: Wait, now = performance.now(), random = Math.random()): number {
    const earliest = now + waitMs;
    const next = Math.max(earliest, (this.endsAt.get(caller) ?? 0) + costMs);
    const isTooLong = next > earliest && next > now + MOST_LINE_MS;
    if (!isTooLong) this.endsAt.set(caller, next);
    const at = isTooLong ? earliest + random * Math.max(0, MOST_LINE_MS - waitMs) : next;
    return Math.max(1, Math.ceil((at - now) / 1_000));
  }
}
