// @ts-check
// Finds programs for the tests of alert rules (promtool, Prometheus, an exporter) without root: installed ones,
// otherwise those from the distribution's packages, unpacked once.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { SHARED_HOME } from '../lib/home.mjs';
import { withLock } from '../lib/lock.mjs';
import { run } from '../lib/run.mjs';
import { hasPackages, unpackPackages } from './debian-packages.mjs';

const INSTALLED_IN = ['/usr/bin', '/usr/local/bin', '/opt/homebrew/bin'];
const UNPACK_TIMEOUT_MS = 120_000;

/**
 * @param {{ log: (text: string) => void }} options
 * @returns {Promise<string>} path of the program
 * @throws Error when this system has neither promtool nor a package of it
 */
export function ensurePromtool(options) {
  return ensureProgram('prometheus', { ...options, program: 'promtool', size: '35 MB' });
}

/**
 * Finds a program of a package. The program must need only the C library, because the package's dependencies are not
 * unpacked.
 * @param {string} name name of the package
 * @param {{ log: (text: string) => void, program: string, size: string }} options
 * @returns {Promise<string>} path of the installed or unpacked program
 * @throws Error when this system has neither
 */
export async function ensureProgram(name, { log, program, size }) {
  const found = INSTALLED_IN.map((folder) => join(folder, program)).find((path) => existsSync(path));
  if (found !== undefined) return found;
  const folder = join(SHARED_HOME, name);
  const unpacked = join(folder, 'root/usr/bin', program);
  await withLock(`${folder}.lock`, { timeoutMs: UNPACK_TIMEOUT_MS }, async () => {
    if (!existsSync(unpacked) && (await hasPackages()))
      await unpackPackages(folder, { title: name, size, choose: alone(name) }, log);
  });
  if (!existsSync(unpacked)) throw new Error(`no ${program}: install it, or run this where apt-get is`);
  return unpacked;
}

/** Selects the package without its dependencies, if the package is available. */
function alone(/** @type {string} */ name) {
  return async (/** @type {string[]} */ options) => {
    const { output } = await run('apt-cache', [...options, 'show', '--no-all-versions', name]);
    return output.split('\n').includes(`Package: ${name}`) ? [name] : undefined;
  };
}
