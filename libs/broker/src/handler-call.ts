import type { MessageHandler } from '@nestjs/microservices';
import { extractTrace, inSpan, SpanKind } from '@switchboard/platform';
import type { ConsumeMessage } from 'amqplib';
import { randomUUID } from 'node:crypto';
import { isObservable, lastValueFrom } from 'rxjs';
import type { Delivery } from './delivery';
import { observeHandler } from './metrics';
import { deadlineOf, failuresOf } from './wire';

/** What a handler is told about a message. */
export function deliveryOf({ properties, fields }: ConsumeMessage): Delivery {
  const messageId: unknown = properties.messageId;
  return {
    messageId: typeof messageId === 'string' && messageId !== '' ? messageId : randomUUID(),
    failures: failuresOf(properties.headers),
    deadline: deadlineOf(properties.headers),
    redelivered: fields.redelivered,
  };
}

/** Runs a handler inside a span of the message's trace and measures it. */
export function callHandler(contract: string, handler: MessageHandler, message: ConsumeMessage, body: object, delivery: Delivery): Promise<unknown> {
  const startedAt = performance.now();
  const parent = extractTrace(message.properties.headers);
  return inSpan(`handle ${contract}`, { kind: SpanKind.CONSUMER, parent, attributes: { 'messaging.message.id': delivery.messageId } }, async () => {
    try {
      const result: unknown = await handler(body, delivery);
      return isObservable(result) ? await lastValueFrom(result, { defaultValue: undefined }) : result;
    } finally {
      observeHandler(contract, (performance.now() - startedAt) / 1_000);
    }
  });
}
