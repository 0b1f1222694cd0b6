// @ts-check
// What became of each rule in a run of the tests, as a table.
import { OWN_INSTALLATION_ONLY, SPEC_TESTS, testsByRule } from './rules.mjs';

/** @typedef {import('./rules.mjs').TestName} TestName */
/** @typedef {'passed' | 'failed' | 'not run' | 'not observable' | 'no test'} Result */
/** @typedef {{ number: string, text: string, result: Result, tests: string[] }} Row */
/** @typedef {{ file: string, title: string, status: string }} RanTest a test of the report, with the file from the root of the checkout */

/** Placeholders of `it.each`. */
const PLACEHOLDER = /%[a-zA-Z#]|\\\$\w+/g;

/** The files to run. @returns {string[]} */
export function filesOf(
  /** @type {TestName[]} */ specTests,
  /** @type {import('./rules.mjs').RulesTable} */ table,
  /** @type {{ isForeign: boolean }} */ { isForeign },
) {
  const files = [...testsByRule(specTests, table).values()].flat().map(({ file }) => file);
  return [...new Set(files)].filter((file) => !isForeign || runsAnywhere(file)).sort();
}

function runsAnywhere(/** @type {string} */ file) {
  return file.startsWith(`${SPEC_TESTS}/`) && !file.endsWith(OWN_INSTALLATION_ONLY);
}

/**
 * One row for each rule, in the order of the specification. A rule has passed when each of its tests ran and passed.
 * @param {import('./rules.mjs').Rule[]} rules
 * @param {TestName[]} specTests
 * @param {import('./rules.mjs').RulesTable} table
 * @param {RanTest[]} ran
 * @returns {Row[]}
 */
export function rowsOf(rules, specTests, table, ran) {
  const tests = testsByRule(specTests, table);
  return rules.map(({ number, text }) => {
    const named = tests.get(number) ?? [];
    const hidden = table.notObservable[number];
    if (hidden)
      return {
        number,
        text,
        result: 'not observable',
        tests: [hidden.reason, ...(hidden.file ? [`inner test: ${hidden.file}`] : [])],
      };
    return {
      number,
      text,
      result: resultOf(named, ran),
      tests: named.map(({ file, title }) => `${file.replace('apps/e2e/src/', '')}: ${title}`),
    };
  });
}

/** @returns {Result} */
function resultOf(/** @type {TestName[]} */ named, /** @type {RanTest[]} */ ran) {
  if (named.length === 0) return 'no test';
  const runs = named.map((test) => ran.filter(({ file, title }) => file === test.file && isTitle(test.title, title)));
  const statuses = runs.flat().map(({ status }) => status);
  if (statuses.includes('failed')) return 'failed';
  return runs.every((found) => found.length > 0) && statuses.every((status) => status === 'passed')
    ? 'passed'
    : 'not run';
}

function isTitle(/** @type {string} */ written, /** @type {string} */ shown) {
  const pattern = written.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&').replaceAll(PLACEHOLDER, '.*');
  return new RegExp(`^${pattern}$`, 's').test(shown);
}

/** How many rules have each result. @returns {Record<Result, number>} */
export function countResults(/** @type {Row[]} */ rows) {
  const counts = { passed: 0, failed: 0, 'not run': 0, 'not observable': 0, 'no test': 0 };
  for (const { result } of rows) counts[result] += 1;
  return counts;
}

/** The table for a terminal: rule, result, test. */
export function tableText(/** @type {Row[]} */ rows) {
  const lines = rows.map(({ number, text, result, tests }) =>
    [
      `${number.padEnd(8)} ${result.padEnd(14)} ${shortened(text)}`,
      ...tests.map((test) => `${' '.repeat(24)}${test}`),
    ].join('\n'),
  );
  return [`${'rule'.padEnd(8)} ${'result'.padEnd(14)} what it says, and its test`, ...lines].join('\n');
}

const WIDTH = 110;

function shortened(/** @type {string} */ text) {
  return text.length > WIDTH ? `${text.slice(0, WIDTH - 1)}…` : text;
}
