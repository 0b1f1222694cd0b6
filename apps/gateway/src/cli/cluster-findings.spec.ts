import type { BrokerCluster, BrokerNode, QuorumQueue } from '@switchboard/broker';
import { judgeCluster, judgeReplication, type ReplicationFacts, synchronousStandbys } from './cluster-findings';
import type { Finding } from './doctor-findings';

const NODES = ['a', 'b', 'c'];
const node = (name: string, more: Partial<BrokerNode> = {}): BrokerNode => ({
  name,
  isRunning: true,
  alarms: [],
  partitions: [],
  ...more,
});
const queue = (name: string, leader: string, more: Partial<QuorumQueue> = {}): QuorumQueue => ({
  name,
  leader,
  members: NODES,
  online: NODES,
  ...more,
});
const HEALTHY: BrokerCluster = {
  nodes: NODES.map((name) => node(name)),
  quorumQueues: NODES.map((name, index) => queue(`q${index}`, name)),
  downQueues: [],
};
const judged = (more: Partial<BrokerCluster>): Record<string, Finding> =>
  Object.fromEntries(judgeCluster({ ...HEALTHY, ...more }).map((finding) => [finding.check, finding]));

describe('cluster findings', () => {
  it('reports ok for a healthy cluster with spread leaders', () => {
    expect(judged({})).toMatchObject({
      nodes: { state: 'ok', finding: 'all 3 run' },
      majorities: { state: 'ok', finding: 'all members of 3 quorum queues are online' },
      leaders: { state: 'ok', finding: 'a 1, b 1, c 1' },
    });
  });

  it('reports ok for a broker with a single node', () => {
    const quorumQueues = [queue('q', 'a', { members: ['a'], online: ['a'] })];
    expect(Object.values(judged({ nodes: [node('a')], quorumQueues })).map(({ state }) => state)).toEqual(
      Array.from({ length: 3 }, () => 'ok'),
    );
  });

  it.each<[BrokerNode, string]>([
    [node('c', { isRunning: false }), '1 of 3 are down or cut off: c'],
    [node('c', { isRunning: false, partitions: ['a', 'b'] }), 'network partition: c does not reach a, b'],
    [node('c', { alarms: ['memory', 'disk'] }), 'c is short of memory and disk; publishers are blocked'],
  ])('reports the unhealthy node %j', (sick, finding) => {
    const { nodes } = judged({ nodes: [node('a'), node('b'), sick] });
    expect(nodes).toMatchObject({ state: 'problem', finding });
    expect(nodes?.advice).toMatch(/runbooks\/(BrokerNodeDown|BrokerAlarm)\.md/);
  });

  it.each<[string, Partial<QuorumQueue>, string, string]>([
    ['one of three online', { online: ['a'] }, 'problem', '1 of 2 quorum queues have no majority'],
    ['none online', { online: [] }, 'problem', '1 of 2 quorum queues have no majority'],
    ['one of two online', { members: ['a', 'b'], online: ['a'] }, 'problem', 'q (1 of 2)'],
    ['two of three online', { online: ['a', 'b'] }, 'warning', '1 of 2 quorum queues lack a member: q (2 of 3)'],
    ['two members only', { members: ['a', 'b'], online: ['a', 'b'] }, 'warning', 'fewer than 3 members: q (2 of 2)'],
  ])('reports a quorum queue with %s', (_, more, state, finding) => {
    const { majorities } = judged({ quorumQueues: [queue('p', 'b'), queue('q', 'a', more)] });
    expect(majorities).toMatchObject({ state, finding: expect.stringContaining(finding) as string });
  });

  it('reports the queue whose only node is down', () => {
    const { majorities } = judged({ downQueues: [{ name: 'q', node: 'c' }] });
    expect(majorities).toMatchObject({ state: 'problem', finding: 'the only node of 1 queues is down: q on c' });
  });

  it('reports leaders on a single node and the command to rebalance', () => {
    const quorumQueues = ['q1', 'q2', 'q3'].map((name) => queue(name, 'b'));
    expect(judged({ quorumQueues })['leaders']).toMatchObject({
      state: 'warning',
      finding: 'all are on one node: a 0, b 3, c 0',
      advice: expect.stringContaining('rabbitmq-queues rebalance quorum') as string,
    });
  });

  it('reports a node without leaders after its restart', () => {
    const quorumQueues = [queue('q1', 'a'), queue('q2', 'b'), queue('q3', 'b')];
    expect(judged({ quorumQueues })['leaders']).toMatchObject({
      state: 'warning',
      finding: 'c has none: a 1, b 2, c 0',
    });
  });

  it('ignores missing leaders on a node that is down', () => {
    const nodes = [node('a'), node('b'), node('c', { isRunning: false })];
    const quorumQueues = [queue('q1', 'a'), queue('q2', 'b')];
    expect(judged({ nodes, quorumQueues })['leaders']).toMatchObject({ state: 'ok', finding: 'a 1, b 1' });
  });
});

