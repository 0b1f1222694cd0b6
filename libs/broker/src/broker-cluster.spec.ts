import captured from '../test/management-api.json';
import { type BrokerCluster, clusterOf } from './broker-cluster';

/** Responses of a three-node cluster, captured from RabbitMQ 3.10 and 4.0, with shortened node names. */
const { '3.10': v3, '4.0': v4 } = captured;
const ALL = ['rabbit@one', 'rabbit@three', 'rabbit@two'];

const read = ({ nodes, queues }: { nodes: object[]; queues: object[] }, namespace = ''): BrokerCluster =>
  clusterOf(nodes as Parameters<typeof clusterOf>[0], queues as Parameters<typeof clusterOf>[1], namespace);
const down = ({ nodes }: BrokerCluster): string[] =>
  nodes.filter(({ isRunning }) => !isRunning).map(({ name }) => name);
const onlineOf = ({ quorumQueues }: BrokerCluster): string[] =>
  quorumQueues.map(({ name, members, online }) => `${name} ${online.length}/${members.length}`).sort();

describe.each([
  ['3.10', v3],
  ['4.0', v4],
])('RabbitMQ %s cluster state', (_, version) => {
  it('lists all nodes and the members of each quorum queue', () => {
    const cluster = read(version.healthy);
    expect(cluster.nodes.map(({ name }) => name).sort()).toEqual(ALL);
    expect(cluster.nodes.map(({ isRunning, alarms, partitions }) => [isRunning, alarms, partitions])).toEqual(
      ALL.map(() => [true, [], []]),
    );
    expect(onlineOf(cluster)).toEqual([1, 2, 3, 4].map((n) => `messaging.q${n}.v1 3/3`));
    expect(cluster.downQueues).toEqual([]);
  });

  it('reports the leader of each quorum queue', () => {
    const leaders = Object.fromEntries(read(version.healthy).quorumQueues.map(({ name, leader }) => [name, leader]));
    expect(leaders['messaging.q1.v1']).toBe('rabbit@one');
    expect(Object.values(leaders).every((leader) => ALL.includes(leader))).toBe(true);
  });

  it('reports a node that is down and the queue hosted only there', () => {
    const cluster = read(version.oneDown);
    expect(down(cluster)).toEqual(['rabbit@three']);
    expect(cluster.downQueues).toEqual([{ name: 'messaging.c3.v1', node: 'rabbit@three' }]);
    expect(onlineOf(cluster)).toEqual([1, 2, 3, 4].map((n) => `messaging.q${n}.v1 2/3`));
    expect(cluster.quorumQueues.map(({ leader }) => leader)).not.toContain('rabbit@three');
  });

  it('reports a queue with fewer members than nodes', () => {
    expect(onlineOf(read(version.fewerMembers))).toContain('messaging.q4.v1 2/2');
  });
});

describe('RabbitMQ 4.0 cluster state', () => {
  it('reports a node with a memory alarm', () => {
    const alarms = read(v4.alarm).nodes.map(({ name, alarms: short }) => [name, short]);
    expect(alarms).toContainEqual(['rabbit@one', ['memory']]);
    expect(alarms).toContainEqual(['rabbit@two', []]);
    expect(alarms).toContainEqual(['rabbit@three', []]);
  });

  it('includes queues without a majority', () => {
    const cluster = read(v4.twoDown);
    expect(down(cluster).sort()).toEqual(['rabbit@three', 'rabbit@two']);
    expect(onlineOf(cluster)).toEqual([1, 2, 3, 4].map((n) => `messaging.q${n}.v1 1/3`));
  });

  it('ignores queues of other namespaces and programs', () => {
    const foreign = [{ name: 'blue.messaging.q1.v1', members: [] }, { name: 'orders' }];
    const queues = [...v4.healthy.queues, ...foreign];
    expect(read({ ...v4.healthy, queues }).quorumQueues).toHaveLength(4);
    expect(read({ ...v4.healthy, queues }, 'blue').quorumQueues.map(({ name }) => name)).toEqual([
      'blue.messaging.q1.v1',
    ]);
  });

  it('reports the nodes that were partitioned from each other', () => {
    const nodes = read(v4.healedPartition).nodes.map(({ name, isRunning, partitions }) => [
      name,
      isRunning,
      partitions,
    ]);
    expect(nodes).toEqual([
      ['rabbit@three', false, ['rabbit@one', 'rabbit@two']],
      ['rabbit@one', true, ['rabbit@three']],
      ['rabbit@two', true, ['rabbit@three']],
    ]);
  });

  it('reports a node with a disk alarm', () => {
    const [node] = clusterOf([{ name: 'rabbit@one', running: true, disk_free_alarm: true }], [], '').nodes;
    expect(node?.alarms).toEqual(['disk']);
  });
});
