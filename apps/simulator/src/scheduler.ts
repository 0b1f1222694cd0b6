const TICK_MS = 10;

/**
 * Runs functions later without a timer for each: they wait in a bucket per 10 ms tick, and one interval empties the due
 * buckets. A function never runs early, and at most a tick late. The interval runs only while functions wait.
 */
export class Scheduler {
  private readonly buckets = new Map<number, (() => void)[]>();
  private lastTick = 0;
  private interval?: NodeJS.Timeout;

  after(delayMs: number, run: () => void): void {
    if (!this.interval) {
      this.lastTick = this.tickOf(performance.now());
      this.interval = setInterval(() => this.runDue(), TICK_MS);
    }
    const tick = Math.max(this.tickOf(performance.now() + delayMs) + 1, this.lastTick + 1);
    const bucket = this.buckets.get(tick);
    if (bucket) bucket.push(run);
    else this.buckets.set(tick, [run]);
  }

  clear(): void {
    this.buckets.clear();
  }

  stop(): void {
    clearInterval(this.interval);
    this.interval = undefined;
    this.clear();
  }

  private runDue(): void {
    const now = this.tickOf(performance.now());
    while (this.lastTick < now) {
      this.lastTick += 1;
      const bucket = this.buckets.get(this.lastTick);
      this.buckets.delete(this.lastTick);
      for (const run of bucket ?? []) run();
    }
    if (this.buckets.size === 0) this.stop();
  }

  private tickOf(timeMs: number): number {
    return Math.floor(timeMs / TICK_MS);
  }
}
