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
  handlers: ReadonlyMap<string, { contract: EventContract; handler: MessageHandler }>;
  names: Names;
  logger: Logger;
  /** Called when broadcasts may have been missed: after each subscription, and after a handler failed. */
  onMissed(): void;
}

/**
 * Receives the events that are broadcast to every process of the service. The queue is exclusive to the connection and
 * deleted with it. Events published while disconnected are lost, so `onMissed` is called after each reconnection.
 */
export class BroadcastListener {
  constructor(private readonly options: BroadcastOptions) {}

  async attach(model: ChannelModel): Promise<void> {
    const { service, handlers, names, onMissed } = this.options;
    const channel = await model.createChannel();
    channel.on('error', () => undefined);
    // While the connection is up, only a manual deletion of the queue closes this channel. A reconnect declares the
    // queue again.
    channel.on('close', () => destroySocket(model, new BrokerAwayError('the broadcast channel was lost')));
    // Set every argument, as for all our queues, so that no broker version applies its own defaults.
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
    // Notify after binding: later events are received, and the listener re-reads whatever earlier ones changed.
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
      // A broadcast is not redelivered, so a failure counts as a missed event.
      logger.error({ contract: name, messageId: delivery.messageId, err: error }, 'broadcast.failed');
      countDelivery(name, 'failed');
      onMissed();
    }
  }
}
