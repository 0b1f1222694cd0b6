import { connect, type ConfirmChannel, type GetMessage } from 'amqplib';
import { failuresOf, HEADERS, headersToCarryOn, JSON_CONTENT } from './wire';
import { Names } from './names';

/** Where to look: an installation's broker. */
export interface BrokerAddress {
  /** `amqp://` or `amqps://` address. */
  url: string;
  /** As given to `createBroker`. */
  namespace: string;
}

/** A message that nobody could handle. The body is not shown: it may be personal. */
export interface DeadLetter {
  messageId: string;
  /** Why it was given up; the broker's own word when it was the broker that did. */
  reason: string;
  failures: number;
  /** ISO 8601 UTC, when known. */
  failedAt?: string;
  bytes: number;
}

/**
 * Looks at dead letters of a queue and leaves them there; those looked at may move to its end.
 * @param queue the queue's own name, without namespace and `.dlq`
 */
export function listDeadLetters(address: BrokerAddress, queue: string, limit: number): Promise<DeadLetter[]> {
  return withChannel(address, async (channel, names) => {
    const found = await takeAll(channel, names.deadLetterQueue(names.prefixed(queue)), limit);
    giveBack(channel, found);
    return found.map(deadLetterOf);
  });
}

/**
 * Sends dead letters back to their queue with no failures counted. Each one is deleted when its queue has stored it.
 * @param queue the queue's own name, without namespace and `.dlq`
 * @param options.messageIds only these; all of those looked at when absent
 * @param options.limit how many of the oldest to look at; 1,000 when absent
 * @returns how many were sent back
 */
export function returnDeadLetters(
  address: BrokerAddress,
  queue: string,
  { messageIds, limit = 1_000 }: { messageIds?: readonly string[]; limit?: number } = {},
): Promise<number> {
  return withChannel(address, async (channel, names) => {
    const target = names.prefixed(queue);
    const found = await takeAll(channel, names.deadLetterQueue(target), limit);
    const chosen = found.filter(({ properties }) => !messageIds || messageIds.includes(String(properties.messageId)));
    giveBack(channel, found.filter((message) => !chosen.includes(message)));
    // Fails when the queue is gone: a confirm alone would not say that the message was stored.
    await channel.checkQueue(target);
    for (const message of chosen) sendBack(channel, target, message);
    await channel.waitForConfirms();
    for (const message of chosen) channel.ack(message);
    return chosen.length;
  });
}

function sendBack(channel: ConfirmChannel, queue: string, { content, properties }: GetMessage): void {
  const { messageId, type, appId, timestamp, contentType = JSON_CONTENT } = properties;
  const headers = { ...headersToCarryOn(properties.headers), [HEADERS.failures]: 0 };
  channel.sendToQueue(queue, content, { messageId, type, appId, timestamp, contentType, headers, persistent: true });
}

function deadLetterOf({ content, properties }: GetMessage): DeadLetter {
  const headers = properties.headers ?? {};
  const failedAt: unknown = headers[HEADERS.failedAt];
  return {
    messageId: String(properties.messageId ?? ''),
    reason: String(headers[HEADERS.reason] ?? `dead-lettered by the broker: ${headers['x-first-death-reason'] ?? 'unknown reason'}`),
    failures: failuresOf(headers),
    ...(typeof failedAt === 'string' && { failedAt }),
    bytes: content.length,
  };
}

/** Puts messages back in their place before the channel closes, so that the next one to look finds them. */
function giveBack(channel: ConfirmChannel, messages: readonly GetMessage[]): void {
  for (const message of messages) channel.nack(message, false, true);
}

/** Takes messages without acking them. */
async function takeAll(channel: ConfirmChannel, queue: string, limit: number): Promise<GetMessage[]> {
  const messages: GetMessage[] = [];
  while (messages.length < limit) {
    const message = await channel.get(queue);
    if (!message) break;
    messages.push(message);
  }
  return messages;
}

async function withChannel<T>({ url, namespace }: BrokerAddress, work: (channel: ConfirmChannel, names: Names) => Promise<T>): Promise<T> {
  const model = await connect(url, { noDelay: true, timeout: 5_000 });
  model.on('error', () => undefined);
  try {
    const channel = await model.createConfirmChannel();
    channel.on('error', () => undefined);
    const result = await work(channel, new Names(namespace));
    await channel.close();
    return result;
  } finally {
    // A connection that broke has already failed the work.
    await model.close().catch(() => undefined);
  }
}
