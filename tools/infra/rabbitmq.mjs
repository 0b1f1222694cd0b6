// @ts-check
import { HOME_ID, homePath } from '../lib/home.mjs';
import { packagesInstalled } from '../lib/packages.mjs';
import { rightsVersion } from './broker-logins.mjs';
import { firstThatWorks, forcedKind, orderOfWays, sizeOf } from './choose.mjs';
import { detachedPid, startDetached, stopDetached } from './detached.mjs';
import { startInDocker, whyNoDocker } from './docker.mjs';
import { withoutPassword } from './postgres.mjs';
import { ensureOwnVhost, managementOf, tryRabbitmq } from './rabbitmq-login.mjs';
import { clusterPorts, stopBrokerCluster } from './rabbitmq-cluster.mjs';
import { BROKER_PORTS, brokerOf, startPrivateBroker, stopPrivateBroker } from './rabbitmq-private.mjs';
import { keepOrChoosePort, writeInfra } from './state.mjs';

const STANDARD_URL = 'amqp://guest:guest@127.0.0.1:5672';
const CLUSTER = homePath('broker-cluster');
const OWN_NAME = `switchboard-${HOME_ID}`;
const WAYS_OUT =
  'Ways out: start RabbitMQ 3.10 or newer on port 5672 with guest/guest, or set RABBITMQ_URL, or install Docker, or install the rabbitmq-server package (its programs are enough: we run our own instance of it), or run on Debian or Ubuntu, where it is unpacked without installing.';

/** @typedef {import('./state.mjs').Found} Found */

/**
 * Finds or starts RabbitMQ.
 * @param {Found | undefined} earlier previously used broker
 * @param {(text: string) => void} log
 * @param {number} [asked] number of nodes; the previous number by default
 * @returns {Promise<Found>}
 */
export async function findRabbitmq(earlier, log, asked) {
  const given = process.env['RABBITMQ_URL'];
  const nodes = sizeOf('RabbitMQ', asked, earlier && { kind: earlier.kind, size: earlier.nodes ?? 1 });
  const order = orderOfWays({
    forced: forcedKind(process.env['SWITCHBOARD_INFRA']),
    isGiven: Boolean(given),
    earlier: earlier?.kind,
    isOwn: nodes > 1,
  });
  const begin = Date.now();
  const found = await firstThatWorks(
    'RabbitMQ',
    order,
    {
      given: () => givenBroker(given),
      ports: standardBroker,
      docker: () => docker(earlier),
      local: () => local(earlier, log, nodes).catch((error) => ({ ok: false, why: error.message })),
    },
    WAYS_OUT,
  );
  writeInfra({ rabbitmq: found });
  log(
    `RabbitMQ: ${found.kind}, ${withoutPassword(found.url)}${found.namespace ? ` (names begin with ${found.namespace})` : ''} (${((Date.now() - begin) / 1000).toFixed(1)} s)`,
  );
  return found;
}

/** Stops the private RabbitMQ, or the cluster with its proxies. */
export async function stopOwnRabbitmq() {
  await stopDetached(CLUSTER);
  await Promise.all([stopPrivateBroker(homePath('broker')), stopBrokerCluster(CLUSTER)]);
}

/** Returns the process that runs exactly as long as this installation's private RabbitMQ. */
export function ownRabbitmqPid(/** @type {Found} */ { nodes }) {
  return nodes === undefined ? brokerOf(homePath('broker')) : detachedPid(CLUSTER);
}

/** @returns {Promise<import('./choose.mjs').Attempt<Omit<Found, 'kind'>>>} */
async function givenBroker(/** @type {string | undefined} */ url) {
  if (!url) return { ok: false, why: 'RABBITMQ_URL is not set' };
  const login = await tryRabbitmq(url);
  if (!login.ok) return login;
  return {
    ok: true,
    found: { url, namespace: process.env['BROKER_NAMESPACE'] || OWN_NAME, ...(await managementOf(url)) },
  };
}

/**
 * Uses a shared broker, with a separate virtual host if possible, otherwise with prefixed names.
 * @returns {Promise<import('./choose.mjs').Attempt<Omit<Found, 'kind'>>>}
 */
async function standardBroker() {
  const login = await tryRabbitmq(STANDARD_URL);
  if (!login.ok) return login;
  const own = await ensureOwnVhost(STANDARD_URL, OWN_NAME);
  return {
    ok: true,
    found: own ? { url: own, namespace: '', ...(await managementOf(own)) } : { url: STANDARD_URL, namespace: OWN_NAME },
  };
}

/** @returns {Promise<import('./choose.mjs').Attempt<Omit<Found, 'kind'>>>} */
async function docker(/** @type {Found | undefined} */ earlier) {
  const why = await whyNoDocker();
  if (why) return { ok: false, why };
  if (earlier?.kind === 'docker' && (await tryRabbitmq(earlier.url)).ok) return { ok: true, found: earlier };
  const started = await startInDocker('rabbitmq', await keepOrChoosePort(earlier?.port, { size: 2, offset: 1 }));
  return started.ok
    ? { ok: true, found: { ...started.found, ...(await managementOf(started.found.url, started.found.port + 1)) } }
    : started;
}

/**
 * @param {Found | undefined} earlier
 * @param {(text: string) => void} log
 * @param {number} nodes
 * @returns {Promise<import('./choose.mjs').Attempt<Omit<Found, 'kind'>>>}
 */
async function local(earlier, log, nodes) {
  const rights = rightsVersion();
  if (earlier?.kind === 'local' && earlier.rights === rights && (await tryRabbitmq(earlier.url)).ok)
    return { ok: true, found: earlier };
  await stopOwnRabbitmq(); // a hanging broker, one with outdated permissions, or leftovers of a killed one
  const size = nodes > 1 ? clusterPorts(nodes) : BROKER_PORTS;
  const port = await keepOrChoosePort(earlier?.port, { size, offset: 1 });
  if (nodes > 1) {
    await packagesInstalled(); // reading the cluster's settings needs a YAML package
    const addresses = await startDetached({ kind: 'cluster', dir: CLUSTER, port, nodes }, log);
    return { ok: true, found: { ...addresses, namespace: '', port, rights, nodes } };
  }
  const broker = await startPrivateBroker({ dir: homePath('broker'), port, log });
  return { ok: true, found: { url: broker.url, namespace: '', port, logins: broker.logins, rights } };
}
