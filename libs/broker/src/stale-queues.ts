import { SERVICES } from '@switchboard/contracts';
import { type BrokerAddress, lookAtQueue, withConnection } from './dead-letters';
import { type BrokerAdmin, readManagementApi, vhostOf } from './management-api';
import { Names } from './names';
import { durableQueues, queuedContracts } from './topology';

/** What the name of a queue of ours ends with that is not the first of its message. */
const BESIDE = /\.(?:dlq|wait\.\d+)$/;

/** Queues of one message that no contract of this version has: the queue, those it waits in and its dead letters. */
export interface StaleQueues {
  /** The message's queue, without namespace. */
  queue: string;
  /** All that belong together, with the namespace; the message's own queue first, which feeds the others. */
  names: string[];
  /** In all of them. */
  messages: number;
  /** Processes that still take messages from one of them: another version runs. */
  consumers: number;
}

/**
 * The queues of contracts that no longer exist. Queues of this version, those that die with their connection, and those
 * of anybody else are not among them.
 * @throws Error with the answer of the management API
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
      const states = await Promise.all(group.map((name) => lookAtQueue(model, name)));
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
 * Deletes stale queues of one message, its own first, so that nothing comes into the others meanwhile. What they hold
 * and who takes from them is looked at again right before: quorum queues know no deletion on a condition.
 * @param options.withMessages also when they hold messages, which are lost
 * @returns the names of those that were deleted; none when they hold messages, or a process takes from them
 */
export function deleteStaleQueues(
  admin: BrokerAddress,
  { names }: Pick<StaleQueues, 'names'>,
  { withMessages }: { withMessages: boolean },
): Promise<string[]> {
  return withConnection(admin, async (model) => {
    const states = await Promise.all(names.map((name) => lookAtQueue(model, name)));
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

/** Recognises a queue of the services by its name: service, message with version, and optional suffix. */
export function isOurs(name: string, names: Names): boolean {
  const service = SERVICES.find((each) => name.startsWith(names.queuesOf(each)));
  return service !== undefined && /\.v\d+(?:\.dlq|\.wait\.\d+)?$/.test(name);
}

async function listQueues(admin: BrokerAdmin): Promise<string[]> {
  const queues = await readManagementApi<{ name: string }[]>(admin, `queues/${vhostOf(admin)}?columns=name`);
  return queues.map(({ name }) => name);
}
