// @ts-check
// promtool for the tests of alert rules, without root: the one that is installed, else the distribution's package,
// unpacked once.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { SHARED_HOME } from '../lib/home.mjs';
import { withLock } from '../lib/lock.mjs';
import { run } from '../lib/run.mjs';
import { hasPackages, unpackPackages } from './debian-packages.mjs';

const INSTALLED = ['/usr/bin/promtool', '/usr/local/bin/promtool', '/opt/homebrew/bin/promtool'];
const FOLDER = join(SHARED_HOME, 'prometheus');
const PROGRAM = join(FOLDER, 'root/usr/bin/promtool');
const UNPACK_TIMEOUT_MS = 120_000;

/** @type {import('./debian-packages.mjs').Wanted} */
const PACKAGES = { title: 'Prometheus', size: '35 MB', choose: prometheusAlone };

/**
 * @param {{ log: (text: string) => void }} options
 * @returns {Promise<string>} the program's path
 * @throws Error when this system has neither promtool nor packages of it
 */
export async function ensurePromtool({ log }) {
  const found = INSTALLED.find((path) => existsSync(path));
  if (found !== undefined) return found;
  await withLock(`${FOLDER}.lock`, { timeoutMs: UNPACK_TIMEOUT_MS }, async () => {
    if (!existsSync(PROGRAM) && (await hasPackages())) await unpackPackages(FOLDER, PACKAGES, log);
  });
  if (!existsSync(PROGRAM)) throw new Error('no promtool: install Prometheus, or run this where apt-get is');
  return PROGRAM;
}

/**
 * What the package depends on is the server's: promtool needs the C library alone.
 * @returns {Promise<string[] | undefined>}
 */
async function prometheusAlone(/** @type {string[]} */ options) {
  const { output } = await run('apt-cache', [...options, 'show', '--no-all-versions', 'prometheus']);
  return /^Package: prometheus$/m.test(output) ? ['prometheus'] : undefined;
}
