import { randomUUID } from 'node:crypto';
import {
  bodyJson,
  type CommandContract,
  type EventContract,
  type ServiceName,
  type TaskContract,
} from '@switchboard/contracts';
import type { EncryptionKeys, Logger } from '@switchboard/platform';
import { RpcClient } from './rpc-client';
import { BrokerConnection } from './broker-connection';
import { BrokerTransport } from './broker-transport';
import { Names } from './names';
import { type OutgoingMessage, Publisher } from './publisher';
import { RequestBox } from './sealed-request';
import { type CommandQueueType, type QueueLength, Topology } from './topology';

const DEFAULT_PREFETCH = 50;

export interface BrokerOptions {
  /** Decides what is handled and under which name the connections show up. */
  service: ServiceName;
  /** `amqp://` or `amqps://` address. */
  url: string;
  /** Prefix of every exchange and queue; empty for none. */
  namespace: string;
  logger: Logger;
  /** How many messages of one queue are worked on at a time; 50 when absent. */
  prefetch?: number;
  /** Of what type a login that may declare queues declares those of commands; `quorum` when absent. */
  commandQueues?: CommandQueueType;
  /** Age in milliseconds at which connections are replaced; never when absent. */
  connectionMaxAgeMs?: number;
  /** Encrypt the requests of commands that hold a secret; such requests leave in clear when absent. */
  encryptionKeys?: EncryptionKeys;
}

/** The settings of a service that say how it uses the broker (`serviceFields`). */
export interface BrokerSettings {
  RABBITMQ_URL: string;
  BROKER_NAMESPACE: string;
  COMMAND_QUEUES: CommandQueueType;
  BROKER_CONNECTION_MAX_AGE_SECONDS: number;
  ENCRYPTION_KEY?: string;
  ENCRYPTION_KEY_PREVIOUS?: string;
}

/** Options for {@link createBroker} from the settings of a service. */
export function brokerOptionsOf(
  settings: BrokerSettings,
): Pick<BrokerOptions, 'url' | 'namespace' | 'commandQueues' | 'connectionMaxAgeMs' | 'encryptionKeys'> {
  const { BROKER_CONNECTION_MAX_AGE_SECONDS: maxAge, ENCRYPTION_KEY, ENCRYPTION_KEY_PREVIOUS } = settings;
  return {
    url: settings.RABBITMQ_URL,
    namespace: settings.BROKER_NAMESPACE,
    commandQueues: settings.COMMAND_QUEUES,
    ...(maxAge > 0 && { connectionMaxAgeMs: maxAge * 1_000 }),
    ...(ENCRYPTION_KEY !== undefined && { encryptionKeys: { ENCRYPTION_KEY, ENCRYPTION_KEY_PREVIOUS } }),
  };
}

export interface RequestOptions {
  /** How long to wait for the answer once the command is taken, in milliseconds; the contract's time when absent. */
  timeoutMs?: number;
}

export interface PublishOptions {
  /** Recognised by consumers when it is published again; a new one when absent. */
  messageId?: string;
}

export interface EnqueueOptions extends PublishOptions {
  /** One of the contract's delays; at once when absent. */
  delaySeconds?: number;
}

/**
 * A service's way to RabbitMQ: one connection to publish and ask, another one to consume,
 * so that the broker can slow down a publisher without stopping its consumers.
 */
export class Broker {
  /**
   * Makes the service's controllers receive messages: `NestFactory.createMicroservice(Module, { strategy:
   * broker.transport })`.
   */
  readonly transport: BrokerTransport;
  readonly logger: Logger;
  private readonly connection: BrokerConnection;
  private readonly topology: Topology;
  private readonly publisher: Publisher;
  private readonly rpc: RpcClient;

  constructor(options: BrokerOptions) {
    const { service, url, namespace, logger, prefetch = DEFAULT_PREFETCH } = options;
    const { commandQueues = 'quorum', connectionMaxAgeMs: maxAgeMs } = options;
    const names = new Names(namespace);
    const topology = new Topology(names, service, commandQueues);
    this.topology = topology;
    this.logger = logger;
    const checkReady = (): void => this.connection.checkReady();
    const untilBack = (): Promise<void> | undefined => this.connection.untilBack();
    this.publisher = new Publisher(names, service, checkReady);
    const box = new RequestBox(options.encryptionKeys);
    // One node is a majority of one.
    const probeQueue = commandQueues === 'quorum' ? names.probeQueue(service) : undefined;
    this.rpc = new RpcClient(names, service, { checkReady, untilBack }, box);
    this.connection = new BrokerConnection({
      url,
      name: `${service} publisher`,
      logger,
      watchdog: true,
      maxAgeMs,
      probeQueue,
      setUp: async (model) => {
        await topology.prepare(model);
        await this.publisher.open(model);
        await this.rpc.open(model);
      },
      putToUse: () => {
        this.publisher.putToUse();
        this.rpc.putToUse();
      },
      unconfirmedMs: () => Math.max(this.publisher.unconfirmedMs(), this.rpc.unconfirmedMs()),
      isReplacedBusy: () => this.publisher.isReplacedBusy() || this.rpc.isReplacedBusy(),
    });
    this.transport = new BrokerTransport({
      service,
      url,
      logger,
      names,
      topology,
      prefetch,
      maxAgeMs,
      probeQueue,
      publisher: this.publisher,
      box,
      connectPublisher: () => this.connect(),
    });
  }

