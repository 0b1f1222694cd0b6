import { queueOf, SERVICES } from '@switchboard/contracts';
import { type ChannelModel, connect, type ConfirmChannel, type GetMessage } from 'amqplib';
import { failuresOf, HEADERS, headersToCarryOn, JSON_CONTENT } from './wire';
import { setTimeout as delay } from 'node:timers/promises';
import { Names } from './names';
import { destroySocket } from './socket';
import { queuedContracts } from './topology';

/** AMQP's code for a queue that does not exist or whose node is down. */
const NOT_FOUND = 404;
const CONNECT_MS = 5_000;
/** Maximum time for an orderly close, in milliseconds. A silent broker never confirms one. */
const CLOSE_MS = 500;

export interface BrokerAddress {
  /** `amqp://` or `amqps://` address. */
  url: string;
  /** Same value as given to `createBroker`. */
  namespace: string;
}

/** Message that no handler could process. The body is omitted, because it may contain personal data. */
export interface DeadLetter {
  messageId: string;
  /** Reason for dead-lettering: RabbitMQ's own when the broker moved the message, otherwise that of the handler. */
  reason: string;
  failures: number;
  /** ISO 8601 UTC, when known. */
  failedAt?: string;
  bytes: number;
}

/** Returns the number of dead letters of each queue. Queues that were never declared are left out. */
export function deadLetterCounts(address: BrokerAddress): Promise<{ queue: string; count: number }[]> {
  const queues = SERVICES.flatMap((service) =>
    queuedContracts(service)
      .filter(({ kind }) => kind !== 'command')
      .map((contract) => queueOf(contract, service)),
  );
  return withConnection(address, async (model, names) => {
    const counts: { queue: string; count: number }[] = [];
    for (const queue of queues) {
      const state = await inspectQueue(model, names.deadLetterQueue(names.prefixed(queue)));
      if (state) counts.push({ queue, count: state.messageCount });
    }
    return counts;
  });
}

/**
 * Returns one dead letter with its body, which may contain personal data. The message stays in the queue.
 * @param options.limit number of messages to scan, oldest first
 */
export function readDeadLetter(
  address: BrokerAddress,
  queue: string,
  { messageId, limit }: { messageId: string; limit: number },
): Promise<(DeadLetter & { body: string }) | undefined> {
  return withChannel(address, async (channel, names) => {
    const found = await takeAll(channel, names.deadLetterQueue(names.prefixed(queue)), limit);
    requeue(channel, found);
    const message = found.find(({ properties }) => properties.messageId === messageId);
    return message && { ...deadLetterOf(message), body: message.content.toString() };
  });
}

/**
 * Lists the dead letters of a queue without removing them. Scanned messages may move to the end of the queue.
 * @param queue the queue's own name, without namespace and `.dlq`
 */
export function listDeadLetters(address: BrokerAddress, queue: string, limit: number): Promise<DeadLetter[]> {
  return withChannel(address, async (channel, names) => {
    const found = await takeAll(channel, names.deadLetterQueue(names.prefixed(queue)), limit);
    requeue(channel, found);
    return found.map(deadLetterOf);
  });
}

/**
 * Moves dead letters back to their queue and resets their failure count. Each one is deleted only after its queue has
 * stored it.
 * @param queue the queue's own name, without namespace and `.dlq`
 * @param options.messageIds ids to move; all scanned messages when absent
 * @param options.limit number of messages to scan, oldest first; 1,000 when absent
 * @returns number of messages moved
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
    requeue(
      channel,
      found.filter((message) => !chosen.includes(message)),
    );
    // Fails when the queue is gone: a confirm alone does not prove that the message was stored.
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
    requeue(channel, kept);
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

/** Requeues messages before the channel closes, so that the next scan finds them. */
function requeue(channel: ConfirmChannel, messages: readonly GetMessage[]): void {
  for (const message of messages) channel.nack(message, false, true);
}

async function takeAll(channel: ConfirmChannel, queue: string, limit: number): Promise<GetMessage[]> {
  const messages: GetMessage[] = [];
  while (messages.length < limit) {
    const message = await channel.get(queue);
    if (!message) break;
    messages.push(message);
  }
  return messages;
}

/** Error for a queue that exists but whose state is unavailable because its node is down. */
export class QueueUnavailableError extends Error {
  override readonly name = 'QueueUnavailableError';
}

/**
 * Reads the state of a queue on a separate channel, because a failure closes the channel.
 * @returns undefined when there is no such queue
 * @throws QueueUnavailableError
 */
export async function inspectQueue(
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
    const { code, message } = error as { code?: unknown; message: string };
    if (code !== NOT_FOUND) throw error;
    if (message.includes('no queue')) return undefined;
    throw new QueueUnavailableError(message, { cause: error });
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

/** Runs work on a dedicated connection, which is closed afterwards even when the broker does not respond. */
export async function withConnection<T>(
  { url, namespace }: BrokerAddress,
  work: (model: ChannelModel, names: Names) => Promise<T>,
  { connectMs = CONNECT_MS }: { connectMs?: number } = {},
): Promise<T> {
  const model = await connect(url, { noDelay: true, timeout: connectMs });
  model.on('error', () => undefined);
  try {
    return await work(model, new Names(namespace));
  } finally {
    // A broken connection has already failed the work.
    await Promise.race([model.close().catch(() => undefined), delay(CLOSE_MS, undefined, { ref: false })]);
    destroySocket(model, new Error('closed'));
  }
}
