import * as declared from './all-contracts';
import type { CommandContract, EventContract, MessageContract, TaskContract } from './message-contract';
import type { BrokerLogin, ServiceName } from './services';

/** Topic exchange of the replies to commands. */
export const REPLIES_EXCHANGE = 'sb.replies';
/** Topic exchange of the events that every process of a service hears; fed by the exchanges of their producers. */
export const BROADCASTS_EXCHANGE = 'sb.broadcasts';

/** How long a message waits after our own failure before it is tried again, in seconds; the last delay repeats. */
export const FAILURE_DELAYS_SECONDS = [1, 10, 60] as const;
/** After so many failed tries of ours a message goes to the dead letters. */
export const MAX_FAILURES = 20;

/** Every contract that a file of `all-contracts.ts` exports, by its name. */
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
 * Everything a service must handle: the commands and tasks it owns, the events it consumes or its processes listen to.
 */
export function contractsHandledBy(service: ServiceName): MessageContract[] {
  return [
    ...COMMANDS.filter((contract) => contract.owner === service),
    ...TASKS.filter((contract) => contract.owner === service),
    ...EVENTS.filter((contract) => contract.consumers.includes(service) || isBroadcastTo(contract, service)),
  ];
}

/** Whether every process of the service hears the event, instead of one of them taking it from the service's queue. */
export function isBroadcastTo(contract: MessageContract, service: ServiceName): contract is EventContract {
  return contract.kind === 'event' && (contract.broadcastTo?.includes(service) ?? false);
}

/** The services that send a message. */
export function sendersOf(contract: MessageContract): readonly ServiceName[] {
  if (contract.kind === 'command') return contract.callers;
  return contract.kind === 'task' ? contract.senders : [contract.producer, ...(contract.alsoPublishedBy ?? [])];
}

/**
 * The direct exchange to which this login publishes, and no other one may: what is bound to it is what it can reach.
 */
export function exchangeOf(login: BrokerLogin): string {
  return `sb.${login}`;
}

/** The queue on which a service receives a message: a command's or task's name, `<consumer>.<event>` for an event. */
export function queueOf(contract: MessageContract, consumer: ServiceName): string {
  return contract.kind === 'event' ? `${consumer}.${contract.name}` : contract.name;
}

/** The queue whose messages come back to `queue` after `seconds`. */
export function waitQueueOf(queue: string, seconds: number): string {
  return `${queue}.wait.${seconds}`;
}

/** Where messages of `queue` go that nobody can handle. */
export function deadLetterQueueOf(queue: string): string {
  return `${queue}.dlq`;
}
