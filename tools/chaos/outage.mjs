// @ts-check

/**
 * @typedef {object} Timed one answer of the load
 * @property {string} kind `send`, or another one
 * @property {number} status 0: no answer at all
 * @property {number} startedAt in milliseconds
 * @property {number} durationMs
 */

/** Promised for every answer while something is away. */
export const ANSWER_LIMIT_MS = 2_000;
/** Promised for the first good send after it. */
export const RECOVERY_LIMIT_MS = 5_000;
/** What may be said of a request that cannot be done, or of a send that was on its way when it began. */
const CLEAR_STATUSES = [503, 504];

/**
 * Judges what callers were told around an outage.
 *
 * What is away comes back at some moment between `returning` and `to`: a request that is answered in between may have
 * met it. One that began after `from` and was answered before `returning` cannot: everything in the load needs what is
 * away, so its 200 is a false one.
 * @param {Timed[]} answers
 * @param {{ from: number, returning: number, to: number }} outage in milliseconds: when it was complete, when it was
 * first let end, and when it was over
 */
export function judgeOutage(answers, { from, returning, to }) {
  const during = answers.filter(({ startedAt }) => startedAt >= from && startedAt < to);
  const refused = during.filter(({ status }) => !isGood(status));
  const good = during.filter(({ status }) => isGood(status));
  const falselyGood = good.filter((answer) => endOf(answer) <= returning);
  const firstGood = answers
    .filter(({ startedAt, status, kind }) => startedAt >= to && isGood(status) && kind === 'send')
    .sort((one, other) => endOf(one) - endOf(other))[0];
  return {
    answered: during.length,
    refused: refused.length,
    falselyGood: falselyGood.map(
      (answer) => `a ${answer.kind} was answered ${answer.status} ${endOf(answer) - from} ms into it`,
    ),
    goodOnReturn: good.length - falselyGood.length,
    slowestMs: Math.max(0, ...refused.map(({ durationMs }) => durationMs)),
    late: refused.filter(({ durationMs }) => durationMs > ANSWER_LIMIT_MS).length,
    unclear: answers
      .filter(({ status }) => !isGood(status) && !CLEAR_STATUSES.includes(status))
      .map(({ kind, status }) => `a ${kind} was answered ${status}`),
    recoveryMs: firstGood ? endOf(firstGood) - to : Infinity,
  };
}

/**
 * Requests that began during an outage in which nothing can be begun, and whose outcome is unknown all the same (504).
 * @param {Timed[]} answers
 * @param {{ from: number, returning: number }} outage as for `judgeOutage`
 */
export function unknownDuring(answers, { from, returning }) {
  const unknown = answers.filter(
    (answer) => answer.status === 504 && answer.startedAt >= from && endOf(answer) <= returning,
  );
  return unknown.map(({ kind, startedAt }) => `a ${kind} that began ${startedAt - from} ms into it was answered 504`);
}

function isGood(/** @type {number} */ status) {
  return status >= 200 && status < 300;
}

function endOf(/** @type {Timed} */ { startedAt, durationMs }) {
  return startedAt + durationMs;
}
