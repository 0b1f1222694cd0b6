// @ts-check
import { closeSync, openSync, readSync, renameSync, statSync } from 'node:fs';
import { homePath } from './home.mjs';
import { unlessGone } from './json-file.mjs';

const ROTATE_ABOVE_BYTES = 10 * 1024 * 1024;

export function logFileOf(/** @type {string} */ name) {
  return homePath('logs', `${name}.log`);
}

/**
 * Opens a log for appending. The caller closes it. A log that is too large is first rotated to `<name>.log.1`,
 * replacing the previous one.
 */
export function openLog(/** @type {string} */ name) {
  const path = logFileOf(name);
  if (sizeOf(path) > ROTATE_ABOVE_BYTES) renameSync(path, `${path}.1`);
  return openSync(path, 'a', 0o600);
}

/** Returns the end of a file as text, starting at a line boundary. */
export function tailOf(/** @type {string} */ path, maxBytes = 64 * 1024) {
  const size = sizeOf(path);
  const from = Math.max(0, size - maxBytes);
  const text = readFrom(path, from, size - from);
  return from === 0 ? text : text.slice(text.indexOf('\n') + 1);
}

/** Returns a section of a file as text, or an empty string when the file does not exist. */
export function readFrom(/** @type {string} */ path, /** @type {number} */ from, /** @type {number} */ length) {
  const file = unlessGone(() => openSync(path, 'r'));
  if (file === undefined) return '';
  const buffer = Buffer.alloc(length);
  const count = readSync(file, buffer, 0, length, from);
  closeSync(file);
  return buffer.toString('utf8', 0, count);
}

export function sizeOf(/** @type {string} */ path) {
  return unlessGone(() => statSync(path).size) ?? 0;
}
