// @ts-check
import { linkSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { codeOf, readJson, unlessGone } from './json-file.mjs';
import { isRunning, refOf } from './processes.mjs';
import { eventually } from './wait.mjs';

/**
 * Tries to acquire a lock file without waiting. A lock whose owner was killed counts as free.
 * @returns {(() => void) | undefined} releases the lock; undefined when a running process holds it
 */
export function tryLock(/** @type {string} */ path) {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  const draft = `${path}.${process.pid}`;
  writeFileSync(draft, JSON.stringify(refOf(process.pid)), { mode: 0o600 });
  try {
    if (!isRunning(readJson(path))) discardStale(path);
    linkSync(draft, path); // fails when another process was faster: link publishes the complete file atomically
    return () => rmSync(path, { force: true });
  } catch (error) {
    if (codeOf(error) === 'EEXIST') return undefined;
    throw error;
  } finally {
    rmSync(draft, { force: true });
  }
}

/**
 * Removes the lock of a dead owner. Renames the file first, because another process may have replaced it with a valid
 * lock since the check.
 */
function discardStale(/** @type {string} */ path) {
  const moved = `${path}.stale.${process.pid}`;
  unlessGone(() => renameSync(path, moved));
  if (isRunning(readJson(moved))) unlessGone(() => linkSync(moved, path));
  rmSync(moved, { force: true });
}

/** Returns the process id of a lock's owner if that process is running. */
export function lockOwner(/** @type {string} */ path) {
  const owner = readJson(path);
  return isRunning(owner) ? owner.pid : undefined;
}

/**
 * Waits for another owner to release a lock, and runs `work` while holding it.
 * @template T
 * @param {string} path
 * @param {{ timeoutMs: number }} options
 * @param {() => Promise<T>} work
 */
export async function withLock(path, { timeoutMs }, work) {
  const release = await eventually(`waiting for process ${lockOwner(path)} to release ${path}`, () => tryLock(path), {
    timeoutMs,
  });
  try {
    return await work();
  } finally {
    release();
  }
}
