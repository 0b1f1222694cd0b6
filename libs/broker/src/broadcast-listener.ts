import type { MessageHandler } from '@nestjs/microservices';
import { type EventContract, parseBody, type ServiceName } from '@switchboard/contracts';
import type { Logger } from '@switchboard/platform';
import type { ChannelModel, ConsumeMessage } from 'amqplib';
import { BrokerAwayError } from './errors';
import { callHandler, deliveryOf } from './handler-call';
import { countDelivery } from './metrics';
import type { Names } from './names';
import { destroySocket } from './socket';

export interface BroadcastOptions {
  service: ServiceName;
  /** By the event's name. */
  handlers: ReadonlyMap<string, { contract: EventContract; handler: MessageHandler }>;
  names: Names;
  logger: Logger;
  /** Called when broadcasts may have been missed: after each subscription, and when a handler failed on one. */
  onMissed(): void;
}

/**
 * Hears the events that go to every process of the service. Its queue belongs to the connection and dies with it:
 * what was published meanwhile is gone, which `onMissed` says.
 */
export class BroadcastListener {
  constructor(private readonly options: BroadcastOptions) {}

  /** Subscribes on a (new) connection. */
  async attach(model: ChannelModel): Promise<void> {
    const { service, handlers, names, onMissed } = this.options;
    const channel = await model.createChannel();
    channel.on('error', () => undefined);
    // Only deleting the queue by hand leads here while the connection lives: the next connection declares it again.
    channel.on('close', () => destroySocket(model, new BrokerAwayError('the broadcast channel was lost')));
    // Every argument is explicit, as for all our queues.
    const { queue } = await channel.assertQueue(names.newPassingQueue(service), {
      exclusive: true,
      autoDelete: true,
      durable: false,
      arguments: { 'x-queue-type': 'classic' },
    });
    for (const name of handlers.keys()) await channel.bindQueue(queue, names.broadcastsExchange, name);
    await channel.consume(
      queue,
      (message) => (message ? void this.onBroadcast(message) : void channel.close().catch(() => undefined)),
      { noAck: true },
    );
    // Bound already: what happens from now on is heard, what happened before is read anew.
    onMissed();
  }

  private async onBroadcast(message: ConsumeMessage): Promise<void> {
    const { handlers, logger, onMissed } = this.options;
    const name = message.fields.routingKey;
    const entry = handlers.get(name);
    if (!entry) return;
    const delivery = deliveryOf(message);
    try {
      const body = parseBody(entry.contract.body, JSON.parse(message.content.toString()));
      await callHandler(entry.contract, entry.handler, message, body, delivery);
      countDelivery(name, 'handled');
    } catch (error) {
      // There is no second try: as good as missed.
      logger.error({ contract: name, messageId: delivery.messageId, err: error }, 'broadcast.failed');
      countDelivery(name, 'failed');
      onMissed();
    }
  }
}
