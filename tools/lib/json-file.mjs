// @ts-check
import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';

/**
 * Reads a JSON file. Gives undefined when it is not there or was cut short (a machine can lose power while writing).
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

/**
 * Writes a JSON file so that a reader sees the old content or the new one, never a part. Readable by its owner only.
 */
export function writeJson(/** @type {string} */ path, /** @type {unknown} */ value) {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  const draft = `${path}.${process.pid}`;
  writeFileSync(draft, `${JSON.stringify(value, null, 2)}\n`, { mode: 0o600 });
  renameSync(draft, path);
}

/** The system's code of an error (`ENOENT`); empty when it has none. */
export function codeOf(/** @type {unknown} */ error) {
  return typeof error === 'object' && error !== null && 'code' in error ? String(error.code) : '';
}

function isMissing(/** @type {unknown} */ error) {
  return ['ENOENT', 'ENOTDIR'].includes(codeOf(error));
}

/**
 * Runs `read`; undefined when the file or process it looks at is gone or belongs to someone else.
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
