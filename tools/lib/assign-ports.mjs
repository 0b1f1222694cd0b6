// @ts-check
import { HOME } from './home.mjs';
import { anyFreePort, freeBlock, isFree, listenerOn } from './ports.mjs';
import { SERVICES } from './services.mjs';

const FIRST_MANAGEMENT_PORT = 3010;

/**
 * Assigns the public ports: the configured ones (0 = any free one). Throws an error that names the process that
 * occupies a port.
 * @param {NodeJS.ProcessEnv} [environment]
 * @returns {Promise<{ gateway: number, simulator: number }>}
 */
export async function publicPorts(environment = process.env) {
  const gateway = await publicPort('GATEWAY_PORT', 'the API', environment, 3000);
  const simulator = await publicPort('SIMULATOR_PORT', 'the simulator', environment, 3900);
  if (gateway === simulator) throw new Error(`GATEWAY_PORT and SIMULATOR_PORT are both ${gateway}: choose two ports`);
  return { gateway, simulator };
}

/**
 * Assigns the services' management ports, `<service>:management`. They start at 3010 when the API has its default port.
 * Otherwise they are in a block specific to this installation, so that two concurrent starts do not choose the same
 * ports.
 * @param {{ gateway: number, simulator: number }} publics
 * @returns {Promise<Record<string, number>>}
 */
export async function managementPorts({ gateway, simulator }) {
  const usual = gateway === 3000 ? FIRST_MANAGEMENT_PORT : await freeBlock(`${HOME} management`, SERVICES.length);
  const taken = new Set([gateway, simulator]);
  const ports = /** @type {Record<string, number>} */ ({});
  let next = usual;
  for (const service of SERVICES) {
    while (taken.has(next) || !(await isFree(next))) next += 1;
    ports[`${service}:management`] = next;
    taken.add(next);
  }
  return ports;
}

/**
 * @param {string} variable
 * @param {string} what
 * @param {NodeJS.ProcessEnv} environment
 * @param {number} fallback
 */
async function publicPort(variable, what, environment, fallback) {
  const port = environment[variable] ? Number(environment[variable]) : fallback;
  if (!Number.isInteger(port) || port < 0 || port > 65_535)
    throw new Error(`${variable}=${environment[variable]} is not a port`);
  if (port === 0) return anyFreePort();
  if (await isFree(port)) {
    if (!(await isRefusedByFetch(port))) return port;
    throw new Error(
      `port ${port}, wanted for ${what}, is one that browsers and Node refuse to call: choose another with ${variable}=…`,
    );
  }
  throw new Error(
    `port ${port}, wanted for ${what}, is taken by ${listenerOn(port) ?? 'another program'}: end it, or choose another port with ${variable}=…`,
  );
}

/**
 * Returns true when fetch blocks the port (mail, SIP, X11 …), as its standard requires. No program listens on the port
 * yet.
 */
function isRefusedByFetch(/** @type {number} */ port) {
  return fetch(`http://127.0.0.1:${port}`).then(
    () => false,
    (/** @type {Error} */ { cause }) => cause instanceof Error && cause.message === 'bad port',
  );
}
