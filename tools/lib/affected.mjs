// @ts-check
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from './home.mjs';
import { mustRun } from './run.mjs';

/** What the linters of `npm test` read. */
const LINTED = /\.(ts|tsx|mjs|js)$/;

/**
 * @typedef {object} Affected
 * @property {string} base the commit since which files count as changed, uncommitted work included
 * @property {string} baseName what that commit is, in words
 * @property {string[]} files that changed and are still there, as paths from the root
 */

/**
 * Finds what `npm test -- --affected` looks at.
 * @param {string} [since] a revision; when absent, where this branch left that of the remote, or else the last commit
 * @returns {Promise<Affected>}
 * @throws Error when Git does not know the revision
 */
export async function affectedSince(since) {
  const git = async (/** @type {string[]} */ ...args) =>
    (await mustRun('git', args, { cwd: ROOT, timeoutMs: 30_000 })).trim();
  const { base, baseName } = since
    ? { base: await git('rev-parse', '--verify', `${since}^{commit}`), baseName: since }
    : await git('merge-base', 'HEAD', 'origin/HEAD').then(
        (commit) => ({ base: commit, baseName: 'where this branch left origin/HEAD' }),
        async () => ({ base: await git('rev-parse', 'HEAD'), baseName: 'the last commit' }),
      );
  const listed = await Promise.all([
    git('diff', '--name-only', base),
    git('ls-files', '--others', '--exclude-standard'),
  ]);
  const names = new Set(listed.flatMap((list) => list.split('\n')).filter((name) => name !== ''));
  return { base, baseName, files: [...names].filter((name) => existsSync(join(ROOT, name))).sort() };
}

/** @returns those of the files that linters read */
export const lintedOf = (/** @type {string[]} */ files) => files.filter((name) => LINTED.test(name));
