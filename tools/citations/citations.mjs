// @ts-check
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

/** @typedef {{ sections: Set<string>, adrs: Set<string>, promises: Set<string> }} Sources what can be cited */
/** @typedef {{ file: string, text: string }} TextFile */

const root = resolve(dirname(fileURLToPath(import.meta.url)), '../..');
const PROMISES = '41';
const READ = /\.(ts|mjs|md|yaml|sql)$|Dockerfile/;
/** Texts that are generated, that quote other pages, or that show wrong citations on purpose. */
const PASSED_OVER =
  /^(docs\/spec\.md|libs\/client\/src\/api\.ts|tools\/citations\/|tools\/conformance\/rules\.spec\.mjs)/;

/** Every tracked text of the repository that may cite. @returns {TextFile[]} */
export function citingFiles() {
  const files = execFileSync('git', ['ls-files'], { cwd: root, encoding: 'utf8' }).trim().split('\n');
  const texts = files.filter((file) => READ.test(file) && !PASSED_OVER.test(file) && existsSync(join(root, file)));
  return texts.map((file) => ({ file, text: readFileSync(join(root, file), 'utf8') }));
}

/** @returns {Sources} */
export function readSources() {
  const adrFiles = execFileSync('git', ['ls-files', '-co', '--exclude-standard', 'docs/adr'], {
    cwd: root,
    encoding: 'utf8',
  });
  return {
    sections: sectionsOf(readFileSync(join(root, 'docs/spec.md'), 'utf8')),
    adrs: new Set([...adrFiles.matchAll(/\/0*(\d+)-/g)].map(([, number = '']) => number)),
    promises: new Set([...promiseTable().matchAll(/^\| (\d+) \|/gm)].map(([, number = '']) => number)),
  };
}

/** The page with the table of promises. */
export function promiseTable() {
  return readFileSync(join(root, 'docs/adr/0041-promises-and-their-proofs.md'), 'utf8');
}

/** Chapters, sections and rules of a specification. */
export function sectionsOf(/** @type {string} */ page) {
  return new Set(
    [...page.matchAll(/^(?:#+ (\d+(?:\.\d+)?)\.? |- \*\*(\d+\.\d+\.\d+)\*\* )/gm)].map(
      ([, section, rule]) => section ?? rule ?? '',
    ),
  );
}

/** The files that a table of proofs names, and the fault commands. */
export function proofsOf(/** @type {string} */ table) {
  return {
    files: [...table.matchAll(/`((?:apps|libs|tools)\/[^`]+)`/g)].map(([, file = '']) => file),
    commands: [...table.matchAll(/`faults -- ([a-z]+)`/g)].map(([, command = '']) => command),
  };
}

/** Whether a file of the repository exists. */
export const isFile = (/** @type {string} */ file) => existsSync(join(root, file));

/**
 * Every citation that a reader cannot follow: a section, rule, ADR or promise that does not exist, and a page that is
 * not in the repository.
 * @param {TextFile} file
 * @param {Sources} sources
 * @returns {string[]} with file and line
 */
export function badCitations({ file, text }, { sections, adrs, promises }) {
  return text.split('\n').flatMap((line, index) => {
    const bad = [
      ...numbers(line, /spec ((?:§\d+(?:\.\d+)*(?:, | and )?)+)/g)
        .filter((section) => !sections.has(section))
        .map((section) => `docs/spec.md has no §${section}`),
      ...numbers(line, /\bADRs? ((?:\d+(?:, | and )?)+)/g)
        .filter((adr) => !adrs.has(adr))
        .map((adr) => `there is no ADR ${adr}`),
      ...promiseProblems(line, promises),
      ...[...line.matchAll(/\b(?:decisions? \d+|spec(?:ification)? \d+(?:\.\d+)*|rules? \d+\.\d+\.\d+)/gi)].map(
        ([words]) => `"${words}" cites no page of the repository: write spec §… or ADR …`,
      ),
    ];
    return bad.map((problem) => `${file}:${index + 1}: ${problem}`);
  });
}

/** @returns {string[]} */
function promiseProblems(/** @type {string} */ line, /** @type {Set<string>} */ promises) {
  return [...line.matchAll(/\bpromises? (\d+(?:(?:, | and )\d+)*)( of ADR 41)?/gi)].flatMap(
    ([words, list = '', source]) => {
      const unknown = (list.match(/\d+/g) ?? []).filter((number) => !promises.has(number));
      return [
        ...(source === undefined ? [`"${words}" names no page: write promise … of ADR ${PROMISES}`] : []),
        ...unknown.map((number) => `ADR ${PROMISES} has no promise ${number}`),
      ];
    },
  );
}

/** The numbers in what a pattern finds. @returns {string[]} */
function numbers(/** @type {string} */ line, /** @type {RegExp} */ pattern) {
  return [...line.matchAll(pattern)].flatMap(([, list = '']) => list.match(/\d+(?:\.\d+)*/g) ?? []);
}
