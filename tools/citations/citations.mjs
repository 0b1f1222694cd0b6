// @ts-check
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, posix, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

/** @typedef {{ sections: Set<string>, adrs: Set<string>, promises: Set<string> }} Sources what can be cited */
/** @typedef {{ file: string, text: string }} TextFile */
/** @typedef {{ isFile(name: string): boolean, isCommand(name: string): boolean }} Proofs what can prove a promise */

const root = resolve(dirname(fileURLToPath(import.meta.url)), '../..');
const PROMISES = '41';
const PROMISES_FILE = 'docs/adr/0041-guarantees-and-their-tests.md';
/** Texts of others, and those that show wrong citations on purpose. */
const PASSED_OVER = /^(?:LICENSE|package-lock\.json|tools\/citations\/.*|tools\/conformance\/rules\.spec\.mjs)$/;

/** Between two words of a citation: blanks, or the end of a line and what begins the next line of a comment. */
const GAP = String.raw`(?:[ \t]+|[ \t]*\n[ \t]*(?:\*|//|#|--|>)?[ \t]*)`;
const SECTION = String.raw`§\d+(?:\.\d+)*`;
const SPEC = new RegExp(String.raw`\bspec${GAP}(${listOf(SECTION)})`, 'g');
const ADR = new RegExp(String.raw`\bADR(?:${GAP}(\d+)|s${GAP}(${listOf(String.raw`\d+`)}))`, 'g');
const ADR_FILE = /\badr\/0*(\d+)/g;
const PROMISE = new RegExp(
  String.raw`\b(?:promise|guarantee)s?${GAP}(${listOf(String.raw`\d+`)})(${GAP}of${GAP}ADR${GAP}${PROMISES}\b)?`,
  'gi',
);
const OLD = new RegExp(
  String.raw`\b(?:decisions?${GAP}\d+|spec(?:ification)?${GAP}\d+(?:\.\d+)*|rules?${GAP}\d+\.\d+\.\d+|ADR-\d+` +
    String.raw`|(?:decisions|service-api|cloud-api|reliability)\.md)`,
  'gi',
);

/** A pattern for one or several of the same. */
function listOf(/** @type {string} */ item) {
  return `${item}(?:(?:,|,?${GAP}and)${GAP}${item})*`;
}

/** Every text of the repository that may cite. @returns {TextFile[]} */
export function citingFiles() {
  return trackedFiles()
    .filter((file) => !PASSED_OVER.test(file) && isFile(file))
    .map((file) => ({ file, text: readFileSync(join(root, file), 'utf8') }))
    .filter(({ text }) => !text.includes('\0'));
}

/** @returns {Sources} */
export function readSources() {
  const adrFiles = trackedFiles('docs/adr').filter(isFile).join('\n');
  return {
    sections: sectionsOf(readFileSync(join(root, 'docs/spec.md'), 'utf8')),
    adrs: new Set([...adrFiles.matchAll(/\/0*(\d+)-/g)].map(([, number = '']) => number)),
    promises: new Set(rowsOf(promiseTable()).map(({ number }) => number)),
  };
}

/** The files that git knows, and new ones that it does not ignore. @returns {string[]} */
function trackedFiles(/** @type {string[]} */ ...folders) {
  const listed = execFileSync('git', ['ls-files', '-co', '--exclude-standard', ...folders], {
    cwd: root,
    encoding: 'utf8',
  });
  return listed.trim().split('\n');
}

/** The page with the table of promises. */
export function promiseTable() {
  return readFileSync(join(root, PROMISES_FILE), 'utf8');
}

/** Whether a file of the repository exists. */
export const isFile = (/** @type {string} */ file) => existsSync(join(root, file));

