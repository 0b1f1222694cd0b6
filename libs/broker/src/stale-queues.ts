import { SERVICES } from '@switchboard/contracts';
import { type BrokerAddress, inspectQueue, withConnection } from './dead-letters';
import { type BrokerAdmin, readManagementApi, vhostOf } from './management-api';
import { Names } from './names';
import { durableQueues, queuedContracts } from './topology';

/** Suffix of the wait and dead-letter queues of a message. */
const BESIDE = /\.(?:dlq|wait\.\d+)$/;

/** Queues of a message that has no contract in this version: its main queue, wait queues and dead-letter queue. */
export interface StaleQueues {
  /** Main queue of the message, without namespace. */
  queue: string;
  /** Names of all queues of the message, with namespace. The main queue comes first, because it feeds the others. */
  names: string[];
  messages: number;
  /** Consumers of these queues. Any consumer means that another version runs. */
  consumers: number;
}

/**
 * Returns the queues of contracts that no longer exist. Skips queues of this version, connection-bound queues, and
 * queues of other programs.
 * @throws Error with the response of the management API
 */
export async function staleQueues(admin: BrokerAdmin): Promise<StaleQueues[]> {
  const names = new Names(admin.namespace);
  const known = new Set(SERVICES.flatMap((service) => queuesOf(service, names)));
  const stale = (await listQueues(admin)).filter((name) => isOurs(name, names) && !known.has(name)).sort();
  const groups = new Map<string, string[]>();
  for (const name of stale) {
    const own = name.replace(BESIDE, '');
    groups.set(own, [...(groups.get(own) ?? []), name]);
  }
  return withConnection(admin, async (model) => {
    const found: StaleQueues[] = [];
    for (const [own, group] of groups) {
      const states = await Promise.all(group.map((name) => inspectQueue(model, name)));
      found.push({
        queue: own.slice(names.prefixed('').length),
        names: group,
        messages: states.reduce((sum, state) => sum + (state?.messageCount ?? 0), 0),
        consumers: states.reduce((sum, state) => sum + (state?.consumerCount ?? 0), 0),
      });
    }
    return found;
  });
}

/**
 * Deletes stale queues of one message, the main queue first, so that no message reaches the others meanwhile. Checks
 * messages and consumers immediately before, because quorum queues support no conditional deletion.
 * @param options.withMessages also deletes queues that hold messages, which are lost
 * @returns names of the deleted queues; empty when they hold messages or have consumers
 */
export function deleteStaleQueues(
  admin: BrokerAddress,
  { names }: Pick<StaleQueues, 'names'>,
  { withMessages }: { withMessages: boolean },
): Promise<string[]> {
  return withConnection(admin, async (model) => {
    const states = await Promise.all(names.map((name) => inspectQueue(model, name)));
    if (states.some((state) => (state?.consumerCount ?? 0) > 0)) return [];
    if (!withMessages && states.some((state) => (state?.messageCount ?? 0) > 0)) return [];
    const channel = await model.createChannel();
    for (const name of names) await channel.deleteQueue(name);
    await channel.close();
    return names;
  });
}

function queuesOf(service: (typeof SERVICES)[number], names: Names): string[] {
  return queuedContracts(service).flatMap((contract) => {
    const queue = names.queue(contract, service);
    return contract.kind === 'command' ? [queue] : durableQueues(names, queue, contract).map((one) => one.queue);
  });
}

/** Returns whether a name is that of a service queue: service, message with version, and optional suffix. */
export function isOurs(name: string, names: Names): boolean {
  const service = SERVICES.find((each) => name.startsWith(names.queuesOf(each)));
  return service !== undefined && /\.v\d+(?:\.dlq|\.wait\.\d+)?$/.test(name);
}

async function listQueues(admin: BrokerAdmin): Promise<string[]> {
  const queues = await readManagementApi<{ name: string }[]>(admin, `queues/${vhostOf(admin)}?columns=name`);
  return queues.map(({ name }) => name);
}
