import type { MessageHandler } from '@nestjs/microservices';
import type { MessageContract } from '@switchboard/contracts';
import { extractTrace, inSpan, inWorkload, withLongStatements, type Workload } from '@switchboard/platform';
import type { ConsumeMessage } from 'amqplib';
import { randomUUID } from 'node:crypto';
import { isObservable, lastValueFrom } from 'rxjs';
import type { Delivery } from './delivery';
import { messagingSpan } from './messaging-span';
import { observeHandler } from './metrics';
import { deadlineOf, failuresOf } from './wire';

export function deliveryOf({ properties, fields }: ConsumeMessage): Delivery {
  const messageId: unknown = properties.messageId;
  return {
    messageId: typeof messageId === 'string' && messageId !== '' ? messageId : randomUUID(),
    failures: failuresOf(properties.headers),
    deadline: deadlineOf(properties.headers),
    redelivered: fields.redelivered,
  };
}

/**
 * Runs a handler in a span of the message's trace, within the workload of the message's kind, and records its duration.
 */
export function callHandler(
  contract: MessageContract,
  handler: MessageHandler,
  message: ConsumeMessage,
  body: object,
  delivery: Delivery,
): Promise<unknown> {
  const startedAt = performance.now();
  const parent = extractTrace(message.properties.headers);
  const { exchange, routingKey } = message.fields;
  const [name, options] = messagingSpan('process', { exchange, routingKey, messageId: delivery.messageId });
  return inSpan(name, { ...options, parent }, async () => {
    try {
      return await inWorkload(workloadOf(contract), () =>
        withinLimit(contract, () => resultOf(handler(body, delivery))),
      );
    } finally {
      observeHandler(contract.name, (performance.now() - startedAt) / 1_000);
    }
  });
}

async function resultOf(returned: unknown): Promise<unknown> {
  const result = await returned;
  return isObservable(result) ? lastValueFrom(result, { defaultValue: undefined }) : result;
}

function workloadOf(contract: MessageContract): Workload {
  if (contract.kind !== 'command') return 'events';
  return contract.changes ? 'requests' : 'reads';
}

/** Extends the statement timeout for a command whose contract allows a long run. */
function withinLimit<T>(contract: MessageContract, work: () => T): T {
  return contract.kind === 'command' && contract.timeoutMs >= LONG_COMMAND_MS
    ? withLongStatements(contract.timeoutMs, work)
    : work();
}

const LONG_COMMAND_MS = 30_000;
