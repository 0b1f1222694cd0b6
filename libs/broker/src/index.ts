export * from './broker';
export * from './broker-cluster';
export * from './broker.module';
export type { BrokerTransport } from './broker-transport';
export {
  type BrokerAddress,
  type DeadLetter,
  deadLetterCounts,
  listDeadLetters,
  readDeadLetter,
  returnDeadLetters,
} from './dead-letters';
export * from './delivery';
export * from './errors';
export * from './handler-decorators';
export * from './inbox';
export type { BrokerAdmin } from './management-api';
export * from './outbox-relay';
export * from './prepare-broker';
export { publishersBlockedBy, type ServiceQueues, serviceQueues } from './queue-states';
export * from './rights';
export { deleteStaleQueues, type StaleQueues, staleQueues } from './stale-queues';
export type { OutgoingMessage } from './publisher';
export * from './stored-secrets.module';
export type { CommandQueueType } from './topology';
export { buildMessageService, type MessageServiceOptions } from './message-service';
