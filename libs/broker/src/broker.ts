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
  /** Determines which messages are handled and how the connections are named. */
  service: ServiceName;
  /** `amqp://` or `amqps://` address. */
  url: string;
  /** Prefix of every exchange and queue; empty for none. */
  namespace: string;
  logger: Logger;
  /** Messages of one queue processed at a time; 50 when absent. */
  prefetch?: number;
  /** Type of the command queues, declared only by a login with that permission; `quorum` when absent. */
  commandQueues?: CommandQueueType;
  /** Age in milliseconds at which connections are replaced; never when absent. */
  connectionMaxAgeMs?: number;
  /** Keys to encrypt requests of commands that hold a secret. When absent, such requests are sent in clear. */
  encryptionKeys?: EncryptionKeys;
}

/** Broker settings of a service (`serviceFields`). */
export interface BrokerSettings {
  RABBITMQ_URL: string;
  BROKER_NAMESPACE: string;
  COMMAND_QUEUES: CommandQueueType;
  BROKER_CONNECTION_MAX_AGE_SECONDS: number;
  ENCRYPTION_KEY?: string;
  ENCRYPTION_KEY_PREVIOUS?: string;
}

/** Converts the settings of a service to options for {@link createBroker}. */
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
  /** Time to wait for the reply once the command is accepted, in milliseconds; defaults to the contract's timeout. */
  timeoutMs?: number;
}

export interface PublishOptions {
  /** Lets consumers deduplicate a message that is published again; defaults to a new id. */
  messageId?: string;
}

export interface EnqueueOptions extends PublishOptions {
  /** One of the contract's delays; no delay when absent. */
  delaySeconds?: number;
}

/**
 * Client of RabbitMQ for one service. It publishes and sends commands over one connection and consumes over another, so
 * that the broker can throttle a publisher without stopping its consumers.
 */
export class Broker {
  /**
   * Delivers messages to the service's controllers: `NestFactory.createMicroservice(Module, { strategy:
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
    this.publisher = new Publisher(names, service, checkReady, logger);
    const box = new RequestBox(options.encryptionKeys);
    // A single node is a majority of one, so classic queues need no probe.
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
   * Sends a command to another service and waits for its reply.
   * @throws AppError as the handler threw it. UNAVAILABLE when nothing was done and nothing will be: immediately while
   * the broker is away, within two seconds when no process accepts the command. PAYLOAD_TOO_LARGE when the request
   * exceeds the contract's `maxBytes`. OUTCOME_UNKNOWN when a command that changes something was sent, and the
   * connection or the process that accepted it was lost or no reply came in time. A command that changes nothing fails
   * with UNAVAILABLE then.
   */
  request<Request extends object, Response extends object>(
    command: CommandContract<Request, Response>,
    request: Request,
    options: RequestOptions = {},
  ): Promise<Response> {
    return this.rpc.request(command, request, options);
  }

  /**
   * Publishes an event and returns when every consumer's queue has stored it. The call is not part of any database
   * transaction: use the outbox (`tx.publish`) for events that must not be lost.
   * @throws UnroutableError when no queue receives it, Error when the broker does not confirm or the body is larger
   * than the contract allows
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
   * Enqueues a task and returns when its queue has stored it.
   * @throws UnroutableError when no queue receives it or the contract has no such delay, Error when the broker does not
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

  /** Publishes an event or task in its serialized form, as stored in the outbox. */
  send(message: OutgoingMessage): Promise<void> {
    return this.publisher.send(message);
  }

  /**
   * Registers a listener that is called whenever this process starts to receive broadcasts: at the start and after each
   * reconnection. Broadcasts may have been missed, so the listener must re-read the state that they keep up to date.
   */
  onBroadcastsMissed(listener: () => void): void {
    this.transport.onBroadcastsMissed(listener);
  }

  /**
   * Connects for publishing and commands, and stays connected. Waits while the broker is away.
   * @throws TopologyMismatchError, or the broker's error when it rejects the login or virtual host
   */
  connect(): Promise<void> {
    return this.connection.open();
  }

  /** Returns the number of waiting messages in each queue of the service. @throws BrokerAwayError */
  async queueLengths(): Promise<QueueLength[]> {
    const channel = await this.connection.openChannel();
    const lengths = await this.topology.lengths(channel);
    await channel.close();
    return lengths;
  }

  /**
   * Opens new connections, which a load balancer may route to other nodes, and closes the current ones once they are
   * idle.
   */
  async replaceConnections(reason: string): Promise<void> {
    await Promise.all([this.connection.replace(reason), this.transport.replaceConnection(reason)]);
  }

  /** @throws Error while not connected or while the broker blocks publishers */
  checkReady(): void {
    this.connection.checkReady();
    this.transport.checkReady();
  }

  isReady(): boolean {
    try {
      this.checkReady();
      return true;
    } catch {
      return false;
    }
  }

  /** Stops consuming, waits for running handlers, and closes both connections. */
  async close(): Promise<void> {
    await this.transport.close();
    await this.connection.close();
  }
}

/** Creates a broker that connects when its transport listens or `connect` is called. */
export function createBroker(options: BrokerOptions): Broker {
  return new Broker(options);
}
