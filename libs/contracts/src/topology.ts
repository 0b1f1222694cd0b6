import * as declared from './all-contracts';
import type { CommandContract, EventContract, MessageContract, TaskContract } from './message-contract';
import type { BrokerLogin, ServiceName } from './services';

/** Topic exchange for the replies to commands. */
export const REPLIES_EXCHANGE = 'sb.replies';
/** Topic exchange for events that every process of a service receives; bound to the producers' exchanges. */
export const BROADCASTS_EXCHANGE = 'sb.broadcasts';

/** Retry delays after an internal failure, in seconds; the last delay repeats. */
export const FAILURE_DELAYS_SECONDS = [1, 10, 60] as const;
/** Number of internal failures after which a message becomes a dead letter. */
export const MAX_FAILURES = 20;

/** All contracts exported by `all-contracts.ts`. */
export const ALL_CONTRACTS: readonly MessageContract[] = Object.values<unknown>(declared)
  .filter(isContract)
  .sort((one, other) => (one.name < other.name ? -1 : 1));
export const COMMANDS: readonly CommandContract[] = ALL_CONTRACTS.filter((contract) => contract.kind === 'command');
export const TASKS: readonly TaskContract[] = ALL_CONTRACTS.filter((contract) => contract.kind === 'task');
export const EVENTS: readonly EventContract[] = ALL_CONTRACTS.filter((contract) => contract.kind === 'event');

function isContract(exported: unknown): exported is MessageContract {
  return typeof exported === 'object' && exported !== null && 'kind' in exported && 'sample' in exported;
}

/**
 * Returns the messages that a service must handle: its commands and tasks, and the events that it consumes or listens
 * to.
 */
export function contractsHandledBy(service: ServiceName): MessageContract[] {
  return [
    ...COMMANDS.filter((contract) => contract.owner === service),
    ...TASKS.filter((contract) => contract.owner === service),
    ...EVENTS.filter((contract) => contract.consumers.includes(service) || isBroadcastTo(contract, service)),
  ];
}

/** Checks whether every process of the service receives the event, rather than one process from the service's queue. */
export function isBroadcastTo(contract: MessageContract, service: ServiceName): contract is EventContract {
  return contract.kind === 'event' && (contract.broadcastTo?.includes(service) ?? false);
}

export function sendersOf(contract: MessageContract): readonly ServiceName[] {
  if (contract.kind === 'command') return contract.callers;
  return contract.kind === 'task' ? contract.senders : [contract.producer, ...(contract.alsoPublishedBy ?? [])];
}

/**
 * Returns the login's own direct exchange, the only one to which it may publish. The exchange's bindings limit which
 * queues the login can reach.
 */
export function exchangeOf(login: BrokerLogin): string {
  return `sb.${login}`;
}

/**
 * Returns the queue from which a service receives a message. For a command or task, it is named after the message; for
 * an event, `<consumer>.<event>`.
 */
export function queueOf(contract: MessageContract, consumer: ServiceName): string {
  return contract.kind === 'event' ? `${consumer}.${contract.name}` : contract.name;
}

/** Returns the wait queue from which messages return to `queue` after `seconds`. */
export function waitQueueOf(queue: string, seconds: number): string {
  return `${queue}.wait.${seconds}`;
}

export function deadLetterQueueOf(queue: string): string {
  return `${queue}.dlq`;
}
