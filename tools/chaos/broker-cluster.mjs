// @ts-check
import { setTimeout as delay } from 'node:timers/promises';
import { eventually } from '../lib/wait.mjs';
import { chaosTest } from './chaos-test.mjs';
import { contractsOnce } from './contracts.mjs';
import { judgeMajorityLoss, judgeNodeLoss, judgePartition, judgeRolling } from './guarantees.mjs';
import { runPhase } from './phases.mjs';
import { callbacksBetween } from './request-log.mjs';

/** @typedef {import('./installation.mjs').Installation} Installation */
/** @typedef {import('./phases.mjs').Phase} Phase */
/** @typedef {import('../infra/rabbitmq-cluster.mjs').BrokerCluster} BrokerCluster */
/** @typedef {import('../infra/rabbitmq-cluster.mjs').BrokerNode} BrokerNode */

const NODES = 3;
/** Number of sends that must fail, and of callbacks that must be stored, while the broker has no majority. */
const SENDS_AWAY = 60;
const CALLBACKS_AWAY = 8;
const AWAY_LIMIT_MS = 60_000;

/**
 * Proves guarantees 39, 40 and 41 of ADR 41. Options: number of killed nodes, of restarted nodes and of majority
 * losses; seconds of a partition; sends per second; sends between two incidents; factor on the guaranteed times.
 */
export const brokerCluster = chaosTest({
  about:
    'kills, restarts and partitions nodes of a RabbitMQ cluster under load; compares responses, sends, jobs, codes, callbacks and webhooks',
  takes: { long: '15 minutes', short: '4 minutes' },
  long: { kills: 3, restarts: 3, majorities: 1, partition: 30, rate: 8, sends: 80, room: 1 },
  short: { kills: 1, restarts: 1, majorities: 0, partition: 0, rate: 4, sends: 20, room: 10 },
  redundancy: { brokerNodes: NODES },
  async run(installation, { kills, restarts, majorities, partition, rate, sends, room }) {
    const { cluster } = installation;
    if (!cluster) throw new Error('this installation has no broker cluster');
    const nodes = await nodesInOrder(cluster);
    const phases = [
      ...inTurn(nodes, kills).map((node) => killOf(node, room)),
      ...(restarts > 0 ? [restartOf(inTurn(nodes, restarts), room)] : []),
      ...Array.from({ length: majorities }, () => majorityLossOf(installation, nodes.slice(0, 2), room)),
      ...(partition > 0 ? [partitionOf(cluster, { seconds: partition, room })] : []),
    ];
    let isKept = phases.length > 0;
    for (const phase of phases) isKept = (await runPhase(installation, phase, { rate, sends })) && isKept;
    return isKept;
  },
});

/** @returns {Phase} */
function killOf(/** @type {BrokerNode} */ node, /** @type {number} */ room) {
  return {
    title: `kill -9 of ${node.name}`,
    async disturb({ incident, goOn }) {
      await untilSpare(node);
      await incident('loss', 'killed', () => node.kill9());
      await goOn('without the node');
      await incident('return', 'back', () => node.start());
    },
    judge: (measured) => judgeNodeLoss(measured, { room }),
    guarantee: 'a broker node may die: sends fail for a moment at most, and nothing is lost, doubled or untrue',
  };
}

/** @returns {Phase} */
function restartOf(/** @type {BrokerNode[]} */ nodes, /** @type {number} */ room) {
  return {
    title: `rolling restart of ${nodes.length} broker nodes`,
    async disturb({ incident, goOn }) {
      for (const node of nodes) {
        await untilSpare(node);
        await incident('loss', `${node.name} stops`, () => node.stop());
        await incident('return', `${node.name} is back`, () => node.start());
        await goOn(`after the restart of ${node.name}`);
      }
    },
    judge: (measured) => judgeRolling(measured, { room }),
    guarantee: 'a rolling restart of the broker fails hardly a request, and nothing is lost, doubled or untrue',
  };
}

/** @returns {Phase} */
function majorityLossOf(
  /** @type {Installation} */ { logFolder },
  /** @type {BrokerNode[]} */ nodes,
  /** @type {number} */ room,
) {
  return {
    title: `kill -9 of ${nodes.length} of ${NODES} broker nodes`,
    async disturb({ load, incident }) {
      await incident('loss', 'killed', () => Promise.all(nodes.map((node) => node.kill9())));
      const [answered, written] = [load.answers.length, load.inbound.length];
      const isMet = () =>
        load.answers.slice(answered).filter(({ kind }) => kind === 'send').length >= SENDS_AWAY &&
        load.inbound.length >= written + CALLBACKS_AWAY;
      await eventually('requests without a majority', isMet, { timeoutMs: AWAY_LIMIT_MS, everyMs: 50 });
      await incident('return', 'back', () => Promise.all(nodes.map((node) => node.start())));
    },
    judge(measured, [loss, back]) {
      const callbacks = callbacksBetween(logFolder, Number(loss?.to), Number(back?.from));
      const refused = callbacks.filter((status) => status !== 200);
      return [
        ...judgeMajorityLoss(measured, { room }),
        ...(callbacks.length === 0 ? ['no callback came without a majority'] : []),
        ...refused.map((status) => `a callback was answered ${status} without a majority`),
      ];
    },
    guarantee: 'without a majority of the broker callers get a 503, callbacks are stored, and all continues with it',
  };
}

/** @returns {Phase} */
function partitionOf(
  /** @type {BrokerCluster} */ cluster,
  /** @type {{ seconds: number, room: number }} */ { seconds, room },
) {
  return {
    title: `partition of the node with the queue of sends for ${seconds} s`,
    async disturb({ incident }) {
      const [node = cluster.nodes[0]] = await nodesInOrder(cluster);
      if (!node) throw new Error('the cluster has no nodes');
      await untilSpare(node);
      await incident('loss', 'cut off', () => cluster.partition(cluster.nodes.indexOf(node)));
      await delay(seconds * 1_000);
      await incident('return', 'healed', () => cluster.heal());
    },
    judge: (measured) => judgePartition(measured, { room }),
    guarantee:
      'a broker node may be cut off: sends fail until that is noticed at most, and nothing is lost, doubled or untrue',
  };
}

/** Waits until every queue keeps its majority without the node, as the operator's preStop hook does. */
async function untilSpare(/** @type {BrokerNode} */ node) {
  await node.command('rabbitmq-upgrade', 'await_online_quorum_plus_one', '--timeout', '120');
}

/** @returns {Promise<BrokerNode[]>} nodes in order, starting with the leader or host of the send queue */
async function nodesInOrder(/** @type {BrokerCluster} */ { nodes, command }) {
  const { COMMANDS } = await contractsOnce();
  const { name } = COMMANDS.find((contract) => contract.name.startsWith('messaging.send-message.')) ?? { name: '' };
  // Read the queue's record: `list_queues` queries each queue process, and a busy process may not respond.
  const record = `rabbit_amqqueue:lookup(rabbit_misc:r(<<"/">>, queue, <<"${name}">>))`;
  const leader = await command('rabbitmqctl', 'eval', `{ok, Q} = ${record}, amqqueue:qnode(Q).`);
  const isFirst = (/** @type {BrokerNode} */ node) => leader.includes(node.name);
  return [...nodes.filter(isFirst), ...nodes.filter((node) => !isFirst(node))];
}

/** @returns {BrokerNode[]} `count` nodes, round-robin */
function inTurn(/** @type {BrokerNode[]} */ nodes, /** @type {number} */ count) {
  return Array.from({ length: count }, (_, index) => /** @type {BrokerNode} */ (nodes[index % nodes.length]));
}
