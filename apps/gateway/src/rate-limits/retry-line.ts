import { LRUCache } from 'lru-cache';

/** Maximum number of callers; evicts the least recently used. */
const MOST_CALLERS = 10_000;
/** Maximum length of a caller's queue in milliseconds. Requests beyond it get a random time within it. */
const MOST_LINE_MS = 30_000;

/** Wait of a rejected request. */
export interface Wait {
  waitMs: number;
  /** Refill time of one request. */
  costMs: number;
}

/**
 * Spreads the retries of a caller's rejected requests. Parallel requests with the same `Retry-After` would be retried,
 * and rejected, simultaneously.
 */
export class RetryLine {
  private readonly endsAt = new LRUCache<string, number>({ max: MOST_CALLERS });

  /**
   * @returns `Retry-After` in seconds, increasing with each request of a caller. @param now current time in
   * milliseconds
   */
  secondsFor(caller: string, { waitMs, costMs }: Wait, now = performance.now(), random = Math.random()): number {
    const earliest = now + waitMs;
    const next = Math.max(earliest, (this.endsAt.get(caller) ?? 0) + costMs);
    const isTooLong = next > earliest && next > now + MOST_LINE_MS;
    if (!isTooLong) this.endsAt.set(caller, next);
    const at = isTooLong ? earliest + random * Math.max(0, MOST_LINE_MS - waitMs) : next;
    return Math.max(1, Math.ceil((at - now) / 1_000));
  }
}
