// @ts-check
// Which rules docs/spec.md has, and which test proves each of them.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from '../lib/home.mjs';

/** @typedef {{ file: string, title: string }} TestName a test by its file, from the root of the checkout, and its title as it is written there */
/** @typedef {{ reason: string, file?: string }} NotObservable why no caller can see it, and the file of the inner test that proves it */
/** @typedef {{ mapped: Record<string, TestName[]>, notObservable: Record<string, NotObservable>, noTest: string[] }} RulesTable */
/** @typedef {{ number: string, text: string }} Rule */

/** Tests that stand here are named by the number of their rule. */
export const SPEC_TESTS = 'apps/e2e/src/spec';
/**
 * Tests of these files also steer the simulator, or the operator's commands: they cannot run at a foreign installation.
 */
export const OWN_INSTALLATION_ONLY = '.local.e2e.ts';

const RULE = /^- \*\*(\d+\.\d+\.\d+)\*\* (.+(?:\n {2}\S.*)*)/gm;
const NUMBERED = /^(\d+\.\d+\.\d+) /;
/** What follows `it(`, or the table of an `it.each`. */
const TITLE = /(?:\bit\(|\)\()\s*(?:'((?:\\.|[^'\\])*)'|"((?:\\.|[^"\\])*)"|`((?:\\.|[^`\\])*)`)\s*,/g;

/** The rules of a specification, in its order. @returns {Rule[]} */
export function rulesOf(/** @type {string} */ markdown) {
  return [...markdown.matchAll(RULE)].map(([, number = '', text = '']) => ({
    number,
    text: text.replaceAll(/\s*\n\s*/g, ' '),
  }));
}

/** The titles of the tests in a file, as they are written. @returns {string[]} */
export function titlesOf(/** @type {string} */ source) {
  return [...source.matchAll(TITLE)].map((match) =>
    (match[1] ?? match[2] ?? match[3] ?? '').replaceAll(/\\(.)/g, '$1'),
  );
}

/** The number of the rule that a title begins with. */
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

/** The tests that are named by a rule. @returns {TestName[]} */
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

/** All tests that prove a rule. @returns {Map<string, TestName[]>} */
export function testsByRule(/** @type {TestName[]} */ specTests, /** @type {RulesTable} */ { mapped }) {
  /** @type {Map<string, TestName[]>} */
  const tests = new Map();
  const add = (/** @type {string} */ number, /** @type {TestName[]} */ found) =>
    tests.set(number, [...(tests.get(number) ?? []), ...found]);
  for (const test of specTests) add(numberOf(test.title) ?? test.title, [test]);
  for (const [number, found] of Object.entries(mapped)) add(number, found);
  return tests;
}

/**
 * What is wrong with the table: a rule that nothing accounts for, or that two things do; a number that no rule has; a
 * test that is gone.
 * @param {Rule[]} rules
 * @param {TestName[]} specTests
 * @param {RulesTable} table
 * @param {(file: string) => string | undefined} sourceOf a file's text, undefined when it is not there
 * @returns {string[]}
 */
export function tableProblems(rules, specTests, table, sourceOf) {
  const tests = testsByRule(specTests, table);
  const numbers = rules.map(({ number }) => number);
  const accounts = [...tests.keys(), ...Object.keys(table.notObservable), ...table.noTest];
  return [
    ...numbers
      .filter((number, index) => numbers.indexOf(number) !== index)
      .map((number) => `rule ${number} stands twice in docs/spec.md`),
    ...numbers
      .filter((number) => !accounts.includes(number))
      .map((number) => `rule ${number} has no test, and the table does not say so`),
    ...accounts
      .filter((number, index) => accounts.indexOf(number) !== index)
      .map((number) => `rule ${number} is accounted for twice`),
    ...accounts.filter((number) => !numbers.includes(number)).map((number) => `docs/spec.md has no rule ${number}`),
    ...Object.entries(table.mapped).flatMap(([number, named]) =>
      named
        .filter(({ file, title }) => !titlesOf(sourceOf(file) ?? '').includes(title))
        .map(({ file, title }) => `the test of rule ${number} is not in ${file}: ${title}`),
    ),
    ...Object.entries(table.notObservable).flatMap(([number, { reason, file }]) => [
      ...(reason ? [] : [`rule ${number} cannot be observed, and the table does not say why`]),
      ...(file === undefined || sourceOf(file) !== undefined
        ? []
        : [`the file that proves rule ${number} is gone: ${file}`]),
    ]),
  ];
}

/** A file of the checkout. */
export function sourceOf(/** @type {string} */ file) {
  const path = join(ROOT, file);
  return existsSync(path) ? readFileSync(path, 'utf8') : undefined;
}
