// @ts-check
import { compareNeighbours, isBounded, quantile } from './compare-neighbours.mjs';

const answers = (/** @type {number[]} */ times, status = 200) =>
  times.map((ms) => ({ name: 'GET /v1/messages', ms, status }));
const BOUND = { percent: 150, slack: 10 };

describe('two accounts beside each other', () => {
  it('are judged by the slowest hundredth', () => {
    const hundred = answers(Array.from({ length: 100 }, (_, n) => n + 1));
    expect([quantile(hundred, 0.5), quantile(hundred, 0.99), quantile(answers([7]), 0.99)]).toEqual([50, 99, 7]);
  });

  it('may slow each other by so much, and no more', () => {
    expect(compareNeighbours({ alone: answers([100]), beside: answers([160]) }, BOUND)).toMatchObject({
      p99Alone: 100,
      p99Beside: 160,
      most: 160,
      isKept: true,
    });
    expect(compareNeighbours({ alone: answers([100]), beside: answers([161]) }, BOUND).isKept).toBe(false);
  });

  it.each([0, 429, 500, 503, 504])('have not kept the promise when one request is answered %s', (status) => {
    const { failed, isKept } = compareNeighbours(
      { alone: answers([100]), beside: [...answers([100]), ...answers([1], status)] },
      BOUND,
    );
    expect([failed.length, isKept]).toEqual([1, false]);
  });

  it('have not kept it when nothing was asked', () => {
    expect(compareNeighbours({ alone: [], beside: [] }, BOUND).isKept).toBe(false);
  });
});

describe('too many reads at once', () => {
  const read = (/** @type {number} */ status, /** @type {string | null} */ retryAfter = null) => ({
    status,
    retryAfter,
  });

  it('are bounded when some are answered and the others are told when to come again', () => {
    expect(isBounded([read(200), read(429, '1')])).toBe(true);
  });

  it.each([
    [[read(200)]],
    [[read(429, '1')]],
    [[read(200), read(429)]],
    [[read(200), read(429, '1'), read(503)]],
    [[]],
  ])('are not bounded in %j', (answered) => {
    expect(isBounded(answered)).toBe(false);
  });
});
