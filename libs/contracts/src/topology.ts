import * as declared from './all-contracts';
import type { CommandContract, EventContract, MessageContract, TaskContract } from './message-contract';
import type { BrokerLogin, ServiceName } from './services';

/** Topic exchange of the replies to commands. */
export const REPLIES_EXCHANGE = 'sb.replies';
/** Topic exchange of the events that every process of a service receives, bound to the exchanges of their producers. */
export const BROADCASTS_EXCHANGE = 'sb.broadcasts';

/** Retry delays after an internal failure, in seconds; the last delay repeats. */
export const FAILURE_DELAYS_SECONDS = [1, 10, 60] as const;
/** Number of internal failures after which a message is dead-lettered. */
export const MAX_FAILURES = 20;

/** All contracts that the files of `all-contracts.ts` export, by name. */
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
 * Returns everything that a service must handle: its commands and tasks, and the events that it consumes or listens to.
 */
export function contractsHandledBy(service: ServiceName): MessageContract[] {
  return [
    ...COMMANDS.filter((contract) => contract.owner === service),
    ...TASKS.filter((contract) => contract.owner === service),
    ...EVENTS.filter((contract) => contract.consumers.includes(service) || isBroadcastTo(contract, service)),
  ];
}

/**
 * Checks whether every process of the service receives the event, instead of one of them from the queue of the service.
 */
export function isBroadcastTo(contract: MessageContract, service: ServiceName): contract is EventContract {
  return contract.kind === 'event' && (contract.broadcastTo?.includes(service) ?? false);
}

/** Returns the services that send a message. */
export function sendersOf(contract: MessageContract): readonly ServiceName[] {
  if (contract.kind === 'command') return contract.callers;
  return contract.kind === 'task' ? contract.senders : [contract.producer, ...(contract.alsoPublishedBy ?? [])];
}

/** Returns the direct exchange to which only this login may publish; its bindings limit what the login can reach. */
export function exchangeOf(login: BrokerLogin): string {
  return `sb.${login}`;
}

/**
 * Returns the queue on which a service receives a message: the name of a command or task, `<consumer>.<event>` for an
 * event.
 */
export function queueOf(contract: MessageContract, consumer: ServiceName): string {
  return contract.kind === 'event' ? `${consumer}.${contract.name}` : contract.name;
}

/** Returns the queue whose messages return to `queue` after `seconds`. */
export function waitQueueOf(queue: string, seconds: number): string {
  return `${queue}.wait.${seconds}`;
}

/** Returns the dead letter queue of `queue`. */
export function deadLetterQueueOf(queue: string): string {
  return `${queue}.dlq`;
}
