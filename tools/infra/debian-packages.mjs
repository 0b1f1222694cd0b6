// @ts-check
// Unpacks the distribution's packages into a directory. Installs nothing, starts no service and needs no privileges.
import { mkdirSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { unlessGone } from '../lib/json-file.mjs';
import { makeFolder, tighten } from '../lib/private-files.mjs';
import { mustRun, run } from '../lib/run.mjs';

/** apt options that retry soon after a mirror stops responding, while a large package as a whole may take long. */
const PATIENCE = ['-o', 'Acquire::http::Timeout=20', '-o', 'Acquire::https::Timeout=20', '-o', 'Acquire::Retries=5'];
const LONGEST_DOWNLOAD_MS = 1_200_000;

/**
 * @typedef {object} Wanted
 * @property {string} title purpose of the packages, for the log
 * @property {string} size approximate download size
 * @property {(options: string[]) => Promise<string[] | undefined>} choose returns the package names for the given apt
 * options; undefined when the package lists are missing or incomplete
 * @property {string} [suite] Debian release other than the system's: `trixie`
 * @property {(root: string, place: string) => void} [finish] changes the unpacked files; `place` is their final
 * directory
 */

/** @returns {Promise<boolean>} true when apt-get and dpkg are available */
export async function hasPackages() {
  const [apt, dpkg] = await Promise.all([run('apt-get', ['--version']), run('dpkg', ['--version'])]);
  return apt.code === 0 && dpkg.code === 0;
}

/**
 * Returns a `choose` function of `Wanted` that selects the packages that apt would install.
 * @param {string[]} wanted the first one must be among the packages to install
 */
export function missingFor(wanted) {
  return async (/** @type {string[]} */ options) => {
    const args = [...options, 'install', '-s', '--no-install-recommends', ...wanted];
    const { code, output } = await run('apt-get', args, { env: { ...process.env, LC_ALL: 'C' } });
    if (code !== 0) return undefined;
    const names = [...output.matchAll(/^Inst (\S+)/gm)].map((match) => String(match[1]));
    return names.includes(String(wanted[0])) ? names : undefined;
  };
}

/** Returns every directory below the root that contains libraries, because some packages have their own. */
export function libraryFolders(/** @type {string} */ root) {
  const libraries = ['usr/lib', 'lib'].flatMap((part) =>
    (unlessGone(() => readdirSync(join(root, part))) ?? []).map((name) => join(root, part, name)),
  );
  const below = libraries.flatMap((folder) =>
    (unlessGone(() => readdirSync(folder, { withFileTypes: true })) ?? [])
      .filter((entry) => entry.isDirectory())
      .map(({ name }) => join(folder, name)),
  );
  return [...libraries, ...below].filter((folder) =>
    unlessGone(() => readdirSync(folder))?.some((name) => /\.so(\.|$)/.test(name)),
  );
}

/**
 * Unpacks packages into `<folder>/root`. Callers hold a lock. Partial results of an interrupted run are deleted first.
 * The root is renamed into place at the end, so an existing root is complete.
 * @param {string} folder
 * @param {Wanted} wanted
 * @param {(text: string) => void} log
 */
export async function unpackPackages(folder, { title, size, choose, suite, finish }, log) {
  const draft = `${folder}.part`;
  rmSync(draft, { recursive: true, force: true });
  const downloads = join(draft, 'downloads');
  makeFolder(downloads);
  try {
    log(`${title}: fetching packages (about ${size}; nothing is installed)`);
    await download(downloads, { state: join(draft, 'apt'), title, choose, suite, log });
    const packages = readdirSync(downloads).filter((name) => name.endsWith('.deb'));
    for (const name of packages) await mustRun('dpkg', ['-x', join(downloads, name), join(draft, 'root')]);
    finish?.(join(draft, 'root'), join(folder, 'root'));
    rmSync(folder, { recursive: true, force: true });
    makeFolder(folder);
    tighten(join(draft, 'root'));
    renameSync(join(draft, 'root'), join(folder, 'root'));
    log(`${title}: unpacked ${packages.length} packages into ${folder}`);
  } finally {
    rmSync(draft, { recursive: true, force: true });
  }
}

/**
 * Downloads packages with the system's package lists, or with private, updated lists when those are missing or
 * outdated.
 * @param {string} into
 * @param {{ state: string, title: string, choose: Wanted['choose'], suite: string | undefined, log: (text: string) =>
 * void }} options
 */
async function download(into, { state, title, choose, suite, log }) {
  if (suite === undefined && (await downloadWith([], into, choose))) return;
  log(`${title}: refreshing package lists`);
  for (const name of ['state/lists/partial', 'cache/archives/partial'])
    mkdirSync(join(state, name), { recursive: true });
  // For another release, assume that nothing is installed.
  const status = suite === undefined ? '/var/lib/dpkg/status' : join(state, 'status');
  const options = [
    ...(suite === undefined ? [] : sourceOf(suite, state)),
    `Dir::State=${state}/state`,
    `Dir::State::status=${status}`,
    `Dir::Cache=${state}/cache`,
    'Debug::NoLocking=1',
    'APT::Sandbox::User=',
  ].flatMap((option) => ['-o', option]);
  await mustRun('apt-get', [...options, ...PATIENCE, '-qq', 'update']);
  if (!(await downloadWith(options, into, choose)))
    throw new Error(`${title}: the package archive of this system does not offer it, or cannot be reached`);
}

/** Returns options that restrict apt to one Debian release. */
function sourceOf(/** @type {string} */ suite, /** @type {string} */ state) {
  const list = join(state, `${suite}.sources`);
  const keys = '/usr/share/keyrings/debian-archive-keyring.gpg';
  const lines = ['Types: deb', 'URIs: http://deb.debian.org/debian', `Suites: ${suite}`, 'Components: main'];
  writeFileSync(list, `${[...lines, `Signed-By: ${keys}`].join('\n')}\n`);
  writeFileSync(join(state, 'status'), '');
  return [`Dir::Etc::sourcelist=${list}`, 'Dir::Etc::sourceparts=/dev/null'];
}

async function downloadWith(
  /** @type {string[]} */ options,
  /** @type {string} */ into,
  /** @type {Wanted['choose']} */ choose,
) {
  const names = await choose(options);
  if (names === undefined) return false;
  const args = [...options, ...PATIENCE, '-qq', 'download', ...names];
  return (await run('apt-get', args, { cwd: into, timeoutMs: LONGEST_DOWNLOAD_MS })).code === 0;
}
