/** Lets loops sleep until they are woken or their time has passed. A call during their work is not lost. */
export class Wakeup {
  private calls = 0;
  private readonly sleepers = new Set<() => void>();

  /** Number of calls so far. `rest` returns immediately when it has changed. */
  get callCount(): number {
    return this.calls;
  }

  wake(): void {
    this.calls += 1;
    for (const wakeUp of this.sleepers) wakeUp();
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
        this.sleepers.delete(wakeUp);
        signal?.removeEventListener('abort', wakeUp);
        resolve();
      };
      const timer = setTimeout(wakeUp, ms).unref();
      this.sleepers.add(wakeUp);
      signal?.addEventListener('abort', wakeUp);
    });
  }
}
