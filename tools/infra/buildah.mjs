// @ts-check
// Builds images without a container engine, using buildah and debootstrap from the distribution's packages.
import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { SHARED_HOME } from '../lib/home.mjs';
import { withLock } from '../lib/lock.mjs';
import { makeFolder } from '../lib/private-files.mjs';
import { mustRun } from '../lib/run.mjs';
import { hasPackages, libraryFolders, missingFor, unpackPackages } from './debian-packages.mjs';

const FOLDER = join(SHARED_HOME, 'buildah');
const PROGRAMS = join(FOLDER, 'root');
const UNPACK_TIMEOUT_MS = 300_000;
const BUILD_TIMEOUT_MS = 1_800_000;

/**
 * @typedef {object} ImageTools
 * @property {(...args: string[]) => Promise<string>} buildah runs a command and returns its trimmed output
 * @property {(suite: string, folder: string) => Promise<void>} debootstrap installs a minimal Debian into a folder
 */

/**
 * Unpacks the tools on first use.
 * @param {{ store: string, log: (text: string) => void }} options `store`: directory for images and the build cache
 * @returns {Promise<ImageTools>}
 * @throws Error when not root, or when the system is not Debian
 */
export async function ensureImageTools({ store, log }) {
  if (process.getuid?.() !== 0 || !(await hasPackages()))
    throw new Error('images are built here as root, on Debian; elsewhere use docker build (docker/README.md)');
  await withLock(`${FOLDER}.lock`, { timeoutMs: UNPACK_TIMEOUT_MS }, async () => {
    if (!existsSync(PROGRAMS)) await unpackPackages(FOLDER, WANTED, log);
  });
  makeFolder(join(store, 'tmp'));
  const registries = join(PROGRAMS, 'etc/containers/registries.conf');
  const env = {
    ...process.env,
    PATH:
      ['usr/bin', 'usr/sbin'].map((folder) => join(PROGRAMS, folder)).join(delimiter) + delimiter + process.env.PATH,
    DEBOOTSTRAP_DIR: join(PROGRAMS, 'usr/share/debootstrap'),
    CONTAINERS_CONF: join(PROGRAMS, 'usr/share/containers/containers.conf'),
    TMPDIR: join(store, 'tmp'),
  };
  const global = ['--root', join(store, 'storage'), '--runroot', join(store, 'run'), '--registries-conf', registries];
  const policy = ['--signature-policy', join(PROGRAMS, 'etc/containers/policy.json')];
  const run = async (/** @type {string} */ command, /** @type {string[]} */ args) =>
    (await mustRun('nice', ['-n', '10', command, ...args], { env, timeoutMs: BUILD_TIMEOUT_MS })).trim();
  return {
    buildah: (command = '', ...args) =>
      run('buildah', [...global, command, ...(['build', 'commit'].includes(command) ? policy : []), ...args]),
    debootstrap: async (suite, folder) => {
      const options = ['--variant=minbase', '--include=ca-certificates', suite, folder];
      await run('debootstrap', [...options, 'http://deb.debian.org/debian']);
    },
  };
}

/** @type {import('./debian-packages.mjs').Wanted} */
const WANTED = {
  title: 'buildah',
  size: '15 MB',
  choose: async (options) => {
    const missing = await missingFor(['buildah'])(options);
    return [...new Set([...(missing ?? ['buildah']), 'debootstrap', 'patchelf'])];
  },
  // buildah re-executes itself without LD_LIBRARY_PATH, so its binary must contain the library path.
  finish: (root, place) => {
    const folders = libraryFolders(root).map((folder) => place + folder.slice(root.length));
    const args = ['--force-rpath', '--set-rpath', folders.join(':'), join(root, 'usr/bin/buildah')];
    execFileSync(join(root, 'usr/bin/patchelf'), args);
  },
};
