// @ts-check

/**
 * @typedef {object} Timed one answer of the load
 * @property {'send' | 'read'} kind
 * @property {number} status 0: no answer at all
 * @property {number} startedAt in milliseconds
 * @property {number} durationMs
 */

/** Promised for every answer while something is away. */
export const ANSWER_LIMIT_MS = 2_000;
/** What may be said of a request that cannot be done, or of a send that was on its way when it began. */
const CLEAR_STATUSES = [503, 504];

/**
 * Judges what callers were told around an outage.
 * @param {Timed[]} answers
 * @param {{ from: number, to: number }} outage when it began and ended, in milliseconds
 */
export function judgeOutage(answers, { from, to }) {
  const during = answers.filter(({ startedAt }) => startedAt >= from && startedAt < to);
  const refused = during.filter(({ status }) => status !== 200);
  const firstGood = answers.filter(({ startedAt, status, kind }) => startedAt >= to && status === 200 && kind === 'send').sort((one, other) => endOf(one) - endOf(other))[0];
  return {
    answered: during.length,
    refused: refused.length,
    slowestMs: Math.max(0, ...refused.map(({ durationMs }) => durationMs)),
    late: refused.filter(({ durationMs }) => durationMs > ANSWER_LIMIT_MS).length,
    unclear: answers.filter(({ status }) => status !== 200 && !CLEAR_STATUSES.includes(status)).map(({ kind, status }) => `a ${kind} was answered ${status}`),
    recoveryMs: firstGood ? endOf(firstGood) - to : Infinity,
  };
}

function endOf(/** @type {Timed} */ { startedAt, durationMs }) {
  return startedAt + durationMs;
}
