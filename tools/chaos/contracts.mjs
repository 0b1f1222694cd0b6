// @ts-check
import { loadSources } from '../generate/load.mjs';

/** @type {Promise<import('../generate/load.mjs').Contracts> | undefined} */
let loaded;

/** The contracts of all messages. They are bundled once, however many commands look at them. */
export function contractsOnce() {
  loaded ??= loadSources().then(({ contracts }) => contracts);
  return loaded;
}
