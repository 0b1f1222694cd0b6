// @ts-check
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, posix, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

/** @typedef {{ sections: Set<string>, adrs: Set<string>, guarantees: Set<string> }} Sources targets of citations */
/** @typedef {{ file: string, text: string }} TextFile */
/**
 * @typedef {{ isFile(name: string): boolean, isCommand(name: string): boolean }} Proofs checks of the proofs of a
 * guarantee
 */

const root = resolve(dirname(fileURLToPath(import.meta.url)), '../..');
const GUARANTEES = '41';
const GUARANTEES_FILE = 'docs/adr/0041-guarantees-and-their-tests.md';
/** Files to skip: third-party texts, and texts with deliberately wrong citations. */
const PASSED_OVER = /^(?:LICENSE|package-lock\.json|tools\/citations\/.*|tools\/conformance\/rules\.spec\.mjs)$/;

/** Gap between two words of a citation: spaces, or a line break with the comment prefix of the next line. */
const GAP = String.raw`(?:[ \t]+|[ \t]*\n[ \t]*(?:\*|//|#|--|>)?[ \t]*)`;
const SECTION = String.raw`§\d+(?:\.\d+)*`;
const SPEC = new RegExp(String.raw`\bspec${GAP}(${listOf(SECTION)})`, 'g');
const ADR = new RegExp(String.raw`\bADR(?:${GAP}(\d+)|s${GAP}(${listOf(String.raw`\d+`)}))`, 'g');
const ADR_FILE = /\badr\/0*(\d+)/g;
const GUARANTEE = new RegExp(
  String.raw`\bguarantees?${GAP}(${listOf(String.raw`\d+`)})(${GAP}of${GAP}ADR${GAP}${GUARANTEES}\b)?`,
  'gi',
);
const OLD = new RegExp(
  String.raw`\b(?:decisions?${GAP}\d+|spec(?:ification)?${GAP}\d+(?:\.\d+)*|rules?${GAP}\d+\.\d+\.\d+|ADR-\d+` +
    String.raw`|(?:decisions|service-api|cloud-api|reliability)\.md)`,
  'gi',
);

/** Returns a pattern for a list of one or several items. */
function listOf(/** @type {string} */ item) {
  return `${item}(?:(?:,|,?${GAP}and)${GAP}${item})*`;
}

/** Returns every text of the repository that may contain citations. @returns {TextFile[]} */
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
    guarantees: new Set(rowsOf(guaranteeTable()).map(({ number }) => number)),
  };
}

/** Lists the files tracked by Git, and untracked ones that are not ignored. @returns {string[]} */
function trackedFiles(/** @type {string[]} */ ...folders) {
  const listed = execFileSync('git', ['ls-files', '-co', '--exclude-standard', ...folders], {
    cwd: root,
    encoding: 'utf8',
  });
  return listed.trim().split('\n');
}

/** Reads the page with the table of guarantees. */
export function guaranteeTable() {
  return readFileSync(join(root, GUARANTEES_FILE), 'utf8');
}

export const isFile = (/** @type {string} */ file) => existsSync(join(root, file));

/** Returns the chapters, sections and rules of a specification. */
export function sectionsOf(/** @type {string} */ page) {
  return new Set(
    [...page.matchAll(/^(?:#+ (\d+(?:\.\d+)?)\.? |- \*\*(\d+\.\d+\.\d+)\*\* )/gm)].map(
      ([, section, rule]) => section ?? rule ?? '',
    ),
  );
}

/** Parses the rows of a table of guarantees. */
function rowsOf(/** @type {string} */ table) {
  return [...table.matchAll(/^\| (\d+) \| (.*) \| (.*) \|$/gm)].map(([, number = '', guarantee = '', proof = '']) => ({
    number,
    guarantee,
    proof,
    named: [...proof.matchAll(/`([^`]*)`/g)].map(([, name = '']) => name),
  }));
}

/** Returns the chaos tests in a table of guarantees. */
export function commandsOf(/** @type {string} */ table) {
  return rowsOf(table).flatMap(({ named }) => named.flatMap((name) => commandOf(name) ?? []));
}

/** Returns the files and chaos tests that prove each guarantee of a table, excluding the nightly ones. */
export function proofsByGuarantee(/** @type {string} */ table) {
  return rowsOf(table.replaceAll(/; nightly: .*(?= \|$)/gm, '')).map(({ number, named }) => ({
    number,
    proofs: named.map((name) => commandOf(name) ?? name),
  }));
}

const commandOf = (/** @type {string} */ name) => name.match(/^npm run chaos -- ([\w-]+)$/)?.[1];

/**
 * Returns the rows of a table of guarantees that are out of order, or whose proof does not exist.
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
      ...(number === String(index + 1) ? [] : [`guarantee ${number} is in row ${index + 1}`]),
      ...(named.length > 0 || proof.startsWith('no test') ? [] : [`guarantee ${number} names no proof`]),
      ...named.filter((name) => !isProof(name)).map((name) => `the proof of guarantee ${number} is not there: ${name}`),
    ];
  });
}

/**
 * Returns the citations of sections, rules, ADRs or guarantees that do not exist, and those of pages outside the
 * repository. A citation may span two lines.
 * @param {TextFile} file
 * @param {Sources} sources
 * @returns {string[]} citations with file and line
 */
export function badCitations({ file, text }, { sections, adrs, guarantees }) {
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
    ...[...text.matchAll(GUARANTEE)].flatMap(({ 0: words, index, 1: list = '', 2: source }) => [
      ...(source === undefined
        ? [{ index, problem: `"${inOneLine(words)}" names no page: write guarantee … of ADR ${GUARANTEES}` }]
        : []),
      ...missing(list, guarantees).map((guarantee) => ({
        index,
        problem: `ADR ${GUARANTEES} has no guarantee ${guarantee}`,
      })),
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
 * Returns a page's links to files of the repository that do not exist.
 * @param {TextFile} page Markdown page
 * @param {(name: string) => boolean} isThere returns true when the file or directory exists
 * @returns {string[]} links with file and line
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

/** Returns the directories of the workspace's projects. */
export function projectFolders() {
  return trackedFiles('apps', 'libs')
    .filter((file) => /^\w+\/[^/]+\/project\.json$/.test(file))
    .map((file) => posix.dirname(file));
}

/**
 * Compares the index of ADRs with the ADR files.
 * @param {string} index Markdown with one table row per ADR
 * @param {TextFile[]} records
 * @returns {string[]} ADRs without a row, and rows whose status differs from the file
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

/** Reads the architecture decision records. @returns {TextFile[]} */
export function adrFiles() {
  return citingFiles().filter(({ file }) => /^docs\/adr\/\d{4}-/.test(file));
}

/** Returns the numbers of a list that do not exist. */
function missing(/** @type {string} */ list, /** @type {Set<string>} */ known) {
  return (list.match(/\d+(?:\.\d+)*/g) ?? []).filter((number) => !known.has(number));
}

/** Joins a citation that spans two lines. */
const inOneLine = (/** @type {string} */ words) => words.replaceAll(new RegExp(GAP, 'g'), ' ');
