import {
  type EventContract,
  FAILURE_DELAYS_SECONDS,
  MAX_FAILURES,
  parseBody,
  sendersOf,
  type TaskContract,
} from '@switchboard/contracts';
import { isDatabaseAway } from '@switchboard/database';
import type { Channel, ConsumeMessage } from 'amqplib';
import { setTimeout as delay } from 'node:timers/promises';
import type { Delivery } from './delivery';
import { PartlyHandledError, PermanentError } from './errors';
import { callHandler, deliveryOf } from './handler-call';
import { countDelivery } from './metrics';
import type { ConsumerOptions } from './queue-consumer';
import { settle } from './settle';
import { HEADERS, headersToCarryOn, JSON_CONTENT } from './wire';

export type TaskWork = ConsumerOptions & { contract: TaskContract | EventContract; channel: Channel };

/** Pause before requeuing a message that can neither be handled nor moved, to avoid a tight loop. */
const GIVE_BACK_PAUSE_MS = 1_000;
const REASON_MAX_CHARACTERS = 500;

/**
 * Runs the handler of one task or event and settles the message; never rejects. Acks a handled message and dead-letters
 * one that can never be handled. Holds the message while the database is unavailable, because that failure is not the
 * message's. Any other failure schedules a retry.
 */
export async function handleTask(work: TaskWork, message: ConsumeMessage): Promise<void> {
  const { contract, handler, channel, logger, pause } = work;
  const delivery = deliveryOf(message);
  const ticket = pause.ticketFor(channel);
  while (await pause.admit(ticket)) {
    const beganAt = performance.now();
    try {
      await callHandler(contract, handler, message, bodyOf(contract, message), delivery);
    } catch (error) {
      if (error instanceof PartlyHandledError)
        return retryOrDeadLetter(work, withBody(message, error.rest), delivery, error.cause);
      if (!isDatabaseAway(error) || pause.isOwnFailure(ticket, error))
        return retryOrDeadLetter(work, message, delivery, error);
      pause.onAway(ticket, error);
      continue;
    }
    pause.onHandled(beganAt);
    countDelivery(contract.name, 'handled');
    settle(logger, () => channel.ack(message));
    return;
  }
  countDelivery(contract.name, 'given_back');
  settle(logger, () => channel.nack(message, false, true));
}

function bodyOf(contract: TaskContract | EventContract, message: ConsumeMessage): object {
  try {
    return parseBody(contract.body, JSON.parse(message.content.toString()));
  } catch (error) {
    // The text of a syntax error quotes the body, which may contain personal data.
    const reason = error instanceof SyntaxError || !(error instanceof Error) ? 'it is not JSON' : error.message;
    throw new PermanentError(`invalid body: ${reason}`, { cause: error });
  }
}

/** Copies the message, including its broker identity, but with only the remaining work as its body. */
function withBody(message: ConsumeMessage, rest: object): ConsumeMessage {
  return { ...message, content: Buffer.from(JSON.stringify(rest)) };
}

/** Stores the message in its retry or dead-letter queue, and only then acks it here. */
async function retryOrDeadLetter(
  work: TaskWork,
  message: ConsumeMessage,
  delivery: Delivery,
  error: unknown,
): Promise<void> {
  const { contract, channel, logger } = work;
  const failures = delivery.failures + 1;
  const isHopeless = error instanceof PermanentError || failures >= MAX_FAILURES;
  const about = { contract: contract.name, messageId: delivery.messageId, failures, err: error };
  try {
    if (isHopeless) await deadLetter(work, message, delivery, reasonOf(error, failures));
    else await delayRetry(work, message, delivery, failures);
  } catch (publishError) {
    logger.error({ ...about, publishError }, 'message.requeued');
    await delay(GIVE_BACK_PAUSE_MS);
    countDelivery(contract.name, 'given_back');
    settle(logger, () => channel.reject(message, true));
    return;
  }
  logger[isHopeless ? 'error' : 'warn'](about, isHopeless ? 'message.dead-lettered' : 'message.failed');
  countDelivery(contract.name, isHopeless ? 'dead_lettered' : 'failed');
  settle(logger, () => channel.ack(message));
}

function delayRetry(work: TaskWork, message: ConsumeMessage, delivery: Delivery, failures: number): Promise<void> {
  const seconds =
    FAILURE_DELAYS_SECONDS[Math.min(failures, FAILURE_DELAYS_SECONDS.length) - 1] ?? FAILURE_DELAYS_SECONDS[0];
  return moveTo(work, work.names.waitQueue(queueOfWork(work), seconds), message, delivery, {
    [HEADERS.failures]: failures,
  });
}

function deadLetter(work: TaskWork, message: ConsumeMessage, delivery: Delivery, reason: string): Promise<void> {
  const { contract, names } = work;
  return moveTo(work, names.deadLetterQueue(queueOfWork(work)), message, delivery, {
    [HEADERS.failures]: delivery.failures + 1,
    [HEADERS.reason]: reason,
    [HEADERS.failedAt]: new Date().toISOString(),
    [HEADERS.originalExchange]: names.exchange(sendersOf(contract)[0] ?? work.service),
    [HEADERS.originalRoutingKey]: contract.name,
  });
}

function moveTo(
  work: TaskWork,
  queue: string,
  message: ConsumeMessage,
  delivery: Delivery,
  headers: Record<string, unknown>,
): Promise<void> {
  const { type, appId, timestamp, contentType } = message.properties;
  return work.publisher.publish(work.names.exchange(work.service), queue, message.content, {
    contentType: contentType ?? JSON_CONTENT,
    messageId: delivery.messageId,
    type,
    appId,
    timestamp,
    headers: { ...headersToCarryOn(message.properties.headers), ...headers },
  });
}

function queueOfWork({ names, contract, service }: TaskWork): string {
  return names.queue(contract, service);
}

function reasonOf(error: unknown, failures: number): string {
  const text = error instanceof Error ? error.message : String(error);
  const reason = error instanceof PermanentError ? text : `failed ${failures} times, at last with: ${text}`;
  return reason.slice(0, REASON_MAX_CHARACTERS);
}
