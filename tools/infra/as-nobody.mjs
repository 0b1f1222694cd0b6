// @ts-check
import { chmodSync, chownSync, cpSync, existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { shortHash } from '../lib/home.mjs';
import { run } from '../lib/run.mjs';

/**
 * Describes how to run programs that refuse to run as root.
 * @typedef {object} Unprivileged
 * @property {string[]} prefix command prefix
 * @property {number} [owner] required owner (user and group) of the files
 * @property {(folder: string) => string} place maps a directory to one that such a program can use
 */

const NOBODY = 65_534;

/**
 * Returns how to run the PostgreSQL server, which refuses to run as root. A root user enters a user namespace as
 * `nobody`, in which files keep their owner, so that a checkout below /root works too. Where namespaces are forbidden
 * (containers), the server runs as `nobody` with its files in /var/tmp.
 * @returns {Promise<Unprivileged>}
 */
export async function unprivileged() {
  if (process.getuid?.() !== 0) return { prefix: [], place: (folder) => folder };
  const namespace = ['unshare', '--user', `--map-user=${NOBODY}`, `--map-group=${NOBODY}`];
  if (await works(namespace)) return { prefix: namespace, place: (folder) => folder };
  const change = ['setpriv', `--reuid=${NOBODY}`, `--regid=${NOBODY}`, '--clear-groups'];
  if (await works(change)) return { prefix: change, owner: NOBODY, place: outsideOf };
  throw new Error(
    'PostgreSQL does not run as root, and neither unshare nor setpriv works here: run as another user, or set SWITCHBOARD_DATABASE_URL',
  );
}

/** Creates a directory that `nobody` owns and can reach. */
export function prepareFolder(/** @type {string} */ folder, /** @type {Unprivileged} */ { owner }) {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  if (owner === undefined) return;
  chownSync(folder, owner, owner);
  chmodSync(folder, 0o700);
}

/** Returns a directory with the binaries that `nobody` can reach: the original or a copy. */
export async function reachableBinaries(/** @type {string} */ bin, /** @type {Unprivileged} */ { prefix, owner }) {
  const [command, ...args] = [...prefix, 'test', '-x', join(bin, 'postgres')];
  if (owner === undefined || (await run(String(command), args)).code === 0) return bin;
  const copy = outsideOf(bin);
  if (!existsSync(join(copy, 'bin/postgres')))
    cpSync(join(bin, '..'), copy, { recursive: true, verbatimSymlinks: true });
  return join(copy, 'bin');
}

/** Returns the directory in /var/tmp that replaces one `nobody` cannot reach. */
export function outsideOf(/** @type {string} */ folder) {
  const base = `/var/tmp/switchboard-${process.getuid?.()}`;
  mkdirSync(base, { recursive: true, mode: 0o711 });
  chmodSync(base, 0o711);
  return join(base, shortHash(folder));
}

async function works(/** @type {string[]} */ [command, ...args]) {
  return (await run(String(command), [...args, 'true'], { evenWhenInterrupted: true })).code === 0;
}
