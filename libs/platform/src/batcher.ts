/** An item waited too long behind a batch that hangs, and was not begun. */
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
  /** Most items of a batch. */
  maxItems: number;
  /** Most batches under way at a time. */
  concurrency: number;
  /**
   * Batches begin at least so many milliseconds apart, unless enough wait: few large ones cost less than many small
   * ones. No pause when absent.
   */
  everyMs?: number;
  /** Items that are enough to begin without a pause; a full batch when absent. */
  enough?: number;
  /**
   * An item that has not begun after so long is given up when the next one comes: a batch that hangs does not pile up
   * those behind it. Never when absent.
   */
  giveUpMs?: number;
  /** Whether a failure says nothing about the items, so that trying them one by one would only repeat it. */
  isCommonFailure(error: unknown): boolean;
}

/**
 * Puts work together that comes in while earlier work is under way: alone an item is done at once, under load many are
 * done as one. An item's promise settles when its batch has; when a batch fails, each of its items is tried by itself,
 * so that one bad item does not fail its neighbours.
 */
export class Batcher<Item, Result> {
  private readonly waiting: Waiting<Item, Result>[] = [];
  private running = 0;
  private nextAt = 0;
  private pause?: NodeJS.Timeout;

  /** @param work gives a result for each item, in their order; all or nothing happens */
  constructor(
    private readonly work: (items: Item[]) => Promise<Result[]>,
    private readonly options: BatcherOptions,
  ) {}

  add(item: Item): Promise<Result> {
    return new Promise((resolve, reject) => {
      const since = performance.now();
      this.giveUpBefore(since - (this.options.giveUpMs ?? Infinity));
      this.waiting.push({ item, since, resolve, reject });
      // What comes in during the same turn of the event loop belongs together.
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

  /** Never rejects. */
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
