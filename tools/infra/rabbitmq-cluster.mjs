// @ts-check
import { randomBytes } from 'node:crypto';
import { existsSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from '../lib/home.mjs';
import { unlessGone } from '../lib/json-file.mjs';
import { freeBlock } from '../lib/ports.mjs';
import { makeFolder } from '../lib/private-files.mjs';
import { eventually } from '../lib/wait.mjs';
import { startPortMapper } from './port-mapper.mjs';
import { tryRabbitmq } from './rabbitmq-login.mjs';
import {
  BROKER_PORTS,
  brokerNode,
  distributionPort,
  findPrograms,
  mapperPort,
  nodeNameOf,
  stopPrivateBroker,
  VERSION,
} from './rabbitmq-private.mjs';
import { startTcpProxy } from './tcp-proxy.mjs';

/**
 * @typedef {import('./rabbitmq-private.mjs').PrivateBroker} BrokerNode `stop` drains the node first, as a pod does.
 * `url` connects to this node only
 */
/**
 * @typedef {object} BrokerCluster
 * @property {string} url administrator's URL, through a TCP proxy to all nodes
 * @property {Record<string, string>} logins URLs of the services' logins, through the proxy
 * @property {BrokerNode[]} nodes
 * @property {(index: number) => Promise<void>} partition partitions a node from the others until `heal`: packets
 * between them are dropped, while its clients stay connected
 * @property {() => Promise<void>} heal
 * @property {(script: string, ...args: string[]) => Promise<string>} command runs a command line tool on the first node
 * that accepts connections and is not partitioned
 * @property {() => Promise<void>} start starts the stopped nodes
 * @property {() => Promise<void>} stop stops all nodes and proxies
 */

const MANIFEST = join(ROOT, 'k8s/overlays/production/rabbitmq-cluster.yaml');
/** Major version of the manifest's image. The closest version available here is used. */
const MAJOR_VERSION = '4';
/** Timeout of the preStop hook, which is a week in production. The pod stops after it regardless. */
const PRE_STOP_SECONDS = '60';
/** Number of consecutive ports that a cluster needs. */
export const clusterPorts = (/** @type {number} */ nodes) => nodes * BROKER_PORTS + 1;

/**
 * Starts a cluster of RabbitMQ nodes on 127.0.0.1 with the production configuration, behind a proxy that replaces the
 * Kubernetes Service. Durable queues and their messages survive a stop or kill of any node. Running nodes of an
 * earlier process in this directory are stopped first.
 *
 * Connections between nodes pass through proxies in this process, so that `partition` needs no privileges. The
 * cluster works only while this process is running.
 * @param {{ dir: string, nodes?: number, port?: number, netTicktime?: number, log?: (text: string) => void }} options
 * `port` of the proxy, followed by those of the nodes; `netTicktime`: seconds after which a silent node counts as
 * down, RabbitMQ's 60 by default
 * @returns {Promise<BrokerCluster>}
 */
export async function startBrokerCluster({ dir, nodes: size = 3, port, netTicktime, log = () => undefined }) {
  const programs = await findPrograms(process.env[VERSION] || MAJOR_VERSION, log);
  await stopBrokerCluster(dir);
  const first = port ?? (await freeBlock(dir, clusterPorts(size)));
  writeCookie(join(dir, 'home'));
  const folders = Array.from({ length: size }, (_, index) => join(dir, `node-${index + 1}`));
  const members = folders.map((folder, index) => [
    `cluster_formation.classic_config.nodes.${index + 1}`,
    nodeNameOf(folder),
  ]);
  const production = await productionConfiguration();
  const settings = {
    ...production.settings,
    'vm_memory_high_watermark.absolute': '512MB',
    'cluster_formation.peer_discovery_backend': 'classic_config',
    ...Object.fromEntries(members),
    ...(netTicktime && { net_ticktime: String(netTicktime) }),
  };
  const nodes = folders.map((folder, index) => {
    const node = brokerNode({
      dir: folder,
      port: first + 1 + index * BROKER_PORTS,
      programs,
      shared: dir,
      settings,
      advanced: production.advanced,
    });
    return Object.assign(node, { stop: () => stopAsPod(node, folder) });
  });
  /** @type {Network | undefined} */
  let network;
  const cluster = {
    url: onPort(String(nodes[0]?.url), first),
    logins: Object.fromEntries(
      Object.entries(nodes[0]?.logins ?? {}).map(([login, url]) => [login, onPort(url, first)]),
    ),
    nodes,
    async partition(/** @type {number} */ index) {
      network?.cut(index);
    },
    async heal() {
      network?.heal();
    },
    async command(/** @type {string} */ script, /** @type {string[]} */ ...args) {
      for (const [index, node] of nodes.entries())
        if (!network?.isCut(index) && (await tryRabbitmq(node.url)).ok) return node.command(script, ...args);
      throw new Error('no node of the cluster accepts connections');
    },
    async start() {
      network ??= await startNetwork(nodes, first);
      await Promise.all(nodes.map((node) => node.start()));
      await eventually('all nodes to be in the cluster', () => isWhole(cluster), { timeoutMs: 120_000, everyMs: 500 });
    },
    async stop() {
      await stopBrokerCluster(dir);
      await network?.close();
      network = undefined;
    },
  };
  try {
    await cluster.start();
  } catch (error) {
    await cluster.stop();
    throw error;
  }
  return cluster;
}

/**
 * Stops a node with the `preStop` commands of the cluster operator's pods: waits until no queue needs the node for its
 * majority, closes its client connections, and moves its queue leaders.
 */
async function stopAsPod(/** @type {BrokerNode} */ node, /** @type {string} */ folder) {
  if (node.isRunning()) {
    for (const step of ['await_online_quorum_plus_one', 'drain'])
      await node.command('rabbitmq-upgrade', step, '-t', PRE_STOP_SECONDS).catch(() => undefined);
  }
  await stopPrivateBroker(folder);
}

/** Stops the nodes of a directory, if they are running. */
export async function stopBrokerCluster(/** @type {string} */ dir) {
  const names = (unlessGone(() => readdirSync(dir)) ?? []).filter((name) => name.startsWith('node-'));
  await Promise.all(names.map((name) => stopPrivateBroker(join(dir, name))));
}

/**
 * @typedef {object} Network connections between nodes, and to clients
 * @property {(index: number) => void} cut
 * @property {(index: number) => boolean} isCut
 * @property {() => void} heal
 * @property {() => Promise<void>} close
 */

/**
 * Starts the proxy for clients, and for each node a port mapper that returns a proxy for every other node.
 * @param {BrokerNode[]} nodes
 * @param {number} port port of the proxy for clients
 * @returns {Promise<Network>}
 */
async function startNetwork(nodes, port) {
  const amqpPorts = nodes.map(({ url }) => Number(new URL(url).port));
  const links = await Promise.all(
    nodes.flatMap((_, from) =>
      nodes.flatMap((__, to) => (from === to ? [] : startLink(from, to, distributionPort(Number(amqpPorts[to]))))),
    ),
  );
  /** @type {import('./port-mapper.mjs').PortMapper[]} */
  const mappers = [];
  const portOf = (/** @type {number} */ viewer, /** @type {string} */ name) => {
    const target = nodes.findIndex((node) => node.name.startsWith(`${name}@`));
    if (target === viewer) return distributionPort(Number(amqpPorts[viewer]));
    const link = links.find(({ from, to }) => from === viewer && to === target);
    // Nodes send their part of a list directly to the command line tool that queried one of them
    return link?.proxy.port ?? mappers.map((mapper) => mapper.registered(name)).find((found) => found !== undefined);
  };
  for (const [viewer, amqpPort] of amqpPorts.entries())
    mappers.push(await startPortMapper({ port: mapperPort(amqpPort), portOf: (name) => portOf(viewer, name) }));
  const clients = await startTcpProxy({ port, backends: amqpPorts.map((amqpPort) => ({ port: amqpPort })) });
  const parts = [clients, ...mappers, ...links.map(({ proxy }) => proxy)];
  /** @type {Set<number>} */
  const cutOff = new Set();
  return {
    isCut: (index) => cutOff.has(index),
    cut(index) {
      cutOff.add(index);
      for (const { from, to, proxy } of links) if (from === index || to === index) proxy.freeze();
    },
    heal() {
      cutOff.clear();
      for (const { proxy } of links) proxy.thaw();
    },
    async close() {
      await Promise.all(parts.map((part) => part.close()));
    },
  };
}

async function startLink(/** @type {number} */ from, /** @type {number} */ to, /** @type {number} */ port) {
  return { from, to, proxy: await startTcpProxy({ backends: [{ port }] }) };
}

async function isWhole(/** @type {BrokerCluster} */ { nodes, command }) {
  const status = JSON.parse(await command('rabbitmqctl', 'cluster_status', '--formatter', 'json'));
  return nodes.every(({ name }) => status.running_nodes.includes(name));
}

/** Reads the production settings except for the disk limits, because all nodes share this machine's disk. */
export async function productionConfiguration() {
  const { parseAllDocuments } = await import('yaml'); // import lazily: stopping must work without packages
  const cluster = parseAllDocuments(readFileSync(MANIFEST, 'utf8'))
    .map((document) => document.toJS())
    .find(({ kind }) => kind === 'RabbitmqCluster');
  const { additionalConfig, advancedConfig } = cluster.spec.rabbitmq;
  const settings = String(additionalConfig)
    .split('\n')
    .map((line) => /^([\w.]+)\s*=\s*(.*\S)/.exec(line))
    .flatMap((match) => (match ? [[String(match[1]), String(match[2])]] : []))
    .filter(([name]) => !name?.startsWith('disk_free_limit'));
  return {
    settings: /** @type {Record<string, string>} */ (Object.fromEntries(settings)),
    advanced: String(advancedConfig),
  };
}

/** Writes the Erlang cookie, the secret with which cluster nodes authenticate each other. */
function writeCookie(/** @type {string} */ home) {
  makeFolder(home);
  const path = join(home, '.erlang.cookie');
  if (!existsSync(path)) writeFileSync(path, randomBytes(18).toString('hex'), { mode: 0o400 });
}

function onPort(/** @type {string} */ url, /** @type {number} */ port) {
  const changed = new URL(url);
  changed.port = String(port);
  return changed.href;
}
