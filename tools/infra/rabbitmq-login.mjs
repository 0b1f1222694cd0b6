// @ts-check
import { once } from 'node:events';
import { connect } from 'node:net';
import { packagesInstalled } from '../lib/packages.mjs';
import { reasonOf } from './choose.mjs';
/** @typedef {{ ok: true, url: string } | { ok: false, why: string }} Login */

const OLDEST_RABBITMQ = [3, 10];

/**
 * Opens and closes an AMQP connection and identifies the broker. Never throws.
 * @param {string} url
 * @param {number} [timeoutMs]
 * @returns {Promise<Login>}
 */
export async function tryRabbitmq(url, timeoutMs = 3000) {
  try {
    // Works without amqplib, so that a broker can be found, unpacked and started while that is still being installed
    await knock(url, timeoutMs);
    await packagesInstalled();
    const { default: amqp } = await import('amqplib'); // import lazily: stopping must work without packages
    const connection = await amqp.connect(url, { timeout: timeoutMs });
    const { product, version } = connection.connection.serverProperties;
    await connection.close();
    const [major = 0, minor = 0] = String(version).split('.').map(Number);
    if (product !== 'RabbitMQ') return { ok: false, why: `${product} is not RabbitMQ` };
    if (major < 3 || (major === 3 && minor < Number(OLDEST_RABBITMQ[1])))
      return { ok: false, why: `RabbitMQ ${version} is older than 3.10` };
    return { ok: true, url };
  } catch (error) {
    return { ok: false, why: reasonOf(error) };
  }
}

/**
 * Opens and closes a TCP connection to a broker.
 * @param {string} url
 * @param {number} timeoutMs
 * @throws Error when nothing listens there
 */
async function knock(url, timeoutMs) {
  const { hostname, port, protocol } = new URL(url);
  const usual = protocol === 'amqps:' ? 5671 : 5672;
  const socket = connect({ host: hostname.replace(/^\[(.*)\]$/, '$1'), port: Number(port || usual) });
  await once(socket, 'connect', { signal: AbortSignal.timeout(timeoutMs) }).finally(() => socket.destroy());
}

/**
 * Creates a virtual host for this installation through the management API, which accepts the same credentials.
 * @param {string} url
 * @param {string} name
 * @param {number} managementPort
 * @returns {Promise<string | undefined>} URL of the virtual host; undefined without a management API
 */
export async function ensureOwnVhost(url, name, managementPort = 15_672) {
  const { hostname, username } = new URL(url);
  const call = (/** @type {string} */ path, /** @type {unknown} */ body) =>
    fetch(`http://${hostname}:${managementPort}/api/${path}`, {
      method: 'PUT',
      headers: { ...authorization(url), 'content-type': 'application/json' },
      body: JSON.stringify(body),
      signal: AbortSignal.timeout(3000),
    }).then(
      (answer) => answer.ok,
      () => false,
    );
  const made =
    (await call(`vhosts/${name}`, {})) &&
    (await call(`permissions/${name}/${username}`, { configure: '.*', write: '.*', read: '.*' }));
  if (!made) return undefined;
  const own = await tryRabbitmq(withVhost(url, name));
  return own.ok ? own.url : undefined;
}

/**
 * Returns the management API for creating logins, if it is reachable and this login is an administrator.
 * @param {string} url
 * @param {number} managementPort
 * @returns {Promise<{ managementUrl?: string }>}
 */
export async function managementOf(url, managementPort = 15_672) {
  const managementUrl = `http://${new URL(url).hostname}:${managementPort}`;
  try {
    const answer = await fetch(`${managementUrl}/api/whoami`, {
      headers: authorization(url),
      signal: AbortSignal.timeout(3000),
    });
    const { tags = [] } = /** @type {{ tags?: unknown }} */ (answer.ok ? await answer.json() : {});
    return String(tags).split(',').includes('administrator') ? { managementUrl } : {};
  } catch {
    return {}; // no management API: everything shares one login
  }
}

function authorization(/** @type {string} */ url) {
  const { username, password } = new URL(url);
  return { authorization: `Basic ${btoa(`${decodeURIComponent(username)}:${decodeURIComponent(password)}`)}` };
}

/** Returns the URL with another virtual host. */
export function withVhost(/** @type {string} */ url, /** @type {string} */ name) {
  const changed = new URL(url);
  changed.pathname = `/${encodeURIComponent(name)}`;
  return changed.href;
}
