/** An item waited too long behind a hanging batch and was not processed. */
export class GivenUpError extends Error {
  override readonly name = 'GivenUpError';
}

interface Waiting<Item, Result> {
  item: Item;
  since: number;
  resolve(result: Result): void;
  reject(reason: unknown): void;
}

export interface BatcherOptions {
  maxItems: number;
  concurrency: number;
  /**
   * Minimum time between the starts of two batches, in milliseconds, unless enough items wait. A few large batches cost
   * less than many small ones. No pause when absent.
   */
  everyMs?: number;
  /** Number of waiting items that starts a batch without a pause; a full batch when absent. */
  enough?: number;
  /**
   * Maximum waiting time of an item, in milliseconds. Late items are rejected when the next item is added, so that
   * items do not accumulate behind a hanging batch. Unlimited when absent.
   */
  giveUpMs?: number;
  /**
   * Returns whether a batch failed for a reason unrelated to its items, so that retrying them one by one would not
   * help.
   */
  isCommonFailure(error: unknown): boolean;
}

/**
 * Batches work that arrives while earlier work is running. A single item is processed immediately; under load, many
 * items form a batch. The promise of an item settles with its batch. When a batch fails, its items are retried one by
 * one, so that one bad item does not fail the others.
 */
export class Batcher<Item, Result> {
  private readonly waiting: Waiting<Item, Result>[] = [];
  private running = 0;
  private nextAt = 0;
  private pause?: NodeJS.Timeout;

  /** @param work returns a result for each item, in their order; succeeds or fails as a whole */
  constructor(
    private readonly work: (items: Item[]) => Promise<Result[]>,
    private readonly options: BatcherOptions,
  ) {}

  add(item: Item): Promise<Result> {
    return new Promise((resolve, reject) => {
      const since = performance.now();
      this.giveUpBefore(since - (this.options.giveUpMs ?? Infinity));
      this.waiting.push({ item, since, resolve, reject });
      // Run after all items of the same tick of the event loop have been added.
      setImmediate(() => this.startNext());
    });
  }

  private giveUpBefore(time: number): void {
    while (this.waiting[0] && this.waiting[0].since < time)
      this.waiting.shift()?.reject(new GivenUpError('earlier work took too long'));
  }

  private startNext(): void {
    const { maxItems, concurrency, everyMs = 0, enough = maxItems } = this.options;
    if (this.running >= concurrency || this.waiting.length === 0) return;
    const restMs = this.nextAt - performance.now();
    if (restMs >= 1 && this.waiting.length < enough) return this.startAfter(restMs);
    const batch = this.waiting.splice(0, maxItems);
    this.running += 1;
    this.nextAt = performance.now() + everyMs;
    void this.settle(batch).finally(() => {
      this.running -= 1;
      this.startNext();
    });
  }

  private startAfter(restMs: number): void {
    this.pause ??= setTimeout(() => {
      this.pause = undefined;
      this.startNext();
    }, restMs);
  }

  /** Settles every item; never rejects. */
  private async settle(batch: Waiting<Item, Result>[]): Promise<void> {
    try {
      const results = await this.work(batch.map(({ item }) => item));
      batch.forEach(({ resolve }, index) => resolve(results[index] as Result));
    } catch (error) {
      if (batch.length === 1 || this.options.isCommonFailure(error)) for (const { reject } of batch) reject(error);
      else for (const each of batch) await this.settle([each]);
    }
  }
}
