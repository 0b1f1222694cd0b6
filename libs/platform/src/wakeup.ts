interface Sleeper {
  wakeUp(): void;
  restAtMost(ms: number): void;
}

/** Lets loops sleep until they are woken or their time has passed. A call during their work is not lost. */
export class Wakeup {
  private calls = 0;
  private readonly sleepers = new Set<Sleeper>();

  /** Number of calls so far. `rest` returns immediately when it has changed. */
  get callCount(): number {
    return this.calls;
  }

  wake(): void {
    this.calls += 1;
    for (const { wakeUp } of this.sleepers) wakeUp();
  }

  /** Ends the current rests after at most this time. */
  shorten(ms: number): void {
    for (const { restAtMost } of this.sleepers) restAtMost(ms);
  }

  /**
   * Sleeps for at most the given time.
   * @param sinceCall the `callCount` before the work that precedes the rest
   * @param signal also ends the rest
   */
  async rest(ms: number, sinceCall: number, signal?: AbortSignal): Promise<void> {
    if (this.calls !== sinceCall || signal?.aborted) return;
    await new Promise<void>((resolve) => {
      const wakeUp = (): void => {
        clearTimeout(timer);
        this.sleepers.delete(sleeper);
        signal?.removeEventListener('abort', wakeUp);
        resolve();
      };
      let timer = setTimeout(wakeUp, ms).unref();
      let endsAt = performance.now() + ms;
      const restAtMost = (mostMs: number): void => {
        const earlier = performance.now() + mostMs;
        if (earlier >= endsAt) return;
        endsAt = earlier;
        clearTimeout(timer);
        timer = setTimeout(wakeUp, mostMs).unref();
      };
      const sleeper = { wakeUp, restAtMost };
      this.sleepers.add(sleeper);
      signal?.addEventListener('abort', wakeUp);
    });
  }
}
