// @ts-check

/** @typedef {{ scenario: string, status: number, effects: number }} Told what a caller was told, status 0 for no answer at all, and how often the change is there */

/**
 * Judges answers by what is there: after 2xx the change, once; after 503 nothing; after 504, or without an answer,
 * nothing or the change, once.
 * @param {Told[]} told
 */
export function compareTruth(told) {
  const lost = told.filter(({ status, effects }) => isGood(status) && effects === 0);
  const doubled = told.filter(({ effects }) => effects > 1);
  const untrue = told.filter(({ status, effects }) => status === 503 && effects > 0);
  const unexpected = told.filter(({ status }) => !isGood(status) && ![0, 503, 504].includes(status));
  return {
    lost: lost.map(shown),
    doubled: doubled.map(shown),
    untrue: untrue.map(shown),
    unexpected: unexpected.map(shown),
  };
}

/** How many of a scenario's answers were good, refused (503) and unknown (504 or none), as one line. */
export function countAnswers(/** @type {Told[]} */ told) {
  const count = (/** @type {(one: Told) => boolean} */ wanted) => told.filter(wanted).length;
  const unknown = told.filter(({ status }) => status === 0 || status === 504);
  const done = unknown.filter(({ effects }) => effects > 0).length;
  return `${count(({ status }) => isGood(status))} good, ${count(({ status }) => status === 503)} refused, ${unknown.length} unknown (${done} done)`;
}

/**
 * Changing commands that are neither tried nor left out for a reason, and names among these that no changing command
 * has.
 * @param {string[]} changing
 * @param {string[]} tried
 * @param {string[]} leftOut
 */
export function untried(changing, tried, leftOut) {
  const known = [...tried, ...leftOut];
  return [...changing.filter((name) => !known.includes(name)), ...known.filter((name) => !changing.includes(name))];
}

function isGood(/** @type {number} */ status) {
  return status >= 200 && status < 300;
}

function shown(/** @type {Told} */ { scenario, status, effects }) {
  return `${scenario} was answered ${status || 'nothing'}, and is there ${effects} times`;
}
