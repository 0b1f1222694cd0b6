// @ts-check
import { chmodSync, lstatSync, mkdirSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { unlessGone } from './json-file.mjs';

const OTHERS = 0o077;

/**
 * Runs `work`: files that it makes, and those that programs make which it starts, are for their owner alone.
 * @template T
 * @param {() => T} work must be done when it returns: the process has one mask for all
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

/** Makes a folder, with those above it that are missing, for its owner alone. */
export function makeFolder(/** @type {string} */ folder) {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
}

/** Takes from group and others what they may do in a folder and everything below it. Does not follow links. */
export function tighten(/** @type {string} */ folder) {
  const mode = unlessGone(() => lstatSync(folder));
  if (!mode || mode.isSymbolicLink()) return;
  if ((mode.mode & OTHERS) !== 0) unlessGone(() => chmodSync(folder, mode.mode & 0o7700));
  if (mode.isDirectory()) for (const name of unlessGone(() => readdirSync(folder)) ?? []) tighten(join(folder, name));
}

/**
 * The same for a folder that an older version may have made: when it is tight itself, what is in it is out of reach.
 */
export function tightenIfWide(/** @type {string} */ folder) {
  const found = unlessGone(() => lstatSync(folder));
  if (found && (found.mode & OTHERS) !== 0) tighten(folder);
}
