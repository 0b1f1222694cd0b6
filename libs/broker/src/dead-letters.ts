import { queueOf, SERVICES } from '@switchboard/contracts';
import { type ChannelModel, connect, type ConfirmChannel, type GetMessage } from 'amqplib';
import { failuresOf, HEADERS, headersToCarryOn, JSON_CONTENT } from './wire';
import { Names } from './names';
import { queuedContracts } from './topology';

/** AMQP's code for a queue that is not there. */
const NOT_FOUND = 404;

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

/** How many dead letters each queue has; queues that were never declared are left out. */
export function deadLetterCounts(address: BrokerAddress): Promise<{ queue: string; count: number }[]> {
  const queues = SERVICES.flatMap((service) =>
    queuedContracts(service)
      .filter(({ kind }) => kind !== 'command')
      .map((contract) => queueOf(contract, service)),
  );
  return withConnection(address, async (model, names) => {
    const counts: { queue: string; count: number }[] = [];
    for (const queue of queues) {
      const state = await lookAtQueue(model, names.deadLetterQueue(names.prefixed(queue)));
      if (state) counts.push({ queue, count: state.messageCount });
    }
    return counts;
  });
}

/**
 * One dead letter with its body, which may be personal; it stays where it is.
 * @param options.limit how many of the oldest to look at
 */
export function readDeadLetter(
  address: BrokerAddress,
  queue: string,
  { messageId, limit }: { messageId: string; limit: number },
): Promise<(DeadLetter & { body: string }) | undefined> {
  return withChannel(address, async (channel, names) => {
    const found = await takeAll(channel, names.deadLetterQueue(names.prefixed(queue)), limit);
    giveBack(channel, found);
    const message = found.find(({ properties }) => properties.messageId === messageId);
    return message && { ...deadLetterOf(message), body: message.content.toString() };
  });
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
    giveBack(
      channel,
      found.filter((message) => !chosen.includes(message)),
    );
    // Fails when the queue is gone: a confirm alone would not say that the message was stored.
    await channel.checkQueue(target);
    const returned = new Set<unknown>();
    channel.on('return', ({ properties }) => returned.add(properties.messageId));
    for (const message of chosen) sendBack(channel, names, target, message);
    await channel.waitForConfirms();
    const [back, kept] = [
      chosen.filter(({ properties }) => !returned.has(properties.messageId)),
      chosen.filter(({ properties }) => returned.has(properties.messageId)),
    ];
    for (const message of back) channel.ack(message);
    giveBack(channel, kept);
    return back.length;
  });
}

function sendBack(channel: ConfirmChannel, names: Names, queue: string, { content, properties }: GetMessage): void {
  const { messageId, type, appId, timestamp, contentType = JSON_CONTENT } = properties;
  const headers = { ...headersToCarryOn(properties.headers), [HEADERS.failures]: 0 };
  channel.publish(names.exchange('operator'), queue, content, {
    messageId,
    type,
    appId,
    timestamp,
    contentType,
    headers,
    persistent: true,
    mandatory: true,
  });
}

function deadLetterOf({ content, properties }: GetMessage): DeadLetter {
  const headers = properties.headers ?? {};
  const failedAt: unknown = headers[HEADERS.failedAt];
  return {
    messageId: String(properties.messageId ?? ''),
    reason: String(
      headers[HEADERS.reason] ?? `dead-lettered by the broker: ${headers['x-first-death-reason'] ?? 'unknown reason'}`,
    ),
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

/** Undefined when there is no such queue: looking at it costs the channel, not the connection. */
export async function lookAtQueue(
  model: ChannelModel,
  queue: string,
): Promise<{ messageCount: number; consumerCount: number } | undefined> {
  const channel = await model.createChannel();
  channel.on('error', () => undefined);
  try {
    const state = await channel.checkQueue(queue);
    await channel.close();
    return state;
  } catch (error) {
    if ((error as { code?: unknown }).code === NOT_FOUND) return undefined;
    throw error;
  }
}

function withChannel<T>(
  address: BrokerAddress,
  work: (channel: ConfirmChannel, names: Names) => Promise<T>,
): Promise<T> {
  return withConnection(address, async (model, names) => {
    const channel = await model.createConfirmChannel();
    channel.on('error', () => undefined);
    const result = await work(channel, names);
    await channel.close();
    return result;
  });
}

/** Runs work on a connection of its own. */
export async function withConnection<T>(
  { url, namespace }: BrokerAddress,
  work: (model: ChannelModel, names: Names) => Promise<T>,
): Promise<T> {
  const model = await connect(url, { noDelay: true, timeout: 5_000 });
  model.on('error', () => undefined);
  try {
    return await work(model, new Names(namespace));
  } finally {
    // A connection that broke has already failed the work.
    await model.close().catch(() => undefined);
  }
}
