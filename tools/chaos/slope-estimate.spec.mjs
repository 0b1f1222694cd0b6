// @ts-check
import { randomFrom } from './random.mjs';
import { judgeSlope, slopeOf } from './slope-estimate.mjs';

const EVERY_MS = 10_000;
const MB = 1e6;
const BOUND = { perHour: 12 * MB };

/**
 * Returns a four-minute series of a service: a base, noise and growth.
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

describe('slopeOf', () => {
  it('returns the growth per hour', () => {
    expect(slopeOf(series({ perHour: 36 * MB, noise: 0 })).perHour).toBeCloseTo(36 * MB, -2);
  });

  it('tolerates outliers in a quarter of the samples', () => {
    const { perHour } = slopeOf(series({ perHour: 36 * MB, spikes: 0.25, seed: 5 }));
    expect(Math.abs(perHour - 36 * MB)).toBeLessThan(8 * MB);
  });

  it('accepts three samples', () => {
    expect(() => slopeOf(series({}).slice(0, 2))).toThrow('at least 3');
  });
});

describe('judgeSlope', () => {
  it('accepts a flat series with any noise', () => {
    expect(seeds.filter((seed) => judgeSlope(series({ seed }), BOUND).verdict !== 'flat')).toEqual([]);
    expect(
      seeds.filter((seed) => judgeSlope(series({ seed, noise: MB, spikes: 0.1 }), BOUND).verdict === 'grows'),
    ).toEqual([]);
  });

  it('reports a leak of 2 KB per send at ten sends per second', () => {
    const perHour = 2_000 * 10 * 3_600;
    expect(seeds.filter((seed) => judgeSlope(series({ seed, perHour }), BOUND).verdict !== 'grows')).toEqual([]);
  });

  it('accepts growth that ends with the warm-up', () => {
    const warm = series({}).map(({ atMs, value }) => ({ atMs, value: value - 20 * MB * Math.exp(-atMs / 15_000) }));
    expect(judgeSlope(warm.slice(8), BOUND).verdict).toBe('flat');
  });

  it('returns "too noisy" when noise exceeds any growth', () => {
    expect(judgeSlope(series({ noise: 50 * MB }), BOUND).verdict).toBe('too noisy');
  });

  it('allows an increase by the noise in a short run', () => {
    const rising = series({ perHour: 200 * MB });
    const rise = 200 * MB * ((rising.at(-1)?.atMs ?? 0) / 3_600_000);
    expect(judgeSlope(rising, { perHour: 100 * MB, noise: 1.2 * rise }).verdict).toBe('flat');
    expect(judgeSlope(rising, { perHour: 100 * MB, noise: 0.8 * rise }).verdict).toBe('grows');
  });

  it('ignores a single step of a count but reports steady growth', () => {
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
