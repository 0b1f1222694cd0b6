// @ts-check
/**
 * Request as the receiver saw it, with times in milliseconds of the receiver's clock.
 * @typedef {{ eventId: string, attempt: number, cameAt: number, answeredAt: number }} Attempt
 */

/** Delays of spec §11.5.2. */
const DELAYS_SECONDS = [5, 30, 300, 1800];

/** Returns the seconds from each response to the next attempt, with the number of the earlier attempt. */
export function gapsBetween(/** @type {Attempt[]} */ attempts) {
  const cameAt = new Map(attempts.map((attempt) => [`${attempt.eventId} ${attempt.attempt}`, attempt.cameAt]));
  return attempts.flatMap(({ eventId, attempt, answeredAt }) => {
    const next = cameAt.get(`${eventId} ${attempt + 1}`);
    return next === undefined ? [] : [{ attempt, seconds: (next - answeredAt) / 1_000 }];
  });
}

/**
 * Checks each step of the retry schedule: a retry is never early, and at most 10 % of its delay plus 1 s late (spec
 * §11.5.3).
 */
export function judgeGaps(/** @type {{ attempt: number, seconds: number }[]} */ gaps) {
  return DELAYS_SECONDS.map((delaySeconds, index) => {
    const seconds = gaps.filter(({ attempt }) => attempt === index + 1).map((gap) => gap.seconds);
    return {
      delaySeconds,
      count: seconds.length,
      earliestSeconds: Math.min(...seconds),
      latestSeconds: Math.max(...seconds),
      early: seconds.filter((each) => each < delaySeconds).length,
      late: seconds.filter((each) => each > delaySeconds * 1.1 + 1).length,
    };
  });
}
