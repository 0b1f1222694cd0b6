// @ts-check
import { copyFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { makeFolder } from './private-files.mjs';
import { ROOT } from './home.mjs';
import { mustRun } from './run.mjs';

/** Processors that images are built for: the name in the image platform, and npm's name. */
export const PROCESSORS = /** @type {const} */ ({ amd64: 'x64', arm64: 'arm64' });

/**
 * Bundles an app into a directory and writes its image's package.json and package-lock.json, using the commands of
 * docker/Dockerfile.
 * @param {string} app
 * @param {string} folder
 */
export async function writePackageLists(app, folder) {
  rmSync(folder, { recursive: true, force: true });
  makeFolder(folder);
  await mustRun(process.execPath, [join(ROOT, 'tools/bundle.mjs'), `apps/${app}`, folder], { cwd: ROOT });
  for (const name of ['package-lock.json', '.npmrc']) copyFileSync(join(ROOT, name), join(folder, name));
  await mustRun('npm', ['install', '--package-lock-only', '--ignore-scripts', '--offline'], { cwd: folder });
}

/**
 * Returns true when npm installs a package of the lock file into an image.
 * @param {{ os?: string[], cpu?: string[], libc?: string[] }} entry
 * @param {string} cpu npm's name of the image's processor
 */
export function isInstalled({ os, cpu: cpus, libc }, cpu) {
  const allows = (/** @type {string[] | undefined} */ named, /** @type {string} */ own) =>
    !named || named.includes(own);
  return allows(os, 'linux') && allows(cpus, cpu) && allows(libc, 'glibc');
}
