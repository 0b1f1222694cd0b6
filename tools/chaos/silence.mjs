// @ts-check
/** @typedef {{ kind: string, status: number, startedAt: number, durationMs: number }} Timed one answer of the load; status 0: none at all; times in milliseconds */

/** Promised: after so long everything works again, though the old sessions are as silent as before. */
export const RECOVERY_LIMIT_MS = 10_000;
/**
 * What may be said of a request whose session went silent; 502 when too little of its time was left to call the
 * upstream platform.
 */
const CLEAR_STATUSES = [502, 503, 504];

/**
 * Judges what callers were told while sessions of the database were silent.
 * @param {Timed[]} answers
 * @param {{ kinds: string[], from: number, to: number }} silence `kinds`: those of the load; `from`, `to`: when it
 * began and ended, in milliseconds
 * @returns {{ met: number, lastMs: Record<string, number>, problems: string[] }} how many requests were not carried
 * out; how long after the beginning the last such request of each kind began; what must not be
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
