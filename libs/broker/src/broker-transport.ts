import { type CustomTransportStrategy, type MessageHandler, Server } from '@nestjs/microservices';
import { contractsHandledBy, isBroadcastTo, type MessageContract, type ServiceName } from '@switchboard/contracts';
import type { Logger } from '@switchboard/platform';
import type { ChannelModel } from 'amqplib';
import { BroadcastListener } from './broadcast-listener';
import { setTimeout as delay } from 'node:timers/promises';
import { BrokerConnection } from './broker-connection';
import { DatabasePause } from './database-pause';
import { handlerProblems } from './handler-check';
import { heldOf } from './held-messages';
import type { Names } from './names';
import type { Publisher } from './publisher';
import { QueueConsumer } from './queue-consumer';
import type { RequestBox } from './sealed-request';
import { queuedContracts, type Topology } from './topology';

/** Maximum wait for running handlers at shutdown. The broker redelivers the messages of unfinished handlers. */
const DRAIN_TIMEOUT_MS = 5_000;
/** Time after which a new connection is used even if some consumers are not confirmed yet. */
const ATTACH_WITHIN_MS = 2_000;

export interface TransportOptions {
  service: ServiceName;
  url: string;
  logger: Logger;
  names: Names;
  topology: Topology;
  prefetch: number;
  maxAgeMs: number | undefined;
  probeQueue: string | undefined;
  publisher: Publisher;
  box: RequestBox;
  connectPublisher(): Promise<void>;
}

/** NestJS transport: dispatches the messages of a service's queues to the handlers of its controllers. */
export class BrokerTransport extends Server implements CustomTransportStrategy {
  private readonly patterns: string[] = [];
  private readonly connection: BrokerConnection;
  private readonly pause: DatabasePause;
  private readonly missedListeners: (() => void)[] = [];
  private consumers: QueueConsumer[] = [];
  private broadcasts?: BroadcastListener;
  private isListening = false;
  /** True when the publishing side has just declared the queues, so the first connection can skip that. */
  private isDeclared = false;
  private closing?: Promise<void>;

  constructor(private readonly options: TransportOptions) {
    super();
    const { url, service, logger, maxAgeMs, probeQueue } = options;
    this.pause = new DatabasePause(logger);
    this.connection = new BrokerConnection({
      url,
      name: `${service} consumer`,
      logger,
      maxAgeMs,
      probeQueue,
      probes: true,
      setUp: (model) => this.attachConsumers(model),
      onReplaced: () => this.detachConsumers(),
    });
  }

  /** Records every pattern, because Nest silently replaces the first of two handlers for the same message. */
  override addHandler(
    pattern: string,
    callback: MessageHandler,
    isEventHandler?: boolean,
    extras?: Record<string, unknown>,
  ): void {
    this.patterns.push(pattern);
    super.addHandler(pattern, callback, isEventHandler, extras);
  }

  /** Starts consuming. An error passed to the callback rejects Nest's `listen`. */
  listen(callback: (error?: unknown) => void): void {
    this.start().then(
      () => callback(),
      (error: unknown) => callback(error),
    );
  }

  onBroadcastsMissed(listener: () => void): void {
    this.missedListeners.push(listener);
  }

  /** @throws Error when the transport listens but cannot receive messages */
  checkReady(): void {
    if (this.isListening) this.connection.checkReady();
  }

  async replaceConnection(reason: string): Promise<void> {
    if (this.isListening) await this.connection.replace(reason);
  }

  /** Stops consuming, waits for running handlers and disconnects. Repeated calls return the same promise. */
  close(): Promise<void> {
    this.closing ??= this.stop();
    return this.closing;
  }

  on(): never {
    throw new Error('the transport has no events of its own: see the log and the metrics');
  }

  unwrap<T>(): T {
    throw new Error('the connection is not handed out');
  }

  private async start(): Promise<void> {
    const { service } = this.options;
    const problems = handlerProblems(service, this.patterns);
    if (problems.length > 0) throw new Error(`${service} cannot start: ${problems.join('; ')}`);
    this.consumers = this.consumersOf(queuedContracts(service));
    this.broadcasts = this.broadcastListener();
    await this.options.connectPublisher();
    this.isDeclared = true;
    this.isListening = true;
    await this.connection.open();
  }

  private async stop(): Promise<void> {
    await Promise.all(this.consumers.map((consumer) => consumer.drain(DRAIN_TIMEOUT_MS)));
    await this.connection.close();
  }

  private consumersOf(contracts: readonly MessageContract[]): QueueConsumer[] {
    const { service, names, topology, publisher, box, logger } = this.options;
    const { pause } = this;
    const queues = contracts.map((contract) => ({ contract, prefetch: this.prefetchOf(contract) }));
    const held = heldOf(queues);
    return queues.map(({ contract, prefetch }, index) => {
      const handler = this.handlerOf(contract);
      return new QueueConsumer({
        contract,
        service,
        handler,
        names,
        topology,
        prefetch,
        held: held[index] ?? 1,
        publisher,
        box,
        pause,
        logger,
      });
    });
  }

  private prefetchOf(contract: MessageContract): number {
    return contract.prefetch ?? this.options.prefetch;
  }

  private broadcastListener(): BroadcastListener | undefined {
    const { service, names, logger } = this.options;
    const contracts = contractsHandledBy(service).filter((contract) => isBroadcastTo(contract, service));
    if (contracts.length === 0) return undefined;
    const handlers = new Map(
      contracts.map((contract) => [contract.name, { contract, handler: this.handlerOf(contract) }]),
    );
    const onMissed = (): void => this.missedListeners.forEach((listener) => listener());
    return new BroadcastListener({ service, handlers, names, logger, onMissed });
  }

  private handlerOf(contract: MessageContract): MessageHandler {
    const handler = this.messageHandlers.get(contract.name);
    if (!handler) throw new Error(`${contract.name} has no handler`);
    return handler;
  }

  /**
   * Subscribes to all queues. At startup each queue must exist. Later, a queue without a majority may respond late or
   * never, so the other queues do not wait for it.
   */
  private async attachConsumers(model: ChannelModel): Promise<void> {
    const { isDeclared } = this;
    this.isDeclared = false;
    if (isDeclared) await Promise.all(this.consumers.map((consumer) => consumer.attach(model, { isDeclared })));
    else
      await Promise.race([
        Promise.all(this.consumers.map((consumer) => consumer.attachAgain(model))),
        delay(ATTACH_WITHIN_MS, undefined, { ref: false }),
      ]);
    await this.broadcasts?.attach(model);
  }

  /** Stops the consumers of a replaced connection. They still reply to the messages that they have received. */
  private async detachConsumers(): Promise<void> {
    await Promise.all(this.consumers.map((consumer) => consumer.retire()));
  }
}
