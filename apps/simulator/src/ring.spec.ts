import { Ring } from './ring';

const kept = (ring: Ring<number>): number[] => [...ring.newestFirst()];

describe('Ring', () => {
  it('keeps the newest items, newest first', () => {
    const ring = new Ring<number>({ items: 3, weight: 1_000 });
    for (let item = 0; item < 10_000; item += 1) ring.push(item, 1);
    expect([kept(ring), ring.size()]).toEqual([[9_999, 9_998, 9_997], 3]);
  });

  it('drops old items by weight, but never the newest', () => {
    const ring = new Ring<number>({ items: 100, weight: 10 });
    for (const [item, weight] of [
      [1, 4],
      [2, 4],
      [3, 5],
    ] as const)
      ring.push(item, weight);
    expect(kept(ring)).toEqual([3, 2]);
    ring.push(4, 50);
    expect(kept(ring)).toEqual([4]);
    ring.push(5, 1);
    expect(kept(ring)).toEqual([5]);
  });

  it('is empty after a clear', () => {
    const ring = new Ring<number>({ items: 2, weight: 10 });
    ring.push(1, 10);
    ring.clear();
    ring.push(2, 10);
    expect(kept(ring)).toEqual([2]);
  });
});
