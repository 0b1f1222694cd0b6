import { RetryLine } from './retry-line';

const tiny = { waitMs: 1_000, costMs: 1_000 };

it('returns the earliest time for a single request', () => {
  const line = new RetryLine();
  expect([0, 5_000, 60_000].map((now) => line.secondsFor('key_a', tiny, now))).toEqual([1, 1, 1]);
});

it("returns successive times for a caller's parallel requests", () => {
  const line = new RetryLine();
  expect(Array.from({ length: 4 }, () => line.secondsFor('key_a', tiny, 0))).toEqual([1, 2, 3, 4]);
  expect(line.secondsFor('key_b', tiny, 0)).toBe(1);
});

it('spreads requests beyond the longest queue at random', () => {
  const line = new RetryLine();
  const seconds = Array.from({ length: 60 }, (_unused, index) => line.secondsFor('key_a', tiny, 0, index / 60));
  expect(seconds.slice(0, 30)).toEqual(Array.from({ length: 30 }, (_unused, index) => index + 1));
  expect(Math.max(...seconds)).toBe(30);
  expect(new Set(seconds.slice(30)).size).toBeGreaterThan(10);
});

it('returns no time before the limit allows a request', () => {
  const line = new RetryLine();
  const slow = { waitMs: 3_600_000, costMs: 3_600_000 };
  expect([line.secondsFor('key_a', slow, 0), line.secondsFor('key_a', slow, 0)]).toEqual([3_600, 3_600]);
});
