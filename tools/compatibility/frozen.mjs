// @ts-check
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from '../lib/home.mjs';
import { freezeContract } from './contract-changes.mjs';

/** @typedef {import('./contract-changes.mjs').FrozenContract} FrozenContract */
/** @typedef {import('../generate/load.mjs').Contracts} Contracts */
/** @typedef {{ seal: string, content: Content }} FrozenFile */
/** @typedef {Record<string, any>} Content */

export const FROZEN_FOLDER = join(ROOT, 'libs/contracts/frozen');
/** Name of the frozen API description of the last release. */
const API = 'api';
/** Keywords of documentation, which may change at any time. */
const PROSE = new Set(['description', 'summary', 'example', 'examples', 'tags', 'servers', 'info']);

/**
 * Reads the frozen contracts by owner, with their versions in each release.
 * @returns {Record<string, FrozenContract[]>}
 */
export function readFrozenContracts(folder = FROZEN_FOLDER) {
  const owners = existsSync(folder) ? readdirSync(folder).filter((name) => name !== `${API}.json`) : [];
  return Object.assign({}, ...owners.map((name) => readFrozen(join(folder, name))));
}

/** Reads the API description of the last release. @returns {Content} */
export function readFrozenApi(folder = FROZEN_FOLDER) {
  return readFrozen(join(folder, `${API}.json`));
}

/**
 * @param {string} path
 * @returns {Content}
 * @throws Error for a file that was not written by `npm run freeze`
 */
function readFrozen(path) {
  /** @type {FrozenFile} */
  const { seal, content } = JSON.parse(readFileSync(path, 'utf8'));
  if (seal !== sealOf(content))
    throw new Error(`${path} was changed: what a release promised stays; a changed contract is a new version of it`);
  return content;
}

/**
 * Freezes a release: adds each new or extended contract, and replaces the API description.
 * @param {{ contracts: Contracts, description: object, release: string, folder?: string }} options
 * @returns {string[]} names of the added contracts
 * @throws Error when the release is already frozen
 */
export function freeze({ contracts, description, release, folder = FROZEN_FOLDER }) {
  const frozen = readFrozenContracts(folder);
  if (Object.values(frozen).some((each) => each.some((one) => one.release === release)))
    throw new Error(`${release} is frozen already: give the next version in package.json first`);
  const added = [];
  for (const contract of contracts.ALL_CONTRACTS) {
    const now = freezeContract(contract, contracts, release);
    const sofar = frozen[contract.name] ?? [];
    if (isSaid(sofar.at(-1), now)) continue;
    frozen[contract.name] = [...sofar, now];
    added.push(contract.name);
  }
  mkdirSync(folder, { recursive: true });
  const names = Object.keys(frozen).sort();
  for (const owner of new Set(names.map(ownerOf))) {
    const own = names.filter((name) => ownerOf(name) === owner);
    writeFrozen(join(folder, `${owner}.json`), Object.fromEntries(own.map((name) => [name, frozen[name]])));
  }
  writeFrozen(join(folder, `${API}.json`), { release, description: withoutProse(description) });
  return added;
}

function ownerOf(/** @type {string} */ name) {
  return String(name.split('.')[0]);
}

function isSaid(/** @type {FrozenContract | undefined} */ last, /** @type {FrozenContract} */ now) {
  return last !== undefined && JSON.stringify({ ...last, release: '' }) === JSON.stringify({ ...now, release: '' });
}

/** Writes one line per contract, so that a release appears in a diff as added lines. */
function writeFrozen(/** @type {string} */ path, /** @type {Content} */ content) {
  const lines = Object.entries(content).map(([name, value]) => `${JSON.stringify(name)}:${JSON.stringify(value)}`);
  writeFileSync(path, `{"seal":"${sealOf(content)}","content":{\n${lines.join(',\n')}\n}}\n`);
}

function sealOf(/** @type {Content} */ content) {
  return createHash('sha256').update(JSON.stringify(content)).digest('hex');
}

/**
 * Removes documentation from a schema. Keeps field names even when they match a documentation keyword.
 * @returns {any}
 */
function withoutProse(/** @type {any} */ part, isNames = false) {
  if (Array.isArray(part)) return part.map((one) => withoutProse(one));
  if (typeof part !== 'object' || part === null) return part;
  return Object.fromEntries(
    Object.entries(part)
      .filter(([name]) => isNames || !PROSE.has(name))
      .map(([name, value]) => [name, withoutProse(value, !isNames && ['properties', 'schemas'].includes(name))]),
  );
}
