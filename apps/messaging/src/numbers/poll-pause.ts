const LONGEST_PAUSE_SECONDS = 6 * 3_600;
const MAX_DOUBLINGS = 16;

/**
 * How long a number rests that could not be read, in seconds: the interval, doubled for every failure in a row.
 * @param failures how often it could not be read before
 */
export function pollPauseSeconds(intervalSeconds: number, failures: number): number {
  const doubled = intervalSeconds * 2 ** Math.min(failures + 1, MAX_DOUBLINGS);
  return Math.max(intervalSeconds, Math.min(doubled, LONGEST_PAUSE_SECONDS));
}
