import type { BrokerCluster, BrokerNode, QuorumQueue } from '@switchboard/broker';
import { type Finding, named, ok, problem, RUNBOOKS, warning } from './doctor-findings';

/** Replication state as reported by PostgreSQL. */
export interface ReplicationFacts {
  /** True if the address connects to a standby. */
  isStandby: boolean;
  /** Value of `synchronous_standby_names`. */
  synchronousNames: string;
  /** Value of `cluster_name`. */
  clusterName: string;
  /** Number of commits that have been waiting for a standby for more than two seconds. */
  waitingCommits: number;
  /** Connected standbys by `application_name`. The lag is null if the login may not read it. */
  standbys: { name: string; lagBytes: number | null }[];
}

/** Members that a quorum queue needs to survive the loss of a node. */
const COPIES = 3;
/** Maximum WAL that a standby may not have replayed, in bytes: four segments. Above it, a warning is reported. */
const LAG_WARNING = 64 * 1024 * 1024;

const NODE_DOWN = `${RUNBOOKS}/BrokerNodeDown.md`;
const MEMBER_MISSING = `${RUNBOOKS}/QuorumQueueMemberMissing.md`;
const NO_MAJORITY = `${RUNBOOKS}/QuorumQueueWithoutMajority.md`;
const STANDBY_LAGS = `${RUNBOOKS}/DatabaseReplicationLag.md`;
const STANDBY_AWAY = `${RUNBOOKS}/DatabaseStandbyAway.md`;

/** Returns one finding each about nodes, quorum and leaders. */
export function judgeCluster(cluster: BrokerCluster): Finding[] {
  return [judgeNodes(cluster.nodes), judgeMajorities(cluster), judgeLeaders(cluster)];
}

function judgeNodes(nodes: readonly BrokerNode[]): Finding {
  const down = nodes.filter(({ isRunning }) => !isRunning).map(({ name }) => name);
  const cutOff = nodes.flatMap(({ name, partitions }) =>
    partitions.length > 0 ? [`${name} does not reach ${partitions.join(', ')}`] : [],
  );
  const alarms = nodes.flatMap(({ name, alarms: short }) =>
    short.length > 0 ? [`${name} is short of ${short.join(' and ')}`] : [],
  );
  if (cutOff.length > 0)
    return problem(
      'nodes',
      `network partition: ${named(cutOff)}`,
      `Repair the network, then restart the node: ${NODE_DOWN}`,
    );
  if (down.length > 0)
    return problem(
      'nodes',
      `${down.length} of ${nodes.length} are down or cut off: ${named(down)}`,
      `Bring it back: ${NODE_DOWN}`,
    );
  if (alarms.length > 0)
    return problem('nodes', `${named(alarms)}; publishers are blocked`, `${RUNBOOKS}/BrokerAlarm.md`);
  return ok('nodes', nodes.length === 1 ? 'the only one runs' : `all ${nodes.length} run`);
}

function judgeMajorities({ nodes, quorumQueues, downQueues }: BrokerCluster): Finding {
  const lost = quorumQueues.filter(({ members, online }) => online.length * 2 <= members.length);
  const fewer = quorumQueues.filter(({ members, online }) => online.length < members.length);
  const copies = Math.min(COPIES, nodes.length);
  const small = quorumQueues.filter(({ members }) => members.length < copies);
  if (lost.length > 0)
    return problem(
      'majorities',
      `${lost.length} of ${quorumQueues.length} quorum queues have no majority and accept nothing: ${named(lost.map(titled))}`,
      `Bring their nodes back: ${NO_MAJORITY}`,
    );
  if (downQueues.length > 0)
    return problem(
      'majorities',
      `the only node of ${downQueues.length} queues is down: ${named(downQueues.map(({ name, node }) => `${name} on ${node}`))}`,
      `Bring it back: ${NODE_DOWN}`,
    );
  if (fewer.length > 0)
    return warning(
      'majorities',
      `${fewer.length} of ${quorumQueues.length} quorum queues lack a member: ${named(fewer.map(titled))}`,
      `The next loss may take their majority: ${NODE_DOWN}`,
    );
  if (small.length > 0)
    return warning(
      'majorities',
      `${small.length} of ${quorumQueues.length} quorum queues have fewer than ${copies} members: ${named(small.map(titled))}`,
      `Run rabbitmq-queues grow <node> all for each node that lacks one: ${MEMBER_MISSING}`,
    );
  return ok('majorities', `all members of ${quorumQueues.length} quorum queues are online`);
}

