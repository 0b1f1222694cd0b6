// @ts-check
import { median } from './report.mjs';

/** @typedef {{ atMs: number, value: number }} Sample */
/** @typedef {{ perHour: number, atLeast: number, atMost: number }} Slope growth per hour; the true one lies between the two with 95 % confidence */

const HOUR_MS = 3_600_000;
/** Of the normal distribution, for 95 % on both sides together. */
const CONFIDENCE = 1.96;

/**
 * The slope of a series by Theil and Sen: the median of the slopes between all pairs of samples. A third of the samples
 * may be anything (a garbage collection that came late, a burst) before it moves. Its confidence interval is Sen's, by
 * Kendall's variance.
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
 * Whether a series grows: when even the lower end of its confidence interval is above what is allowed. A series with so
 * much noise that growth of many times the bound would not be seen proves nothing.
 * @param {Sample[]} samples
 * @param {{ perHour: number, noise?: number, resolution?: number }} bound `perHour`: the growth that is allowed;
 * `noise`: what a series may rise by in all, however short the run, by default 0; `resolution`: how many times the
 * bound the interval may be wide, by default 20
 * @returns {Slope & { verdict: 'flat' | 'grows' | 'too noisy' }}
 */
export function judgeSlope(samples, { perHour, noise = 0, resolution = 20 }) {
  const slope = slopeOf(samples);
  const hours = ((samples.at(-1)?.atMs ?? 0) - (samples[0]?.atMs ?? 0)) / HOUR_MS;
  if (slope.atLeast > perHour && slope.atLeast * hours > noise) return { ...slope, verdict: 'grows' };
  return { ...slope, verdict: slope.atMost - slope.atLeast > resolution * perHour ? 'too noisy' : 'flat' };
}
