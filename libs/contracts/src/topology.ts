import { addNumberV1 } from './commands/add-number.v1';
import { getJobV1 } from './commands/get-job.v1';
import { getTemplateV1 } from './commands/get-template.v1';
import { listMessagesV1 } from './commands/list-messages.v1';
import { listNumbersV1 } from './commands/list-numbers.v1';
import { listTemplatesV1 } from './commands/list-templates.v1';
import { sendMessageV1 } from './commands/send-message.v1';
import { setEndpointV1 } from './commands/set-endpoint.v1';
import { verifyCodeV1 } from './commands/verify-code.v1';
import { messageReceivedV1 } from './events/message-received.v1';
import { messageStatusChangedV1 } from './events/message-status-changed.v1';
import { numberAddedV1 } from './events/number-added.v1';
import { templateStatusChangedV1 } from './events/template-status-changed.v1';
import { upstreamMessagesReceivedV1 } from './events/upstream-messages-received.v1';
import { upstreamTemplateChangedV1 } from './events/upstream-template-changed.v1';
import type { CommandContract, EventContract, MessageContract, TaskContract } from './message-contract';
import type { ServiceName } from './services';
import { deliverEventV1 } from './tasks/deliver-event.v1';

/** Topic exchange of all events. */
export const EVENTS_EXCHANGE = 'sb.events';
/** Direct exchange of all tasks. */
export const TASKS_EXCHANGE = 'sb.tasks';

/** How long a message waits after our own failure before it is tried again, in seconds; the last delay repeats. */
export const FAILURE_DELAYS_SECONDS = [1, 10, 60] as const;
/** After so many failed tries of ours a message goes to the dead letters. */
export const MAX_FAILURES = 20;

export const COMMANDS: readonly CommandContract[] = [
  sendMessageV1,
  listMessagesV1,
  listNumbersV1,
  addNumberV1,
  listTemplatesV1,
  getTemplateV1,
  verifyCodeV1,
  getJobV1,
  setEndpointV1,
];
export const TASKS: readonly TaskContract[] = [deliverEventV1];
export const EVENTS: readonly EventContract[] = [
  upstreamMessagesReceivedV1,
  upstreamTemplateChangedV1,
  messageReceivedV1,
  messageStatusChangedV1,
  numberAddedV1,
  templateStatusChangedV1,
];
export const ALL_CONTRACTS: readonly MessageContract[] = [...COMMANDS, ...TASKS, ...EVENTS];

/** Everything a service must handle: the commands and tasks it owns, the events it consumes. */
export function contractsHandledBy(service: ServiceName): MessageContract[] {
  return [
    ...COMMANDS.filter((contract) => contract.owner === service),
    ...TASKS.filter((contract) => contract.owner === service),
    ...EVENTS.filter((contract) => contract.consumers.includes(service)),
  ];
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