const REPLICATED: ReplicationFacts = {
  isStandby: false,
  clusterName: 'pg',
  waitingCommits: 0,
  synchronousNames: 'ANY 1 ("pg-2","pg-3","pg-1")',
  standbys: [
    { name: 'pg-2', lagBytes: 0 },
    { name: 'pg-3', lagBytes: 1_024 },
  ],
};
const replication = (more: Partial<ReplicationFacts>): Finding | undefined =>
  judgeReplication({ ...REPLICATED, ...more })[0];

describe('replication findings', () => {
  it('reports ok when all standbys are connected', () => {
    const finding = '2 standbys are connected; commits wait for 1';
    expect(replication({})).toMatchObject({ state: 'ok', finding });
  });

  it('reports ok without any standby', () => {
    expect(replication({ synchronousNames: '', standbys: [] })).toMatchObject({ state: 'ok' });
  });

  it('reports blocked writes when too few standbys are connected', () => {
    expect(replication({ standbys: [] })).toMatchObject({
      state: 'problem',
      finding: 'commits wait for 1 standbys, and 0 are connected: all writes wait',
      advice: expect.stringContaining('runbooks/DatabaseStandbyAway.md') as string,
    });
  });

  it('reports commits that wait for a silent standby', () => {
    expect(replication({ waitingCommits: 4 })).toMatchObject({
      state: 'problem',
      finding: '4 commits have waited over 2 s for a standby',
    });
  });

  it('warns that losing another standby stops all writes', () => {
    expect(replication({ standbys: [{ name: 'pg-2', lagBytes: 0 }] })).toMatchObject({
      state: 'warning',
      finding: '1 of 2 standbys are connected; the loss of another one stops all writes',
    });
  });

  it('reports a lagging standby by name', () => {
    const standbys = [
      { name: 'pg-2', lagBytes: 300 * 1024 * 1024 },
      { name: 'pg-3', lagBytes: 0 },
    ];
    expect(replication({ standbys })).toMatchObject({ state: 'warning', finding: 'pg-2 is 300 MB behind' });
  });

  it('reports missing permissions of a login without pg_monitor', () => {
    const standbys = ['pg-2', 'pg-3'].map((name) => ({ name, lagBytes: null }));
    const finding = '2 standbys are connected; commits wait for 1; the login needs pg_monitor to see their lag';
    expect(replication({ standbys })).toMatchObject({ state: 'ok', finding });
  });

  it('does not count a base backup as a standby', () => {
    const standbys = [{ name: 'pg_basebackup', lagBytes: null }];
    expect(replication({ standbys })).toMatchObject({ state: 'problem' });
    expect(replication({ standbys, synchronousNames: '*' })).toMatchObject({ state: 'ok' });
  });

  it('reports an address that connects to a standby', () => {
    expect(replication({ isStandby: true, standbys: [] })).toMatchObject({ state: 'problem' });
  });
});

describe('synchronousStandbys', () => {
  it.each<[string, string, number, number]>([
    ['', '', 0, 0],
    ['a', '', 1, 1],
    ['a, b', '', 1, 2],
    ['2 (a, b, c)', '', 2, 3],
    ['FIRST 2 (a, "b-2", c)', '', 2, 3],
    ['any 1 ("one, two", b)', '', 1, 2],
    ['ANY 1 (*)', '', 1, 0],
    ['*', '', 1, 0],
    ['ANY 1 ("pg-2","pg-3","pg-1")', 'pg', 1, 2],
    ['ANY 1 ("pg-2","other")', 'pg', 1, 2],
  ])('parses %j in the cluster %j: commits wait for %d of %d', (setting, cluster, needed, count) => {
    expect(synchronousStandbys(setting, cluster)).toMatchObject({ needed, count });
  });

  it('parses names with and without quotes', () => {
    expect(synchronousStandbys('FIRST 2 (a, "b, c", d)', '').names).toEqual(['a', 'b, c', 'd']);
  });
});
