// @ts-check
import { compareNeighbours, isBounded, quantile } from './compare-neighbours.mjs';

const answers = (/** @type {number[]} */ times, status = 200) =>
  times.map((ms) => ({ name: 'GET /v1/messages', ms, status }));
const BOUND = { percent: 150, slack: 10 };

describe('compareNeighbours', () => {
  it('compares the 99th percentiles', () => {
    const hundred = answers(Array.from({ length: 100 }, (_, n) => n + 1));
    expect([quantile(hundred, 0.5), quantile(hundred, 0.99), quantile(answers([7]), 0.99)]).toEqual([50, 99, 7]);
  });

  it('allows the configured slowdown and no more', () => {
    expect(compareNeighbours({ alone: answers([100]), beside: answers([160]) }, BOUND)).toMatchObject({
      p99Alone: 100,
      p99Beside: 160,
      most: 160,
      isKept: true,
    });
    expect(compareNeighbours({ alone: answers([100]), beside: answers([161]) }, BOUND).isKept).toBe(false);
  });

  it.each([0, 429, 500, 503, 504])('fails when one request gets the status %s', (status) => {
    const { failed, isKept } = compareNeighbours(
      { alone: answers([100]), beside: [...answers([100]), ...answers([1], status)] },
      BOUND,
    );
    expect([failed.length, isKept]).toEqual([1, false]);
  });

  it('fails without any requests', () => {
    expect(compareNeighbours({ alone: [], beside: [] }, BOUND).isKept).toBe(false);
  });
});

describe('isBounded', () => {
  const read = (/** @type {number} */ status, /** @type {string | null} */ retryAfter = null) => ({
    status,
    retryAfter,
  });

  it('accepts a mix of successes and 429s with a retry time', () => {
    expect(isBounded([read(200), read(429, '1')])).toBe(true);
  });

  it.each([
    [[read(200)]],
    [[read(429, '1')]],
    [[read(200), read(429)]],
    [[read(200), read(429, '1'), read(503)]],
    [[]],
  ])('rejects the reads %j', (answered) => {
    expect(isBounded(answered)).toBe(false);
  });
});
