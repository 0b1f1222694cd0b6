// @ts-check
// Summarises the result of each rule of a test run in a table.
import { projectOf } from '../lib/jest-run.mjs';
import { OWN_INSTALLATION_ONLY, SPEC_TESTS, proofsByRule } from './rules.mjs';

/** @typedef {import('./rules.mjs').TestName} TestName */
/** @typedef {import('./rules.mjs').Proof} Proof */
/** @typedef {'passed' | 'failed' | 'not run' | 'not testable' | 'no test'} Result */
/** @typedef {{ number: string, text: string, result: Result, proofs: string[] }} Row */
/**
 * @typedef {{ file: string, title: string, status: string }} RanTest a test of the report, with its file relative to
 * the root of the checkout
 */
/** @typedef {{ name: string, isKept: boolean }} RanChaosTest */
/** @typedef {{ tests: RanTest[], chaosTests: RanChaosTest[] }} Ran */
/** @typedef {Map<import('../lib/jest-run.mjs').Project, string[]>} FilesByProject */

/** Placeholders of `it.each`. */
const PLACEHOLDER = /%[a-zA-Z#]|\\\$\w+/g;

/** @type {import('../lib/jest-run.mjs').Project[]} */
const ORDER = ['unit', 'unit-proofs', 'integration', 'integration-proofs', 'e2e', 'e2e-proofs'];

/** Selects the files and chaos tests to run. @returns {{ files: FilesByProject, chaosTests: string[] }} */
export function planOf(/** @type {Proof[]} */ proofs, /** @type {{ isForeign: boolean }} */ { isForeign }) {
  const files = [...new Set(proofs.flatMap((proof) => ('file' in proof ? proof.file : [])))]
    .filter((file) => !isForeign || runsAnywhere(file))
    .sort();
  const chaosTests = [...new Set(proofs.flatMap((proof) => ('chaos' in proof ? proof.chaos : [])))].sort();
  const byProject = ORDER.map(
    (project) => /** @type {const} */ ([project, files.filter((file) => projectOf(file) === project)]),
  );
  return { files: new Map(byProject.filter(([, own]) => own.length > 0)), chaosTests: isForeign ? [] : chaosTests };
}

function runsAnywhere(/** @type {string} */ file) {
  return file.startsWith(`${SPEC_TESTS}/`) && !file.endsWith(OWN_INSTALLATION_ONLY);
}

/**
 * Returns one row per rule, in the order of the specification. A rule passes when each of its tests ran and passed.
 * @param {import('./rules.mjs').Rule[]} rules
 * @param {TestName[]} specTests
 * @param {import('./rules.mjs').RulesTable} table
 * @param {Ran} ran
 * @returns {Row[]}
 */
export function rowsOf(rules, specTests, table, ran) {
  const all = proofsByRule(specTests, table);
  return rules.map(({ number, text }) => {
    const reason = table.notTestable[number];
    if (reason) return { number, text, result: 'not testable', proofs: [reason] };
    const results = (all.get(number) ?? []).map((proof) => ({ proof, result: resultOf(proof, ran) }));
    return {
      number,
      text,
      result: together(results.map(({ result }) => result)),
      proofs: results.map(({ proof, result }) => `${result === 'passed' ? '' : `${result}: `}${nameOf(proof)}`),
    };
  });
}

/** @returns {Result} */
function together(/** @type {Result[]} */ results) {
  if (results.length === 0) return 'no test';
  if (results.includes('failed')) return 'failed';
  return results.every((result) => result === 'passed') ? 'passed' : 'not run';
}

/** @returns {Result} */
function resultOf(/** @type {Proof} */ proof, /** @type {Ran} */ { tests, chaosTests }) {
  if ('chaos' in proof) {
    const run = chaosTests.find(({ name }) => name === proof.chaos);
    return run ? (run.isKept ? 'passed' : 'failed') : 'not run';
  }
  const statuses = tests
    .filter(({ file, title }) => file === proof.file && isTitle(proof.title, title))
    .map(({ status }) => status);
  if (statuses.includes('failed')) return 'failed';
  return statuses.length > 0 && statuses.every((status) => status === 'passed') ? 'passed' : 'not run';
}

function nameOf(/** @type {Proof} */ proof) {
  return 'chaos' in proof
    ? `npm run chaos -- ${proof.chaos} --short`
    : `${proof.file.replace('apps/e2e/src/', '')}: ${proof.title}`;
}

function isTitle(/** @type {string} */ written, /** @type {string} */ shown) {
  const pattern = written.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&').replaceAll(PLACEHOLDER, '.*');
  return new RegExp(`^${pattern}$`, 's').test(shown);
}

/** Counts the rules by result. @returns {Record<Result, number>} */
export function countResults(/** @type {Row[]} */ rows) {
  const counts = { passed: 0, failed: 0, 'not run': 0, 'not testable': 0, 'no test': 0 };
  for (const { result } of rows) counts[result] += 1;
  return counts;
}

/**
 * Returns the last line of the report and the exit code: 0 when every rule passed, 1 when a rule failed or the run was
 * aborted, 3 when a rule did not run.
 * @param {Row[]} rows
 * @param {{ isBroken: boolean, unnamed: number }} run unnamed: number of rules that the caller excluded
 */
export function verdictOf(rows, { isBroken, unnamed }) {
  const counts = countResults(rows);
  const missed = rows.filter(({ result }) => result === 'not run' || result === 'no test').map(({ number }) => number);
  const summary = Object.entries(counts)
    .filter(([, count]) => count > 0)
    .map(([result, count]) => `${count} ${result}`)
    .join(', ');
  const lines = [
    `${rows.length} rules: ${summary}${unnamed > 0 ? `; ${unnamed} other rules were not asked for` : ''}`,
    ...(isBroken ? ['FAILED: the tests broke off'] : []),
    ...(counts.failed > 0
      ? [`FAILED: ${rows.flatMap(({ number, result }) => (result === 'failed' ? number : [])).join(' ')}`]
      : []),
    ...(missed.length > 0 ? [`NOT RUN, ${missed.length} of ${rows.length} rules: ${missed.join(' ')}`] : []),
  ];
  return { text: lines.join('\n'), exitCode: isBroken || counts.failed > 0 ? 1 : missed.length > 0 ? 3 : 0 };
}

/** Formats the table for a terminal: rule, result, tests. */
export function tableText(/** @type {Row[]} */ rows) {
  const lines = rows.map(({ number, text, result, proofs }) =>
    [
      `${number.padEnd(8)} ${result.padEnd(14)} ${shortened(text)}`,
      ...proofs.map((proof) => `${' '.repeat(24)}${proof}`),
    ].join('\n'),
  );
  return [`${'rule'.padEnd(8)} ${'result'.padEnd(14)} text, and its tests`, ...lines].join('\n');
}

const WIDTH = 110;

function shortened(/** @type {string} */ text) {
  return text.length > WIDTH ? `${text.slice(0, WIDTH - 1)}…` : text;
}
