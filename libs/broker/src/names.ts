import { randomUUID } from 'node:crypto';
import {
  type BrokerLogin,
  BROADCASTS_EXCHANGE,
  deadLetterQueueOf,
  exchangeOf,
  type MessageContract,
  queueOf,
  REPLIES_EXCHANGE,
  type ServiceName,
  waitQueueOf,
} from '@switchboard/contracts';

/** Names of exchanges and queues on one broker, prefixed with the installation's namespace if it has one. */
export class Names {
  private readonly prefix: string;

  /** @param namespace prefixes each name as `<namespace>.<name>`; empty for none */
  constructor(namespace: string) {
    this.prefix = namespace === '' ? '' : `${namespace}.`;
  }

  get repliesExchange(): string {
    return this.prefix + REPLIES_EXCHANGE;
  }

  get broadcastsExchange(): string {
    return this.prefix + BROADCASTS_EXCHANGE;
  }

  /** Exchange whose name identifies, by fingerprint, the topology that the broker's set-up has declared. */
  setUp(fingerprint: string): string {
    return `${this.prefix}sb.set-up.${fingerprint}`;
  }

  exchange(login: BrokerLogin): string {
    return this.prefix + exchangeOf(login);
  }

  queue(contract: MessageContract, consumer: ServiceName): string {
    return this.prefix + queueOf(contract, consumer);
  }

  /** Prefix of all durable queues of a service. */
  queuesOf(service: ServiceName): string {
    return `${this.prefix}${service}.`;
  }

  /** Queue of a service that is always empty ({@link MajorityProbe}). */
  probeQueue(service: ServiceName): string {
    return `${this.queuesOf(service)}probe`;
  }

  /** Prefix of all queues of a service that are deleted with their connection. */
  passingQueuesOf(service: ServiceName): string {
    return `${this.prefix}sb.passing.${service}.`;
  }

  /** Returns whether the name belongs to a connection-bound queue of any service. */
  isPassingQueue(name: string): boolean {
    return name.startsWith(`${this.prefix}sb.passing.`);
  }

  /** Returns an unguessable name for a connection-bound queue. */
  newPassingQueue(service: ServiceName): string {
    return this.passingQueuesOf(service) + randomUUID();
  }

  /** Adds the prefix to a queue name typed by an operator. */
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
