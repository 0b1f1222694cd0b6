// @ts-check
import { SERVICES } from '../lib/services.mjs';

/** @typedef {'old' | 'new'} Version */
/** @typedef {{ service: string, version: Version }} Step a switch of a service to a version */

const [GATEWAY, ...OTHERS] = SERVICES;

/**
 * Order in which services are switched, in consecutive parts. All services start old. The first two parts follow
 * docs/operations: upgrade.md switches the gateway last, rollback.md first. The last part is not documented and covers
 * the remaining mixes: a gateway newer than the services that it calls.
 * @type {readonly { name: string, version: Version, services: readonly string[] }[]}
 */
export const PARTS = [
  { name: 'upgrade', version: 'new', services: [...OTHERS, GATEWAY] },
  { name: 'rollback', version: 'old', services: [GATEWAY, ...OTHERS] },
  { name: 'upgrade, gateway first', version: 'new', services: [GATEWAY, ...[...OTHERS].reverse()] },
];

/** Returns the consecutive steps of some parts. @returns {Step[]} */
export function stepsOf(/** @type {typeof PARTS} */ parts) {
  return parts.flatMap(({ version, services }) => services.map((service) => ({ service, version })));
}

/**
 * Returns every pair of an old and a new service that run concurrently at some step.
 * @param {readonly Step[]} steps all services start old
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

/** Log message of a program that waits for the database at startup, as guarantee 33 of ADR 41 requires. */
const WAITS = 'Unable to connect to the database';

/**
 * Returns the unexpected error lines of a log: level `error` or `fatal`, except those of a program that waits for the
 * database at startup.
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
