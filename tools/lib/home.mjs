// @ts-check
import { createHash } from 'node:crypto';
import { mkdirSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

/** Root of the checkout. */
export const ROOT = resolve(dirname(fileURLToPath(import.meta.url)), '../..');

/**
 * Directory of an installation's data, logs and secrets. `SWITCHBOARD_HOME` selects another directory and thus a
 * separate installation, as in the end-to-end tests. Every process of an installation has this path in its environment,
 * which identifies the process later.
 */
export const HOME = resolve(process.env['SWITCHBOARD_HOME'] || join(ROOT, '.local'));

/** Default home, which also holds the files that all installations of this checkout share (the unpacked RabbitMQ). */
export const SHARED_HOME = join(ROOT, '.local');

/**
 * Returns eight hex digits that identify a directory, for database and broker names that must be unique per checkout.
 */
export function shortHash(/** @type {string} */ text) {
  return createHash('sha256').update(text).digest('hex').slice(0, 8);
}

/** Identifies this installation on this machine. */
export const HOME_ID = shortHash(HOME);

/** Returns a path inside {@link HOME}. Creates its directory, accessible to the owner only. */
export function homePath(/** @type {string[]} */ ...parts) {
  const path = join(HOME, ...parts);
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  return path;
}

/** Lock held by the process that keeps the installation running. */
export const SUPERVISOR_LOCK = join(HOME, 'supervisor.lock');
