import { AppError, type CommandContract, parseBody } from '@switchboard/contracts';
import { isDatabaseAway } from '@switchboard/database';
import type { Channel, ConsumeMessage } from 'amqplib';
import type { Delivery } from './delivery';
import { callHandler, deliveryOf } from './handler-call';
import { countDelivery } from './metrics';
import type { ConsumerOptions } from './queue-consumer';
import { settle } from './settle';
import { ERROR_REPLY, JSON_CONTENT } from './wire';

export type CommandWork = ConsumerOptions & { contract: CommandContract; channel: Channel };

interface Reply {
  content: string;
  type?: typeof ERROR_REPLY;
}

/** Answers one command; never rejects. A caller who has stopped waiting is not served. */
export async function answerCommand(work: CommandWork, message: ConsumeMessage): Promise<void> {
  const { contract, channel, logger } = work;
  const delivery = deliveryOf(message);
  if (delivery.deadline && delivery.deadline.getTime() <= Date.now()) {
    countDelivery(contract.name, 'expired');
    settle(logger, () => channel.ack(message));
    return;
  }
  const { content, type } = await replyTo(work, message, delivery);
  countDelivery(contract.name, type === ERROR_REPLY ? 'refused' : 'handled');
  const { replyTo: address, correlationId } = message.properties;
  settle(logger, () => {
    // In one tick, so that reply and ack leave in one packet.
    if (typeof address === 'string') channel.publish('', address, Buffer.from(content), { correlationId, type, contentType: JSON_CONTENT });
    channel.ack(message);
  });
}

async function replyTo({ contract, handler, logger }: CommandWork, message: ConsumeMessage, delivery: Delivery): Promise<Reply> {
  try {
    const body = parseBody(contract.request, JSON.parse(message.content.toString()));
    const result = await callHandler(contract.name, handler, message, body, delivery);
    return { content: JSON.stringify(result ?? null) };
  } catch (error) {
    const isRefusal = error instanceof AppError;
    if (!isRefusal) logger.error({ contract: contract.name, messageId: delivery.messageId, err: error }, 'command.failed');
    const refusal = isRefusal ? error : new AppError(isDatabaseAway(error) ? 'UNAVAILABLE' : 'INTERNAL');
    return { content: JSON.stringify(refusal.toBody()), type: ERROR_REPLY };
  }
}
