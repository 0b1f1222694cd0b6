// @ts-check
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connect } from 'amqplib';
import { eventually } from '../lib/wait.mjs';
import { startBrokerCluster } from './rabbitmq-cluster.mjs';

const WITHIN = { timeoutMs: 240_000, everyMs: 500 };
/** Seconds after which a silent node counts as down. RabbitMQ's default of 60 would only make the test slower. */
const NET_TICKTIME = 8;

jest.setTimeout(600_000);

const dir = mkdtempSync(join(tmpdir(), 'switchboard-cluster-'));
/** @type {import('./rabbitmq-cluster.mjs').BrokerCluster} */
let cluster;

beforeAll(async () => {
  cluster = await startBrokerCluster({ dir, netTicktime: NET_TICKTIME });
});
afterAll(async () => {
  await cluster?.stop();
  rmSync(dir, { recursive: true, force: true });
});

test('a cluster uses the production settings', async () => {
  const values = await Promise.all(
    ['cluster_partition_handling', 'queue_leader_locator', 'quorum_membership_reconciliation_enabled'].map((name) =>
      evaluate(`application:get_env(rabbit, ${name}).`),
    ),
  );
  expect(values).toEqual(['{ok,pause_minority}', '{ok,<<"balanced">>}', '{ok,true}']);
});

test('lists the queues of all nodes on any node', async () => {
  for (const node of cluster.nodes) await declareClassic(node.url);
  for (const node of cluster.nodes) {
    const list = await node.command('rabbitmqctl', '--quiet', '--no-table-headers', 'list_queues', 'name');
    expect(list.trim().split('\n').toSorted()).toEqual(cluster.nodes.map(({ url }) => `at ${new URL(url).port}`));
  }
});

test('accepts the login of each service through the proxy', async () => {
  for (const url of [cluster.url, ...Object.values(cluster.logins)]) await (await connect(url)).close();
  expect(Object.keys(cluster.logins)).toContain('messaging');
});

test('distributes connections over all nodes', async () => {
  const connections = await Promise.all(cluster.nodes.map(() => connect(cluster.url)));
  const counts = await Promise.all(
    cluster.nodes.map((node) => evaluate('length(rabbit_networking:local_connections()).', node)),
  );
  await Promise.all(connections.map((connection) => connection.close()));
  expect(counts).toEqual(['1', '1', '1']);
});

test('retains confirmed messages when a node is killed', async () => {
  await publish('killed', 'before the kill');
  await cluster.nodes[0]?.kill9();
  await eventually('the others to take over', () => read('killed').catch(() => undefined), WITHIN).then((content) =>
    expect(content).toBe('before the kill'),
  );
  await cluster.nodes[0]?.start();
  await allRunning();
});

test('moves queue leaders off a node that stops gracefully', async () => {
  const [node] = cluster.nodes;
  await publish('drained', 'before the stop', node?.url);
  await node?.stop();
  expect(await read('drained')).toBe('before the stop');
  await node?.start();
  await allRunning();
});

test('pauses a partitioned node and heals automatically', async () => {
  const [node, other] = cluster.nodes;
  const client = await connect(String(node?.url));
  client.on('error', () => undefined);
  const closed = once(client, 'close');
  await cluster.partition(0);
  await (await client.createChannel()).close(); // the client stays connected
  await eventually('the node to pause', async () => (await evaluate('rabbit:is_running().', node)) === 'false', WITHIN);
  await closed;
  expect(await running(other)).toHaveLength(2);
  expect(await cluster.command('rabbitmqctl', 'eval', 'node().')).toContain(other?.name);
  await publish('partitioned', 'to the majority');
  expect(await read('partitioned')).toBe('to the majority');
  await cluster.heal();
  await allRunning();
});

test('retains messages when all nodes stop and start', async () => {
  await publish('restarted', 'before the stop');
  await cluster.stop();
  await cluster.start();
  expect(await read('restarted')).toBe('before the stop');
});

/** Declares a classic queue, which resides on a single node. */
async function declareClassic(/** @type {string} */ url) {
  const connection = await connect(url);
  const channel = await connection.createChannel();
  await channel.assertQueue(`at ${new URL(url).port}`, { arguments: { 'x-queue-leader-locator': 'client-local' } });
  await connection.close();
}

async function publish(/** @type {string} */ queue, /** @type {string} */ content, url = cluster.url) {
  const connection = await connect(url);
  const channel = await connection.createConfirmChannel();
  await channel.assertQueue(queue, { durable: true, arguments: { 'x-queue-type': 'quorum' } });
  channel.sendToQueue(queue, Buffer.from(content), { persistent: true });
  await channel.waitForConfirms();
  await connection.close();
}

async function read(/** @type {string} */ queue) {
  const connection = await connect(cluster.url);
  connection.on('error', () => undefined);
  try {
    const channel = await connection.createChannel();
    const message = await channel.get(queue, { noAck: true });
    return message === false ? undefined : message.content.toString();
  } finally {
    await connection.close();
  }
}

async function allRunning() {
  await eventually('all nodes to run', async () => (await running().catch(() => [])).length === 3, WITHIN);
}

/** @returns {Promise<string[]>} */
async function running(node = cluster.nodes[1]) {
  return JSON.parse(String(await node?.command('rabbitmqctl', 'cluster_status', '--formatter', 'json'))).running_nodes;
}

async function evaluate(/** @type {string} */ expression, node = cluster.nodes[1]) {
  return String(await node?.command('rabbitmqctl', 'eval', expression)).trim();
}
