import { Batcher } from './batcher';

const options = { maxItems: 3, concurrency: 1, isCommonFailure: (error: unknown) => error instanceof RangeError };

/** Starts a batcher whose batches wait until `release` is called. */
function startBatcher(outcome: (items: number[]) => number[] = (items) => items.map((item) => item * 10)) {
  const batches: number[][] = [];
  let release = (): void => undefined;
  const gate = new Promise<void>((resolve) => (release = resolve));
  const batcher = new Batcher<number, number>(async (items) => {
    batches.push(items);
    await gate;
    return outcome(items);
  }, options);
  return { batcher, batches, release };
}

describe('Batcher', () => {
  it('batches items up to the limit while earlier work runs', async () => {
    const { batcher, batches, release } = startBatcher();
    const first = [1, 2].map((item) => batcher.add(item));
    await new Promise((resolve) => setImmediate(resolve));
    const later = [3, 4, 5, 6].map((item) => batcher.add(item));
    release();
    expect(await Promise.all([...first, ...later])).toEqual([10, 20, 30, 40, 50, 60]);
    expect(batches).toEqual([[1, 2], [3, 4, 5], [6]]);
  });

  it('retries items individually when a batch fails', async () => {
    const { batcher, batches, release } = startBatcher((items) => {
      if (items.includes(2)) throw new Error('bad item');
      return items;
    });
    release();
    const settled = await Promise.allSettled([1, 2, 3].map((item) => batcher.add(item)));
    expect(settled.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
    expect(batches).toEqual([[1, 2, 3], [1], [2], [3]]);
    expect(await batcher.add(7)).toBe(7);
  });

  it('does not retry a failure that all items share', async () => {
    const { batcher, batches, release } = startBatcher(() => {
      throw new RangeError('database away');
    });
    release();
    const settled = await Promise.allSettled([1, 2].map((item) => batcher.add(item)));
    expect(settled.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    expect(batches).toHaveLength(1);
  });

  it('rejects items that waited too long behind a hanging batch', async () => {
    const hanging = new Batcher<number, number>(() => new Promise(() => undefined), { ...options, giveUpMs: 20 });
    void hanging.add(1);
    await new Promise((resolve) => setImmediate(resolve));
    const waiting = expect(hanging.add(2)).rejects.toThrow('earlier work took too long');
    await new Promise((resolve) => setTimeout(resolve, 30));
    void hanging.add(3);
    await waiting;
  });

  it('pauses between batches unless one is full', async () => {
    const begun: { items: number[]; at: number }[] = [];
    const work = (items: number[]): Promise<number[]> => {
      begun.push({ items, at: performance.now() });
      return Promise.resolve(items);
    };
    const batcher = new Batcher<number, number>(work, { ...options, everyMs: 60 });
    await batcher.add(1);
    await batcher.add(2);
    await Promise.all([3, 4, 5].map((item) => batcher.add(item)));
    expect(begun.map(({ items }) => items)).toEqual([[1], [2], [3, 4, 5]]);
    const [first = 0, second = 0, full = 0] = begun.map(({ at }) => at);
    expect(second - first).toBeGreaterThanOrEqual(58);
    expect(full - second).toBeLessThan(50);
  });

  it('skips the pause when enough items wait, and processes them all', async () => {
    const begun: number[][] = [];
    const work = (items: number[]): Promise<number[]> => {
      begun.push(items);
      return Promise.resolve(items);
    };
    const batcher = new Batcher<number, number>(work, { ...options, maxItems: 10, enough: 3, everyMs: 60_000 });
    await batcher.add(1);
    await Promise.all([2, 3, 4, 5].map((item) => batcher.add(item)));
    expect(begun).toEqual([[1], [2, 3, 4, 5]]);
  });
});
