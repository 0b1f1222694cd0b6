// @ts-check

/**
 * @typedef {{ scenario: string, status: number, effects: number }} Told status that the caller got (0: no response),
 * and number of times the change took effect
 */

/**
 * Compares responses with their effects: exactly one after a 2xx, none after a 503, and at most one after a 504 or
 * without a response.
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

/** Formats the number of a scenario's successful, rejected (503) and unknown (504 or none) responses as one line. */
export function countAnswers(/** @type {Told[]} */ told) {
  const count = (/** @type {(one: Told) => boolean} */ wanted) => told.filter(wanted).length;
  const unknown = told.filter(({ status }) => status === 0 || status === 504);
  const done = unknown.filter(({ effects }) => effects > 0).length;
  return `${count(({ status }) => isGood(status))} good, ${count(({ status }) => status === 503)} refused, ${unknown.length} unknown (${done} done)`;
}

/**
 * Returns commands with side effects that are neither tested nor excluded, and names of tested or excluded commands
 * that do not exist.
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
