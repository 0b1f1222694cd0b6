// @ts-check
/**
 * @typedef {{ kind: string, status: number, startedAt: number, durationMs: number }} Timed one response to the load;
 * status 0: no response; times in milliseconds
 */

/** Guaranteed time until everything works again while the old sessions stay silent. */
export const RECOVERY_LIMIT_MS = 10_000;
/**
 * Allowed statuses of a request whose session went silent. A 502 means that too little time was left to call the
 * upstream platform.
 */
const CLEAR_STATUSES = [502, 503, 504];

/**
 * Checks the responses while database sessions are silent.
 * @param {Timed[]} answers
 * @param {{ kinds: string[], from: number, to: number }} silence `kinds` of requests in the load; `from`, `to`: start
 * and end in milliseconds
 * @returns {{ met: number, lastMs: Record<string, number>, problems: string[] }} number of failed requests; time from
 * the start of the silence to the start of the last failed request, by kind; violations
 */
export function judgeSilence(answers, { kinds, from, to }) {
  const during = answers.filter(({ startedAt, durationMs }) => startedAt + durationMs > from && startedAt < to);
  const bad = during.filter((answer) => !isGood(answer));
  const since = (/** @type {Timed} */ { startedAt }) => startedAt - from;
  const late = bad.filter((answer) => since(answer) > RECOVERY_LIMIT_MS);
  const unclear = bad.filter(({ status }) => !CLEAR_STATUSES.includes(status));
  const afterwards = during.filter((answer) => isGood(answer) && since(answer) > RECOVERY_LIMIT_MS);
  const idle = kinds.filter((kind) => !afterwards.some((answer) => answer.kind === kind));
  return {
    met: bad.length,
    lastMs: Object.fromEntries(
      [...new Set(bad.map(({ kind }) => kind))].map((kind) => [
        kind,
        Math.max(...bad.filter((one) => one.kind === kind).map(since)),
      ]),
    ),
    problems: [
      ...late.map(
        (answer) =>
          `a ${answer.kind} that began ${since(answer)} ms into it was answered ${answer.status || 'nothing'}`,
      ),
      ...unclear.map(({ kind, status }) => `a ${kind} was answered ${status || 'nothing'}`),
      ...idle.map((kind) => `no ${kind} was carried out after ${RECOVERY_LIMIT_MS} ms`),
    ],
  };
}

function isGood(/** @type {Timed} */ { status }) {
  return status >= 200 && status < 300;
}
