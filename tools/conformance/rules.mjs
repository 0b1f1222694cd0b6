// @ts-check
// Reads the rules of docs/spec.md and the tests that prove each of them.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from '../lib/home.mjs';
import { projectOf } from '../lib/jest-run.mjs';

/**
 * @typedef {{ file: string, title: string }} TestName a test by its file, relative to the root of the checkout, and its
 * title as in the source
 */
/** @typedef {{ chaos: string }} ChaosTestName a chaos test, whose short form proves a rule */
/** @typedef {TestName | ChaosTestName} Proof */
/**
 * @typedef {{ mapped: Record<string, Proof[]>, notTestable: Record<string, string> }} RulesTable notTestable: the
 * reason by rule
 */
/** @typedef {{ number: string, text: string }} Rule */

/** Directory of the tests whose titles start with the number of their rule. */
export const SPEC_TESTS = 'apps/e2e/src/spec';
/**
 * Suffix of test files that also use the simulator or the operator CLI, and so cannot run against an external
 * installation.
 */
export const OWN_INSTALLATION_ONLY = '.local.e2e.ts';

const RULE = /^- \*\*(\d+\.\d+\.\d+)\*\* (.+(?:\n {2}\S.*)*)/gm;
const NUMBERED = /^(\d+\.\d+\.\d+) /;
/** Matches the title after `it(`, `test(` or the table of an `it.each`. */
const TITLE = /(?:\b(?:it|test)\(|\)\()\s*(?:'((?:\\.|[^'\\])*)'|"((?:\\.|[^"\\])*)"|`((?:\\.|[^`\\])*)`)\s*,/g;

/** Returns the rules of a specification, in order. @returns {Rule[]} */
export function rulesOf(/** @type {string} */ markdown) {
  return [...markdown.matchAll(RULE)].map(([, number = '', text = '']) => ({
    number,
    text: text.replaceAll(/\s*\n\s*/g, ' '),
  }));
}

/** Returns the titles of the tests in a file, as in the source. @returns {string[]} */
export function titlesOf(/** @type {string} */ source) {
  return [...source.matchAll(TITLE)].map((match) =>
    (match[1] ?? match[2] ?? match[3] ?? '').replaceAll(/\\(.)/g, '$1'),
  );
}

/** Returns the rule number at the start of a title. */
export function numberOf(/** @type {string} */ title) {
  return NUMBERED.exec(title)?.[1];
}

/** @returns {RulesTable} */
export function readTable() {
  return JSON.parse(readFileSync(join(ROOT, SPEC_TESTS, 'rules.json'), 'utf8'));
}

export function readRules() {
  return rulesOf(readFileSync(join(ROOT, 'docs/spec.md'), 'utf8'));
}

/** Reads the tests whose titles start with a rule number. @returns {TestName[]} */
export function readSpecTests() {
  const files = readdirSync(join(ROOT, SPEC_TESTS))
    .filter((name) => name.endsWith('.e2e.ts'))
    .sort();
  return files.flatMap((name) =>
    titlesOf(readFileSync(join(ROOT, SPEC_TESTS, name), 'utf8')).map((title) => ({
      file: `${SPEC_TESTS}/${name}`,
      title,
    })),
  );
}

/** Returns all tests that prove each rule. @returns {Map<string, Proof[]>} */
export function proofsByRule(/** @type {TestName[]} */ specTests, /** @type {RulesTable} */ { mapped }) {
  /** @type {Map<string, Proof[]>} */
  const proofs = new Map();
  const add = (/** @type {string} */ number, /** @type {Proof[]} */ found) =>
    proofs.set(number, [...(proofs.get(number) ?? []), ...found]);
  for (const test of specTests) add(numberOf(test.title) ?? test.title, [test]);
  for (const [number, found] of Object.entries(mapped)) add(number, found);
  return proofs;
}

/**
 * Returns the problems of the table: a rule without a proof, an unknown rule number, a missing test or chaos test, or a
 * test that no project runs.
 * @param {Rule[]} rules
 * @param {TestName[]} specTests
 * @param {RulesTable} table
 * @param {{ sourceOf: (file: string) => string | undefined, chaosTests: string[] }} known sourceOf: returns a file's
 * text, or undefined when the file does not exist
 * @returns {string[]}
 */
export function tableProblems(rules, specTests, table, { sourceOf, chaosTests }) {
  const proofs = proofsByRule(specTests, table);
  const numbers = rules.map(({ number }) => number);
  const accounts = [...proofs.keys(), ...Object.keys(table.notTestable)];
  return [
    ...numbers
      .filter((number, index) => numbers.indexOf(number) !== index)
      .map((number) => `rule ${number} is in docs/spec.md twice`),
    ...numbers.filter((number) => !accounts.includes(number)).map((number) => `rule ${number} has no test`),
    ...accounts
      .filter((number, index) => accounts.indexOf(number) !== index)
      .map((number) => `rule ${number} has a test and a reason for having none`),
    ...accounts.filter((number) => !numbers.includes(number)).map((number) => `docs/spec.md has no rule ${number}`),
    ...Object.entries(table.mapped).flatMap(([number, named]) =>
      named.flatMap((proof) => proofProblems(number, proof, { sourceOf, chaosTests })),
    ),
    ...Object.entries(table.notTestable).flatMap(([number, reason]) =>
      reason ? [] : [`rule ${number} has neither a test nor a reason`],
    ),
  ];
}

/** @returns {string[]} */
function proofProblems(
  /** @type {string} */ number,
  /** @type {Proof} */ proof,
  /** @type {{ sourceOf: (file: string) => string | undefined, chaosTests: string[] }} */ { sourceOf, chaosTests },
) {
  if ('chaos' in proof)
    return chaosTests.includes(proof.chaos) ? [] : [`the chaos test of rule ${number} is gone: ${proof.chaos}`];
  if (projectOf(proof.file) === undefined) return [`no project runs the test of rule ${number}: ${proof.file}`];
  return titlesOf(sourceOf(proof.file) ?? '').includes(proof.title)
    ? []
    : [`the test of rule ${number} is not in ${proof.file}: ${proof.title}`];
}

/** Reads a file of the checkout. */
export function sourceOf(/** @type {string} */ file) {
  const path = join(ROOT, file);
  return existsSync(path) ? readFileSync(path, 'utf8') : undefined;
}
