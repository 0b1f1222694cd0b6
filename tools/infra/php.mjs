// @ts-check
// Finds PHP without root, for the test of the receiver in the API guide: an installed one, otherwise one from the
// distribution's packages, unpacked once.
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { SHARED_HOME } from '../lib/home.mjs';
import { unlessGone } from '../lib/json-file.mjs';
import { withLock } from '../lib/lock.mjs';
import { hasPackages, libraryFolders, missingFor, unpackPackages } from './debian-packages.mjs';

const INSTALLED = ['/usr/bin/php', '/usr/local/bin/php', '/opt/homebrew/bin/php'];
const FOLDER = join(SHARED_HOME, 'php');
const BINARIES = join(FOLDER, 'root/usr/bin');
const UNPACK_TIMEOUT_MS = 120_000;

/** Returns the file name of the unpacked program, which contains the version. */
const unpacked = () => unlessGone(() => readdirSync(BINARIES))?.find((name) => /^php\d+\.\d+$/.test(name));

/**
 * @param {{ log: (text: string) => void }} options
 * @returns {Promise<{ executablePath: string, env: Record<string, string> } | undefined>} undefined when this system
 * has neither PHP nor a package of it
 */
export async function findPhp({ log }) {
  const found = INSTALLED.find((path) => existsSync(path));
  if (found !== undefined) return { executablePath: found, env: {} };
  await withLock(`${FOLDER}.lock`, { timeoutMs: UNPACK_TIMEOUT_MS }, async () => {
    if (unpacked() !== undefined || !(await hasPackages())) return;
    await unpackPackages(FOLDER, { title: 'PHP', size: '5 MB', choose: missingFor(['php-cli']) }, log).catch(
      (/** @type {Error} */ error) => log(error.message),
    );
  });
  const name = unpacked();
  if (name === undefined) return undefined;
  return {
    executablePath: join(BINARIES, name),
    env: { LD_LIBRARY_PATH: libraryFolders(join(FOLDER, 'root')).join(':') },
  };
}
