// @ts-check
import { SERVICES } from '../lib/services.mjs';

/** @typedef {'old' | 'new'} Version */
/** @typedef {{ service: string, version: Version }} Step a service that goes to a version */

const [GATEWAY, ...OTHERS] = SERVICES;

/**
 * In which order the services go to a version, one part after the other. All are old before. The first two are those of
 * docs/operations: upgrade.md has the gateway last, rollback.md has it first. The last one is in no page, and brings
 * the mixes that are left: a gateway that is newer than the services that it asks.
 * @type {readonly { name: string, version: Version, services: readonly string[] }[]}
 */
export const PARTS = [
  { name: 'upgrade', version: 'new', services: [...OTHERS, GATEWAY] },
  { name: 'rollback', version: 'old', services: [GATEWAY, ...OTHERS] },
  { name: 'upgrade, gateway first', version: 'new', services: [GATEWAY, ...[...OTHERS].reverse()] },
];

/** The steps of some parts, one after the other. @returns {Step[]} */
export function stepsOf(/** @type {typeof PARTS} */ parts) {
  return parts.flatMap(({ version, services }) => services.map((service) => ({ service, version })));
}

/**
 * Which services are old beside which new ones, at some time of the steps.
 * @param {readonly Step[]} steps all services are old before
 * @returns {Set<string>} `old messaging beside new otp`
 */
export function mixesOf(steps) {
  /** @type {Map<string, Version>} */
  const versions = new Map(SERVICES.map((service) => [service, 'old']));
  /** @type {Set<string>} */
  const mixes = new Set();
  for (const { service, version } of steps) {
    versions.set(service, version);
    for (const [one, itsVersion] of versions)
      for (const [other, othersVersion] of versions)
        if (itsVersion === 'old' && othersVersion === 'new') mixes.add(`old ${one} beside new ${other}`);
  }
  return mixes;
}

/** A program that starts on a busy machine may wait for the database: so it should (promise 33 of ADR 41). */
const WAITS = 'Unable to connect to the database';

/**
 * What a program logs that nobody should have to read: lines of level `error` or `fatal`, but those of its start that
 * say that it waits for the database.
 * @returns {string[]}
 */
export function errorLines(/** @type {string} */ text) {
  return text
    .split('\n')
    .filter((line) => /"level":"(?:error|fatal)"/.test(line) && !line.includes(WAITS))
    .map(describe);
}

function describe(/** @type {string} */ line) {
  try {
    const { service, msg, err } = /** @type {{ service?: string, msg?: string, err?: { message?: string } }} */ (
      JSON.parse(line)
    );
    return [service, msg, err?.message].filter((part) => part !== undefined).join(': ');
  } catch {
    return line;
  }
}
