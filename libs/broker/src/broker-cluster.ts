import { type BrokerAdmin, readManagementApi, vhostOf } from './management-api';
import { Names } from './names';
import { isOurs } from './stale-queues';

/** A node of the cluster, as the node that responds sees it. */
export interface BrokerNode {
  name: string;
  isRunning: boolean;
  /** Resources of which the node is short. Each alarm blocks the publishers of the whole cluster. */
  alarms: ('memory' | 'disk')[];
  /** Nodes that it counts as cut off. */
  partitions: string[];
}

/** A quorum queue has copies on its members; its leader needs a majority of them. */
export interface QuorumQueue {
  name: string;
  /** The last known one; it may be down. */
  leader: string;
  members: string[];
  /** Members that run. */
  online: string[];
}

/** State of a broker's nodes and of the services' queues on them. */
export interface BrokerCluster {
  nodes: BrokerNode[];
  quorumQueues: QuorumQueue[];
  /** Queues of other types whose only node is down. */
  downQueues: { name: string; node: string }[];
}

/** A node of `/api/nodes`. One that is down has a name only. */
export interface NodeResource {
  name: string;
  running: boolean;
  mem_alarm?: boolean;
  disk_free_alarm?: boolean;
  partitions?: string[];
}

/** A queue of `/api/queues`. */
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
 * @throws Error when a response is an error or late
 */
export async function brokerCluster(admin: BrokerAdmin, { timeoutMs }: { timeoutMs: number }): Promise<BrokerCluster> {
  const [nodes, queues] = await Promise.all([
    readManagementApi<NodeResource[]>(admin, `nodes?columns=${NODE_COLUMNS}`, { timeoutMs }),
    readManagementApi<QueueResource[]>(admin, `queues/${vhostOf(admin)}?columns=${QUEUE_COLUMNS}`, { timeoutMs }),
  ]);
  return clusterOf(nodes, queues, admin.namespace);
}

/** @param queues of the virtual host; those of other programs and namespaces are left out */
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
