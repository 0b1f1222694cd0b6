// @ts-check
import { existsSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { homePath, ROOT } from '../lib/home.mjs';
import { withLock } from '../lib/lock.mjs';
import { ensurePackages } from '../lib/packages.mjs';
import { makeFolder } from '../lib/private-files.mjs';
import { log } from '../lib/progress.mjs';
import { mustRun, run } from '../lib/run.mjs';
import { programFile, SERVICES } from '../lib/services.mjs';

/** Timeout for an installation and a build, which take minutes on a busy machine. */
const BUILD_TIMEOUT_MS = 1_800_000;
const SHORT_COMMIT = 12;
const MIGRATION_LISTS = ':(glob)apps/*/src/migrations/index.ts';
const BUILD = "const { buildAll } = await import('./tools/lib/build.mjs'); await buildAll();";

/**
 * Returns the commit of each service's other version.
 * @param {string} revision one revision for all services. When empty, the last release tag of each service before this
 * commit. A service without a release uses the parent of the last commit with a migration, which is the newest version
 * with a different schema
 * @param {string} [repository] repository directory
 * @returns {Promise<Record<string, string>>} commits by service
 * @throws Error that states which option to pass, when there is no matching commit
 */
export async function otherCommits(revision, repository = ROOT) {
  const named = revision === '' ? undefined : await commitOf(revision, repository);
  const choose = async (/** @type {string} */ service) =>
    named ?? (await lastRelease(service, repository)) ?? (await olderSchema(repository));
  return Object.fromEntries(await Promise.all(SERVICES.map(async (service) => [service, await choose(service)])));
}

/**
 * Checks a commit out and builds every program with that commit's own build. Later runs reuse the checkout.
 * @returns {Promise<string>} directory of the checkout
 */
export async function builtCheckout(/** @type {string} */ commit) {
  const folder = homePath('versions', commit.slice(0, SHORT_COMMIT));
  const mark = `${folder}.built`;
  return withLock(`${folder}.lock`, { timeoutMs: BUILD_TIMEOUT_MS }, async () => {
    if (existsSync(mark)) return folder;
    rmSync(folder, { recursive: true, force: true });
    // Clone instead of adding a worktree, so that deleting the directory leaves nothing in this repository.
    await mustRun('git', ['clone', '--quiet', '--shared', '--no-checkout', ROOT, folder]);
    await mustRun('git', ['-C', folder, 'checkout', '--quiet', '--detach', commit]);
    if (lockFileOf(folder) === lockFileOf(ROOT)) symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'));
    makeFolder(join(folder, '.local'));
    await ensurePackages({ root: folder, log });
    log(`build of ${commit.slice(0, SHORT_COMMIT)}`);
    const build = ['--input-type=module', '--eval', BUILD];
    await mustRun(process.execPath, build, { cwd: folder, timeoutMs: BUILD_TIMEOUT_MS });
    writeFileSync(mark, '');
    return folder;
  });
}

/** Returns the services whose programs differ between this checkout and others. @returns {string[]} */
export function differing(/** @type {Record<string, string>} */ checkouts) {
  const programOf = (/** @type {string} */ service, root = ROOT) => readFileSync(programFile(service, 'main', root));
  return SERVICES.filter((service) => !programOf(service).equals(programOf(service, checkouts[service])));
}

async function lastRelease(/** @type {string} */ service, /** @type {string} */ repository) {
  const args = ['describe', '--tags', '--abbrev=0', '--match', `${service}@*`, 'HEAD^'];
  const { code, output } = await run('git', args, { cwd: repository });
  return code === 0 ? commitOf(output.trim(), repository) : undefined;
}

async function olderSchema(/** @type {string} */ repository) {
  const args = ['log', '-1', '--first-parent', '--format=%H', '--', MIGRATION_LISTS];
  return commitOf(`${(await mustRun('git', args, { cwd: repository })).trim()}^`, repository);
}

async function commitOf(/** @type {string} */ revision, /** @type {string} */ repository) {
  const args = ['rev-parse', '--verify', '--quiet', '--end-of-options', `${revision}^{commit}`];
  const { code, output } = await run('git', args, { cwd: repository });
  if (code !== 0) throw new Error(`there is no revision ${revision}: name the other version, --revision <revision>`);
  return output.trim();
}

function lockFileOf(/** @type {string} */ root) {
  return readFileSync(join(root, 'package-lock.json'), 'utf8');
}
