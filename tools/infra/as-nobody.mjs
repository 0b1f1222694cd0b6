// @ts-check
import { chmodSync, chownSync, cpSync, existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { shortHash } from '../lib/home.mjs';
import { run } from '../lib/run.mjs';

/**
 * How to run programs that refuse to run as root.
 * @typedef {object} Unprivileged
 * @property {string[]} prefix words before the command
 * @property {number} [owner] the user (and group) that files must belong to
 * @property {(folder: string) => string} place where a folder that such a program uses must lie
 */

const NOBODY = 65_534;

/**
 * The server refuses to run as root. As root we enter a user namespace in which we look like `nobody` while files stay
 * ours, so a checkout below /root works too; where that is forbidden (containers) we become `nobody` and keep the files
 * in /var/tmp.
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

/** A folder for `nobody`: made, owned by it, and reachable by it. */
export function prepareFolder(/** @type {string} */ folder, /** @type {Unprivileged} */ { owner }) {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  if (owner === undefined) return;
  chownSync(folder, owner, owner);
  chmodSync(folder, 0o700);
}

/** The binaries where `nobody` can reach them: as they are, or a copy. */
export async function reachableBinaries(/** @type {string} */ bin, /** @type {Unprivileged} */ { prefix, owner }) {
  const [command, ...args] = [...prefix, 'test', '-x', join(bin, 'postgres')];
  if (owner === undefined || (await run(String(command), args)).code === 0) return bin;
  const copy = outsideOf(bin);
  if (!existsSync(join(copy, 'bin/postgres')))
    cpSync(join(bin, '..'), copy, { recursive: true, verbatimSymlinks: true });
  return join(copy, 'bin');
}

/** The stand-in in /var/tmp for a folder that `nobody` cannot reach. */
export function outsideOf(/** @type {string} */ folder) {
  const base = `/var/tmp/switchboard-${process.getuid?.()}`;
  mkdirSync(base, { recursive: true, mode: 0o711 });
  chmodSync(base, 0o711);
  return join(base, shortHash(folder));
}

async function works(/** @type {string[]} */ [command, ...args]) {
  return (await run(String(command), [...args, 'true'], { evenWhenInterrupted: true })).code === 0;
}