  /**
   * Asks another service and waits for its answer.
   * @throws AppError as the handler threw it; UNAVAILABLE when nothing was done and nothing will be: at once while the
   * broker is away, within two seconds when nobody takes the command; PAYLOAD_TOO_LARGE when the request takes more
   * than the contract's `maxBytes`; OUTCOME_UNKNOWN when a command that changes something was sent, and the connection
   * or the process that took it was lost or no answer came in time. A command that changes nothing is UNAVAILABLE then.
   */
  request<Request extends object, Response extends object>(
    command: CommandContract<Request, Response>,
    request: Request,
    options: RequestOptions = {},
  ): Promise<Response> {
    return this.rpc.request(command, request, options);
  }

  /**
   * Publishes a fact: returns when every consumer's queue has stored it.
   * Not part of any database transaction: what must not be lost goes through the outbox (`tx.publish`).
   * @throws UnroutableError when no queue takes it, Error when the broker does not confirm or the body is larger than
   * the contract allows
   */
  async publish<Body extends object>(
    event: EventContract<Body>,
    body: Body,
    options: PublishOptions = {},
  ): Promise<void> {
    await this.send({
      kind: 'event',
      name: event.name,
      body: bodyJson(event, body),
      messageId: options.messageId ?? randomUUID(),
    });
  }

  /**
   * Hands over a task: returns when its queue has stored it.
   * @throws UnroutableError when no queue takes it or the contract has no such delay, Error when the broker does not
   * confirm or the body is larger than the contract allows
   */
  async enqueue<Body extends object>(
    task: TaskContract<Body>,
    body: Body,
    options: EnqueueOptions = {},
  ): Promise<void> {
    const { messageId = randomUUID(), delaySeconds } = options;
    await this.send({ kind: 'task', name: task.name, body: bodyJson(task, body), messageId, delaySeconds });
  }

  /** Publishes an event or task in its wire form, as the outbox keeps it. */
  send(message: OutgoingMessage): Promise<void> {
    return this.publisher.send(message);
  }

  /**
   * The listener is called whenever this process begins to hear broadcasts, at the start and after each loss of the
   * connection: it may have missed some, so whatever they keep up to date must be read again.
   */
  onBroadcastsMissed(listener: () => void): void {
    this.transport.onBroadcastsMissed(listener);
  }

  /**
   * Connects for publishing and asking, and stays connected. Waits while the broker is away.
   * @throws TopologyMismatchError, or the broker's refusal of the login or virtual host
   */
  connect(): Promise<void> {
    return this.connection.open();
  }

  /** How many messages wait in each queue of the service. @throws BrokerAwayError */
  async queueLengths(): Promise<QueueLength[]> {
    const channel = await this.connection.openChannel();
    const lengths = await this.topology.lengths(channel);
    await channel.close();
    return lengths;
  }

  /**
   * Opens new connections, which a load balancer may lead to other nodes, and closes the present ones when nothing is
   * under way on them.
   */
  async replaceConnections(reason: string): Promise<void> {
    await Promise.all([this.connection.replace(reason), this.transport.replaceConnection(reason)]);
  }

  /** @throws Error while not connected or while the broker refuses publishers */
  checkReady(): void {
    this.connection.checkReady();
    this.transport.checkReady();
  }

  /** Whether it is connected and the broker takes messages: what `checkReady` finds, for those that then wait. */
  isReady(): boolean {
    try {
      this.checkReady();
      return true;
    } catch {
      return false;
    }
  }

  /** Stops consuming, waits for running handlers, closes both connections. */
  async close(): Promise<void> {
    await this.transport.close();
    await this.connection.close();
  }
}

/** A broker that connects when its transport listens or `connect` is called. */
export function createBroker(options: BrokerOptions): Broker {
  return new Broker(options);
}