/** Chapters, sections and rules of a specification. */
export function sectionsOf(/** @type {string} */ page) {
  return new Set(
    [...page.matchAll(/^(?:#+ (\d+(?:\.\d+)?)\.? |- \*\*(\d+\.\d+\.\d+)\*\* )/gm)].map(
      ([, section, rule]) => section ?? rule ?? '',
    ),
  );
}

/** The rows of a table of promises. */
function rowsOf(/** @type {string} */ table) {
  return [...table.matchAll(/^\| (\d+) \| (.*) \| (.*) \|$/gm)].map(([, number = '', promise = '', proof = '']) => ({
    number,
    promise,
    proof,
    named: [...proof.matchAll(/`([^`]*)`/g)].map(([, name = '']) => name),
  }));
}

/** The chaos tests that a table of promises names. */
export function commandsOf(/** @type {string} */ table) {
  return rowsOf(table).flatMap(({ named }) => named.flatMap((name) => commandOf(name) ?? []));
}

/** Returns the files and chaos tests that prove each promise of a table, without those that run nightly only. */
export function proofsByPromise(/** @type {string} */ table) {
  return rowsOf(table.replaceAll(/; nightly: .*(?= \|$)/gm, '')).map(({ number, named }) => ({
    number,
    proofs: named.map((name) => commandOf(name) ?? name),
  }));
}

const commandOf = (/** @type {string} */ name) => name.match(/^npm run chaos -- ([\w-]+)$/)?.[1];

/**
 * Every row of a table of promises that is out of its place, or whose proof is not there.
 * @param {string} table
 * @param {Proofs} proofs
 * @returns {string[]}
 */
export function tableProblems(table, { isFile: isThere, isCommand }) {
  return rowsOf(table).flatMap(({ number, proof, named }, index) => {
    const isProof = (/** @type {string} */ name) => {
      const command = commandOf(name);
      return command === undefined ? name.includes('/') && isThere(name) : isCommand(command);
    };
    return [
      ...(number === String(index + 1) ? [] : [`promise ${number} stands in row ${index + 1}`]),
      ...(named.length > 0 || proof.startsWith('no test') ? [] : [`promise ${number} names no proof`]),
      ...named.filter((name) => !isProof(name)).map((name) => `the proof of promise ${number} is not there: ${name}`),
    ];
  });
}

/**
 * Every citation that a reader cannot follow: a section, rule, ADR or promise that does not exist, and a page that is
 * not in the repository. A citation may go on in the next line.
 * @param {TextFile} file
 * @param {Sources} sources
 * @returns {string[]} with file and line
 */
export function badCitations({ file, text }, { sections, adrs, promises }) {
  const cited = [...text.matchAll(SPEC)];
  const found = [
    ...cited.flatMap(({ index, 1: list = '' }) =>
      missing(list, sections).map((section) => ({ index, problem: `docs/spec.md has no §${section}` })),
    ),
    ...[...text.matchAll(/§/g)]
      .filter(({ index }) => !cited.some((match) => index > match.index && index < match.index + match[0].length))
      .map(({ index }) => ({ index, problem: 'a § names no page: write spec §…' })),
    ...[...text.matchAll(ADR), ...text.matchAll(ADR_FILE)].flatMap(({ index, 1: one, 2: several }) =>
      missing(one ?? several ?? '', adrs).map((adr) => ({ index, problem: `there is no ADR ${adr}` })),
    ),
    ...[...text.matchAll(PROMISE)].flatMap(({ 0: words, index, 1: list = '', 2: source }) => [
      ...(source === undefined
        ? [{ index, problem: `"${inOneLine(words)}" names no page: write promise … of ADR ${PROMISES}` }]
        : []),
      ...missing(list, promises).map((promise) => ({ index, problem: `ADR ${PROMISES} has no promise ${promise}` })),
    ]),
    ...[...text.matchAll(OLD)].map(({ 0: words, index }) => ({
      index,
      problem: `"${inOneLine(words)}" cites no page of the repository: write spec §… or ADR …`,
    })),
  ];
  return found
    .toSorted((one, other) => one.index - other.index)
    .map(({ index, problem }) => `${file}:${text.slice(0, index).split('\n').length}: ${problem}`);
}

/**
 * Every link of a page to a file of the repository that is not there.
 * @param {TextFile} page in Markdown
 * @param {(name: string) => boolean} isThere whether the file or folder exists
 * @returns {string[]} with file and line
 */
export function deadLinks({ file, text }, isThere = isFile) {
  const links = [
    ...text.matchAll(/\]\((?![a-z]+:|#)([^)#\s]+)[^)]*\)/g),
    ...text.matchAll(/\bsrc(?:set)?="(?![a-z]+:)([^"]+)"/g),
  ];
  return links
    .filter(([, target = '']) => !isThere(posix.join(posix.dirname(file), target)))
    .map(({ index, 1: target }) => `${file}:${text.slice(0, index).split('\n').length}: there is no ${target}`);
}

/** Folders of the projects of the workspace. */
export function projectFolders() {
  return trackedFiles('apps', 'libs')
    .filter((file) => /^\w+\/[^/]+\/project\.json$/.test(file))
    .map((file) => posix.dirname(file));
}

/**
 * Compares the index of ADRs with the files.
 * @param {string} index Markdown with one row of a table per ADR
 * @param {TextFile[]} records
 * @returns {string[]} ADRs without a row, and rows whose status is not that of the file
 */
export function indexProblems(index, records) {
  return records.flatMap(({ file, text }) => {
    const name = posix.basename(file);
    const row = index.split('\n').find((line) => line.split(' | ')[1]?.endsWith(`](${name})`));
    if (row === undefined) return [`${name} is not in the index`];
    const successor = /^(?:\*\*Status\.\*\* )?(?:Replaced|Superseded) by (?:ADR )?(\d+)/m.exec(text)?.[1];
    const isListed =
      successor === undefined ? !/\| Superseded/.test(row) : row.includes(`| Superseded by [${successor}]`);
    return isListed ? [] : [`${name} has another status in the index`];
  });
}

/** Architecture decision records. @returns {TextFile[]} */
export function adrFiles() {
  return citingFiles().filter(({ file }) => /^docs\/adr\/\d{4}-/.test(file));
}

/** The numbers of a list that are not among those that exist. */
function missing(/** @type {string} */ list, /** @type {Set<string>} */ known) {
  return (list.match(/\d+(?:\.\d+)*/g) ?? []).filter((number) => !known.has(number));
}

/** What was found over the end of a line, as it reads. */
const inOneLine = (/** @type {string} */ words) => words.replaceAll(new RegExp(GAP, 'g'), ' ');
