const LONGEST_PAUSE_SECONDS = 6 * 3_600;
const MAX_DOUBLINGS = 16;

/**
 * Returns the pause in seconds after a failed read: the interval, doubled for each consecutive failure.
 * @param failures number of consecutive failures before this one
 */
export function pollPauseSeconds(intervalSeconds: number, failures: number): number {
  const doubled = intervalSeconds * 2 ** Math.min(failures + 1, MAX_DOUBLINGS);
  return Math.max(intervalSeconds, Math.min(doubled, LONGEST_PAUSE_SECONDS));
}
