// @ts-check
import { loadSources } from '../generate/load.mjs';

/** @type {Promise<import('../generate/load.mjs').Contracts> | undefined} */
let loaded;

/** Loads the contracts of all messages. They are bundled once per process. */
export function contractsOnce() {
  loaded ??= loadSources().then(({ contracts }) => contracts);
  return loaded;
}
