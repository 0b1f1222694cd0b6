// @ts-check
import { createHash } from 'node:crypto';
import { mkdirSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The checkout. */
export const ROOT = resolve(dirname(fileURLToPath(import.meta.url)), '../..');

/**
 * Everything one installation keeps on this machine: data, logs, secrets. `SWITCHBOARD_HOME` sets another folder,
 * which makes a second installation beside the first one (the end-to-end tests do that). Every process that
 * an installation starts carries this path in its environment, so that it can be recognised later.
 */
export const HOME = resolve(process.env['SWITCHBOARD_HOME'] || join(ROOT, '.local'));

/** The default home, which also keeps what all installations of this checkout share (the unpacked RabbitMQ). */
export const SHARED_HOME = join(ROOT, '.local');

/** Eight hex digits that name a folder, e.g. for database and broker names that must not clash between checkouts. */
export function shortHash(/** @type {string} */ text) {
  return createHash('sha256').update(text).digest('hex').slice(0, 8);
}

/** The name of this installation among all on this machine. */
export const HOME_ID = shortHash(HOME);

/** A path inside {@link HOME}; its folder exists afterwards, for its owner alone. */
export function homePath(/** @type {string[]} */ ...parts) {
  const path = join(HOME, ...parts);
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  return path;
}

/** Held by the process that keeps the installation running. */
export const SUPERVISOR_LOCK = join(HOME, 'supervisor.lock');
