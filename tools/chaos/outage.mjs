// @ts-check

/**
 * @typedef {object} Timed one response to the load
 * @property {string} kind `send` or another kind of request
 * @property {number} status 0: no response
 * @property {number} startedAt in milliseconds
 * @property {number} durationMs
 */

/** Guaranteed response time during an outage. */
export const ANSWER_LIMIT_MS = 2_000;
/** Guaranteed time until the first successful send after an outage. */
export const RECOVERY_LIMIT_MS = 5_000;
/** Allowed statuses of a request that cannot succeed, and of a send in flight when the outage started. */
const CLEAR_STATUSES = [503, 504];

/**
 * Checks the responses around an outage.
 *
 * The dependency returns at some time between `returning` and `to`, so a request that completes in between may have
 * reached it. A request that started after `from` and completed before `returning` cannot have succeeded, because every
 * request needs the dependency, so a 200 is false.
 * @param {Timed[]} answers
 * @param {{ from: number, returning: number, to: number }} outage in milliseconds: complete outage, start of the
 * recovery, end of the recovery
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
 * Returns requests with an unknown outcome (504) that started during an outage in which nothing can start.
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
