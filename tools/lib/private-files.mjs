// @ts-check
import { chmodSync, lstatSync, mkdirSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { unlessGone } from './json-file.mjs';

const OTHERS = 0o077;

/**
 * Runs `work` so that files created by it and by its child processes are accessible to their owner only.
 * @template T
 * @param {() => T} work must be synchronous, because the process has a single umask
 * @returns {T}
 */
export function privately(work) {
  const before = process.umask(OTHERS);
  try {
    return work();
  } finally {
    process.umask(before);
  }
}

/** Creates a directory and its missing parents, accessible to the owner only. */
export function makeFolder(/** @type {string} */ folder) {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
}

/** Removes the permissions of group and others recursively. Does not follow links. */
export function tighten(/** @type {string} */ folder) {
  const mode = unlessGone(() => lstatSync(folder));
  if (!mode || mode.isSymbolicLink()) return;
  if ((mode.mode & OTHERS) !== 0) unlessGone(() => chmodSync(folder, mode.mode & 0o7700));
  if (mode.isDirectory()) for (const name of unlessGone(() => readdirSync(folder)) ?? []) tighten(join(folder, name));
}

/**
 * Tightens a directory that an older version may have created. Skips a directory that is already tight, because its
 * content is inaccessible anyway.
 */
export function tightenIfWide(/** @type {string} */ folder) {
  const found = unlessGone(() => lstatSync(folder));
  if (found && (found.mode & OTHERS) !== 0) tighten(folder);
}
