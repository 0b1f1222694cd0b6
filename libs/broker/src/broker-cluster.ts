import { type BrokerAdmin, readManagementApi, vhostOf } from './management-api';
import { Names } from './names';
import { isOurs } from './stale-queues';

/** State of a cluster node, as seen by the node that responds. */
export interface BrokerNode {
  name: string;
  isRunning: boolean;
  /** Active resource alarms. One alarm blocks the publishers of the whole cluster. */
  alarms: ('memory' | 'disk')[];
  /** Nodes that this node considers partitioned from itself. */
  partitions: string[];
}

/** A quorum queue is replicated on its members. Its leader needs a majority of them. */
export interface QuorumQueue {
  name: string;
  /** Last known leader, which may be down. */
  leader: string;
  members: string[];
  online: string[];
}

export interface BrokerCluster {
  nodes: BrokerNode[];
  quorumQueues: QuorumQueue[];
  /** Queues of other types whose only node is down. */
  downQueues: { name: string; node: string }[];
}

/** Node as returned by `/api/nodes`. For a node that is down, only the name is present. */
export interface NodeResource {
  name: string;
  running: boolean;
  mem_alarm?: boolean;
  disk_free_alarm?: boolean;
  partitions?: string[];
}

/** Queue as returned by `/api/queues`. */
export interface QueueResource {
  name: string;
  type?: string;
  state?: string;
  node?: string;
  leader?: string;
  members?: string[];
  online?: string[];
}

const NODE_COLUMNS = 'name,running,partitions,mem_alarm,disk_free_alarm';
const QUEUE_COLUMNS = 'name,type,state,node,leader,members,online';

/**
 * Reads the state of the cluster from the management API.
 * @param options.timeoutMs maximum time for each response, in milliseconds
 * @throws Error when the API returns an error or times out
 */
export async function brokerCluster(admin: BrokerAdmin, { timeoutMs }: { timeoutMs: number }): Promise<BrokerCluster> {
  const [nodes, queues] = await Promise.all([
    readManagementApi<NodeResource[]>(admin, `nodes?columns=${NODE_COLUMNS}`, { timeoutMs }),
    readManagementApi<QueueResource[]>(admin, `queues/${vhostOf(admin)}?columns=${QUEUE_COLUMNS}`, { timeoutMs }),
  ]);
  return clusterOf(nodes, queues, admin.namespace);
}

/** @param queues of the virtual host, including those of other programs and namespaces, which are ignored */
export function clusterOf(
  nodes: readonly NodeResource[],
  queues: readonly QueueResource[],
  namespace: string,
): BrokerCluster {
  const names = new Names(namespace);
  const own = queues.filter(({ name }) => isOurs(name, names));
  return {
    nodes: nodes.map(nodeOf),
    quorumQueues: own
      .filter(({ members }) => members !== undefined)
      .map(({ name, leader, node, members = [], online = [] }) => ({
        name,
        leader: leader ?? node ?? '',
        members,
        online,
      })),
    downQueues: own
      .filter(({ members, state }) => members === undefined && state === 'down')
      .map(({ name, node = '' }) => ({ name, node })),
  };
}

function nodeOf({ name, running, mem_alarm, disk_free_alarm, partitions = [] }: NodeResource): BrokerNode {
  const alarms: BrokerNode['alarms'] = [];
  if (mem_alarm === true) alarms.push('memory');
  if (disk_free_alarm === true) alarms.push('disk');
  return { name, isRunning: running, alarms, partitions };
}
