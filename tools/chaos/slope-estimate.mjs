// @ts-check
import { median } from './report.mjs';

/** @typedef {{ atMs: number, value: number }} Sample */
/**
 * @typedef {{ perHour: number, atLeast: number, atMost: number }} Slope growth per hour, with the bounds of its 95 %
 * confidence interval
 */

const HOUR_MS = 3_600_000;
/** Quantile of the normal distribution for a two-sided 95 % interval. */
const CONFIDENCE = 1.96;

/**
 * Estimates the slope of a series with the Theil-Sen estimator, the median of the slopes between all pairs of samples.
 * It tolerates outliers (a late garbage collection, a burst) in more than a quarter of the samples. The confidence
 * interval is Sen's, from Kendall's variance.
 * @param {Sample[]} samples at least 3
 * @returns {Slope}
 */
export function slopeOf(samples) {
  const count = samples.length;
  if (count < 3) throw new Error('a slope takes at least 3 samples');
  const slopes = samples
    .flatMap((one, index) =>
      samples.slice(index + 1).map((other) => ((other.value - one.value) / (other.atMs - one.atMs)) * HOUR_MS),
    )
    .sort((one, other) => one - other);
  const spread = CONFIDENCE * Math.sqrt((count * (count - 1) * (2 * count + 5)) / 18);
  const rank = (/** @type {number} */ wanted) =>
    slopes[Math.min(slopes.length - 1, Math.max(0, Math.round(wanted)))] ?? NaN;
  return {
    perHour: median(slopes),
    atLeast: rank((slopes.length - spread) / 2),
    atMost: rank((slopes.length + spread) / 2),
  };
}

/**
 * Checks the growth of a series. The series grows when the lower end of its confidence interval exceeds the bound. It
 * proves nothing when it is so noisy that growth of many times the bound would go unnoticed.
 * @param {Sample[]} samples
 * @param {{ perHour: number, noise?: number, resolution?: number }} bound `perHour`: allowed growth; `noise`: allowed
 * total increase regardless of the run's length, 0 by default; `resolution`: largest width of the interval as a
 * multiple of the bound, 20 by default
 * @returns {Slope & { verdict: 'flat' | 'grows' | 'too noisy' }}
 */
export function judgeSlope(samples, { perHour, noise = 0, resolution = 20 }) {
  const slope = slopeOf(samples);
  const hours = ((samples.at(-1)?.atMs ?? 0) - (samples[0]?.atMs ?? 0)) / HOUR_MS;
  if (slope.atLeast > perHour && slope.atLeast * hours > noise) return { ...slope, verdict: 'grows' };
  return { ...slope, verdict: slope.atMost - slope.atLeast > resolution * perHour ? 'too noisy' : 'flat' };
}
