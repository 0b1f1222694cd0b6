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

/** The names of exchanges and queues on one broker, with the installation's prefix when it has one. */
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

  /** The exchange that says which topology the broker's set-up has declared, by its fingerprint. */
  setUp(fingerprint: string): string {
    return `${this.prefix}sb.set-up.${fingerprint}`;
  }

  /** The exchange of what this login sends. */
  exchange(login: BrokerLogin): string {
    return this.prefix + exchangeOf(login);
  }

  queue(contract: MessageContract, consumer: ServiceName): string {
    return this.prefix + queueOf(contract, consumer);
  }

  /** What the names of all queues of a service begin with that live on without it. */
  queuesOf(service: ServiceName): string {
    return `${this.prefix}${service}.`;
  }

  /** The quorum queue of a service that is always empty ({@link MajorityProbe}). */
  probeQueue(service: ServiceName): string {
    return `${this.queuesOf(service)}probe`;
  }

  /** What the names of all queues of a service begin with that die with their connection. */
  passingQueuesOf(service: ServiceName): string {
    return `${this.prefix}sb.passing.${service}.`;
  }

  /** Whether a queue that dies with its connection may have this name, of whichever service. */
  isPassingQueue(name: string): boolean {
    return name.startsWith(`${this.prefix}sb.passing.`);
  }

  /** A name that nobody can guess, for a queue that dies with its connection. */
  newPassingQueue(service: ServiceName): string {
    return this.passingQueuesOf(service) + randomUUID();
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
