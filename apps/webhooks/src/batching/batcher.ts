import { setTimeout as delay } from 'node:timers/promises';

interface Waiting<Item, Result> {
  item: Item;
  resolve: (result: Result) => void;
  reject: (error: unknown) => void;
}

export interface BatcherOptions {
  /** Most items in a batch. */
  limit: number;
  /** Batches begin at least so many milliseconds apart, unless one is full: under load few large ones cost less than many small ones. */
  everyMs: number;
  /**
   * Whether an error would meet every other item as well; otherwise the items of a failed batch are tried one by one, so that one
   * of them cannot fail the others.
   */
  isShared: (error: unknown) => boolean;
}

/**
 * Gathers single items into batches. The first item after a rest starts at once; what arrives while a batch is at work, or within
 * the pause after its beginning, makes up the next one.
 */
export class Batcher<Item, Result> {
  private waiting: Waiting<Item, Result>[] = [];
  private working = false;

  /** @param work gives the results in the order of the items */
  constructor(
    private readonly work: (items: Item[]) => Promise<Result[]>,
    private readonly options: BatcherOptions,
  ) {}

  /** @returns the item's own result once its batch is done */
  add(item: Item): Promise<Result> {
    return new Promise((resolve, reject) => {
      this.waiting.push({ item, resolve, reject });
      if (!this.working) void this.start();
    });
  }

  private async start(): Promise<void> {
    const { limit, everyMs } = this.options;
    this.working = true;
    while (this.waiting.length > 0) {
      const startedAt = performance.now();
      await this.settle(this.waiting.splice(0, limit));
      const restMs = startedAt + everyMs - performance.now();
      if (restMs >= 1 && this.waiting.length < limit) await delay(restMs);
    }
    this.working = false;
  }

  /** Never rejects: each item's promise is told. */
  private async settle(batch: Waiting<Item, Result>[]): Promise<void> {
    try {
      const results = await this.work(batch.map(({ item }) => item));
      batch.forEach(({ resolve }, index) => resolve(results[index] as Result));
    } catch (error) {
      if (batch.length === 1 || this.options.isShared(error)) return batch.forEach(({ reject }) => reject(error));
      for (const single of batch) await this.settle([single]);
    }
  }
}
