// @ts-check
import { randomFrom } from './random.mjs';
import { judgeSlope, slopeOf } from './slope-estimate.mjs';

const EVERY_MS = 10_000;
const MB = 1e6;
const BOUND = { perHour: 12 * MB };

/**
 * A series of four minutes, as a service gives it: a base, noise, and growth.
 * @param {{ perHour?: number, noise?: number, seed?: number, spikes?: number }} options
 */
function series({ perHour = 0, noise = 0.2 * MB, seed = 1, spikes = 0 }) {
  const random = randomFrom(seed);
  return Array.from({ length: 25 }, (_, index) => {
    const spike = random() < spikes ? 40 * MB : 0;
    return {
      atMs: index * EVERY_MS,
      value: 50 * MB + (perHour * index * EVERY_MS) / 3_600_000 + (random() - 0.5) * 2 * noise + spike,
    };
  });
}

const seeds = Array.from({ length: 200 }, (_, index) => index + 1);

describe('the slope of a series', () => {
  it('is the growth per hour', () => {
    expect(slopeOf(series({ perHour: 36 * MB, noise: 0 })).perHour).toBeCloseTo(36 * MB, -2);
  });

  it('is not moved by a quarter of samples that stand out', () => {
    const { perHour } = slopeOf(series({ perHour: 36 * MB, spikes: 0.25, seed: 5 }));
    expect(Math.abs(perHour - 36 * MB)).toBeLessThan(8 * MB);
  });

  it('takes three samples', () => {
    expect(() => slopeOf(series({}).slice(0, 2))).toThrow('at least 3');
  });
});

describe('a series', () => {
  it('that is flat is judged flat, whatever its noise', () => {
    expect(seeds.filter((seed) => judgeSlope(series({ seed }), BOUND).verdict !== 'flat')).toEqual([]);
    expect(
      seeds.filter((seed) => judgeSlope(series({ seed, noise: MB, spikes: 0.1 }), BOUND).verdict === 'grows'),
    ).toEqual([]);
  });

  it('that leaks 2 KB at each of ten sends a second is judged to grow', () => {
    const perHour = 2_000 * 10 * 3_600;
    expect(seeds.filter((seed) => judgeSlope(series({ seed, perHour }), BOUND).verdict !== 'grows')).toEqual([]);
  });

  it('that only warms up at first is flat after that', () => {
    const warm = series({}).map(({ atMs, value }) => ({ atMs, value: value - 20 * MB * Math.exp(-atMs / 15_000) }));
    expect(judgeSlope(warm.slice(8), BOUND).verdict).toBe('flat');
  });

  it('with more noise than any growth proves nothing', () => {
    expect(judgeSlope(series({ noise: 50 * MB }), BOUND).verdict).toBe('too noisy');
  });

  it('may rise by its noise in a short run, and by no more', () => {
    const rising = series({ perHour: 200 * MB });
    const rise = 200 * MB * ((rising.at(-1)?.atMs ?? 0) / 3_600_000);
    expect(judgeSlope(rising, { perHour: 100 * MB, noise: 1.2 * rise }).verdict).toBe('flat');
    expect(judgeSlope(rising, { perHour: 100 * MB, noise: 0.8 * rise }).verdict).toBe('grows');
  });

  it('of counts grows by one at a time, and a single step is no growth', () => {
    const counts = (/** @type {(index: number) => number} */ value) =>
      Array.from({ length: 25 }, (_, index) => ({ atMs: index * EVERY_MS, value: 30 + value(index) }));
    expect(
      judgeSlope(
        counts((index) => Math.floor(index / 3)),
        { perHour: 30 },
      ).verdict,
    ).toBe('grows');
    expect(
      judgeSlope(
        counts((index) => (index > 12 ? 1 : 0)),
        { perHour: 30 },
      ).verdict,
    ).toBe('flat');
    expect(
      judgeSlope(
        counts((index) => index % 3),
        { perHour: 30 },
      ).verdict,
    ).not.toBe('grows');
  });
});
