import { deadLetterQueueOf, EVENTS_EXCHANGE, EXPIRED_COMMANDS_EXCHANGE, type MessageContract, queueOf, type ServiceName, TASKS_EXCHANGE, waitQueueOf } from '@switchboard/contracts';

/** The names of exchanges and queues on one broker, with the installation's prefix when it has one. */
export class Names {
  private readonly prefix: string;

  /** @param namespace prefixes each name as `<namespace>.<name>`; empty for none */
  constructor(namespace: string) {
    this.prefix = namespace === '' ? '' : `${namespace}.`;
  }

  get eventsExchange(): string {
    return this.prefix + EVENTS_EXCHANGE;
  }

  get tasksExchange(): string {
    return this.prefix + TASKS_EXCHANGE;
  }

  get expiredCommandsExchange(): string {
    return this.prefix + EXPIRED_COMMANDS_EXCHANGE;
  }

  queue(contract: MessageContract, consumer: ServiceName): string {
    return this.prefix + queueOf(contract, consumer);
  }

  /** A queue by its name without the prefix, as people type it. */
  prefixed(queue: string): string {
    return this.prefix + queue;
  }

  waitQueue(queue: string, seconds: number): string {
    return waitQueueOf(queue, seconds);
  }

  deadLetterQueue(queue: string): string {
    return deadLetterQueueOf(queue);
  }
}
