// @ts-check
import { say } from '../lib/progress.mjs';

const NAME_WIDTH = 20;
const MAX_SHOWN = 10;

export function figures(/** @type {Record<string, string | number>} */ values) {
  for (const [name, value] of Object.entries(values)) say(`${name.padEnd(NAME_WIDTH)} ${value}`);
}

/** Prints the first problems of each list. */
export function problems(/** @type {Record<string, string[]>} */ lists) {
  for (const [name, list] of Object.entries(lists))
    for (const item of list.slice(0, MAX_SHOWN)) say(`  ${name}: ${item}`);
}

/**
 * Prints the verdict.
 * @param {boolean} isKept
 * @param {string} promise the guarantee under test
 * @returns {boolean} `isKept`
 */
export function verdict(isKept, promise) {
  say(isKept ? `kept: ${promise}` : 'NOT kept');
  return isKept;
}

export function median(/** @type {number[]} */ values) {
  const sorted = [...values].sort((one, other) => one - other);
  const middle = sorted.length / 2;
  return ((sorted[Math.ceil(middle) - 1] ?? NaN) + (sorted[Math.floor(middle)] ?? NaN)) / 2;
}
