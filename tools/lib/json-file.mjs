// @ts-check
import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';

/**
 * Reads a JSON file. Returns undefined when the file is missing or truncated, for example after a power failure.
 * @returns {any}
 */
export function readJson(/** @type {string} */ path) {
  try {
    return JSON.parse(readFileSync(path, 'utf8'));
  } catch (error) {
    if (error instanceof SyntaxError || isMissing(error)) return undefined;
    throw error;
  }
}

/** Writes a JSON file atomically, readable by its owner only. */
export function writeJson(/** @type {string} */ path, /** @type {unknown} */ value) {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  const draft = `${path}.${process.pid}`;
  writeFileSync(draft, `${JSON.stringify(value, null, 2)}\n`, { mode: 0o600 });
  renameSync(draft, path);
}

/** Returns the system code of an error (`ENOENT`), or an empty string. */
export function codeOf(/** @type {unknown} */ error) {
  return typeof error === 'object' && error !== null && 'code' in error ? String(error.code) : '';
}

function isMissing(/** @type {unknown} */ error) {
  return ['ENOENT', 'ENOTDIR'].includes(codeOf(error));
}

/**
 * Runs `read`. Returns undefined when its file or process no longer exists or belongs to another user.
 * @template T
 * @param {() => T} read
 * @returns {T | undefined}
 */
export function unlessGone(read) {
  try {
    return read();
  } catch (error) {
    if (['ENOENT', 'ENOTDIR', 'ESRCH', 'EACCES', 'EPERM', 'EINVAL'].includes(codeOf(error))) return undefined;
    throw error;
  }
}
