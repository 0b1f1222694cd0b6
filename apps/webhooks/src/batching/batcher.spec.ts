import { Batcher } from './batcher';

const never = () => false;

describe('the batcher', () => {
  it('starts at once after a rest, and puts together what comes meanwhile', async () => {
    const batches: number[][] = [];
    const batcher = new Batcher<number, number>(
      async (items) => {
        batches.push(items);
        return Promise.resolve(items.map((item) => item * 2));
      },
      { limit: 3, everyMs: 0, isShared: never },
    );
    expect(await Promise.all([1, 2, 3, 4, 5].map((item) => batcher.add(item)))).toEqual([2, 4, 6, 8, 10]);
    expect(batches).toEqual([[1], [2, 3, 4], [5]]);
  });

  it('lets an item fail alone', async () => {
    const batcher = new Batcher<number, number>(
      (items) => (items.includes(3) ? Promise.reject(new Error('three')) : Promise.resolve(items)),
      { limit: 10, everyMs: 0, isShared: never },
    );
    const outcomes = await Promise.allSettled([1, 2, 3, 4].map((item) => batcher.add(item)));
    expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled', 'rejected', 'fulfilled']);
  });

  it('does not try every item when the error is not theirs', async () => {
    let tries = 0;
    const batcher = new Batcher<number, number>(
      () => {
        tries += 1;
        return Promise.reject(new Error('away'));
      },
      { limit: 10, everyMs: 0, isShared: () => true },
    );
    const outcomes = await Promise.allSettled([1, 2, 3, 4].map((item) => batcher.add(item)));
    expect(outcomes.every(({ status }) => status === 'rejected')).toBe(true);
    expect(tries).toBe(2);
  });
});