const titled = ({ name, members, online }: QuorumQueue): string => `${name} (${online.length} of ${members.length})`;

function judgeLeaders({ nodes, quorumQueues }: BrokerCluster): Finding {
  const running = nodes.filter(({ isRunning }) => isRunning);
  const counts = running.map(({ name }) => ({
    name,
    leaders: quorumQueues.filter(({ leader }) => leader === name).length,
  }));
  const spread = counts.map(({ name, leaders }) => `${name} ${leaders}`).join(', ');
  const idle = counts.filter(({ leaders }) => leaders === 0).map(({ name }) => name);
  if (running.length < 2 || quorumQueues.length < running.length || idle.length === 0) return ok('leaders', spread);
  return warning(
    'leaders',
    idle.length === running.length - 1 ? `all are on one node: ${spread}` : `${named(idle)} has none: ${spread}`,
    'Run rabbitmq-queues rebalance quorum on a node.',
  );
}

/** @param facts replication state as visible to the gateway's login */
export function judgeReplication(facts: ReplicationFacts): Finding[] {
  return [judgeStandbys(facts)];
}

function judgeStandbys({
  isStandby,
  synchronousNames,
  clusterName,
  waitingCommits,
  standbys,
}: ReplicationFacts): Finding {
  if (isStandby)
    return problem(
      'replication',
      'DATABASE_URL leads to a standby, which accepts no writes',
      `DATABASE_URL must lead to the primary: ${STANDBY_AWAY}`,
    );
  const { needed, names, count } = synchronousStandbys(synchronousNames, clusterName);
  // A base backup connects like a standby, but is not listed.
  const connected = standbys.filter(({ name }) => names.includes('*') || needed === 0 || names.includes(name)).length;
  if (connected < needed)
    return problem(
      'replication',
      `commits wait for ${needed} standbys, and ${connected} are connected: all writes wait`,
      `Bring a standby back: ${STANDBY_AWAY}`,
    );
  if (waitingCommits > 0)
    return problem(
      'replication',
      `${waitingCommits} commits have waited over 2 s for a standby`,
      `The standby does not respond: ${STANDBY_AWAY}`,
    );
  if (connected < count)
    return warning(
      'replication',
      `${connected} of ${count} standbys are connected${connected === needed ? '; the loss of another one stops all writes' : ''}`,
      `Bring the standby back: ${STANDBY_AWAY}`,
    );
  const behind = standbys.filter(({ lagBytes }) => (lagBytes ?? 0) > LAG_WARNING);
  if (behind.length > 0)
    return warning(
      'replication',
      named(behind.map(({ name, lagBytes }) => `${name} is ${Math.round((lagBytes ?? 0) / 1024 / 1024)} MB behind`)),
      STANDBY_LAGS,
    );
  if (connected === 0) return ok('replication', 'no standby is configured or connected');
  const isHidden = standbys.some(({ lagBytes }) => lagBytes === null);
  const lag = isHidden ? '; the login needs pg_monitor to see their lag' : '';
  return ok('replication', `${connected} standbys are connected; commits wait for ${needed}${lag}`);
}

/**
 * Parses `synchronous_standby_names`: `ANY 1 (a, "b-2")`, `FIRST 2 (a, b)`, `2 (a, b)` or `a, b`.
 * @param clusterName CloudNativePG's cluster name; such a cluster lists all its servers, including the primary
 * @returns the number of standbys that each commit waits for, the listed names, and how many of these are standbys; `*`
 * counts as none
 */
export function synchronousStandbys(
  setting: string,
  clusterName: string,
): { needed: number; names: string[]; count: number } {
  if (setting.trim() === '') return { needed: 0, names: [], count: 0 };
  const [, needed = '1', list = setting] = /^\s*(?:(?:ANY|FIRST)\s+)?(\d+)\s*\(([^)]*)\)\s*$/i.exec(setting) ?? [];
  const names = [...list.matchAll(/"((?:[^"]|"")*)"|[^\s,"]+/g)].map(([whole, quoted]) => quoted ?? whole);
  const listsPrimary = clusterName !== '' && names.every((name) => name.startsWith(`${clusterName}-`));
  const standbys = names.filter((name) => name !== '*').length;
  return { needed: Number(needed), names, count: listsPrimary ? standbys - 1 : standbys };
}
