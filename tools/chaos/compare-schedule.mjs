// @ts-check
/**
 * One request as the receiver saw it, in milliseconds of its own clock.
 * @typedef {{ eventId: string, attempt: number, cameAt: number, answeredAt: number }} Attempt
 */

/** spec §11.5.2. */
const DELAYS_SECONDS = [5, 30, 300, 1800];

/** Seconds from each answer to the next attempt, by the number of the attempt that was answered. */
export function gapsBetween(/** @type {Attempt[]} */ attempts) {
  const cameAt = new Map(attempts.map((attempt) => [`${attempt.eventId} ${attempt.attempt}`, attempt.cameAt]));
  return attempts.flatMap(({ eventId, attempt, answeredAt }) => {
    const next = cameAt.get(`${eventId} ${attempt + 1}`);
    return next === undefined ? [] : [{ attempt, seconds: (next - answeredAt) / 1_000 }];
  });
}

/**
 * Each step of the schedule: a retry is never early, and late by a tenth of its delay and a second at most (spec
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
