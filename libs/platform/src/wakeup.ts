/** Lets loops rest until somebody wakes them or their time is over. A call while they work is not lost. */
export class Wakeup {
  private calls = 0;
  private readonly sleepers = new Set<() => void>();

  /** How often it was called: `rest` returns at once when that has changed since. */
  get callCount(): number {
    return this.calls;
  }

  /** Ends the rest of all loops. */
  wake(): void {
    this.calls += 1;
    for (const wakeUp of this.sleepers) wakeUp();
  }

  /**
   * @param sinceCall the `callCount` before the work after which the loop rests
   * @param signal ends the rest, too
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
