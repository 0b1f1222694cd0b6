import {
  type CommandContract,
  contractsHandledBy,
  EVENTS,
  type EventContract,
  FAILURE_DELAYS_SECONDS,
  isBroadcastTo,
  type MessageContract,
  type ServiceName,
  type TaskContract,
  TASKS,
} from '@switchboard/contracts';
import type { Channel, ChannelModel, Options } from 'amqplib';
import { TopologyMismatchError } from './errors';
import type { Names } from './names';

/** The broker's own limit only stops a message that kills every process that takes it; failures are counted by us. */
const CRASH_LIMIT = 1_000;
/** For queues without consumers of ours. Not -1: RabbitMQ 3.10 takes that as "drop what comes back once". */
const NO_LIMIT = 1_000_000_000;
/** The broker declares one queue after the other on each channel, and a quorum queue waits for the disk. */
const CHANNELS = 4;

/** A queue of this service and the message it carries. */
export interface QueueDeclaration {
  queue: string;
  options: Options.AssertQueue;
}

/**
 * Declares everything a service receives and everything it may publish to, so that no start order matters:
 * an event waits in its consumer's queue before that consumer has run for the first time.
 * @throws TopologyMismatchError naming the queue or exchange and the difference
 */
export async function declareTopology(model: ChannelModel, names: Names, service: ServiceName): Promise<void> {
  const channel = await openChannel(model);
  await declared(names.eventsExchange, channel.assertExchange(names.eventsExchange, 'topic', { durable: true }));
  await declared(names.tasksExchange, channel.assertExchange(names.tasksExchange, 'direct', { durable: true }));
  await declared(names.expiredCommandsExchange, channel.assertExchange(names.expiredCommandsExchange, 'headers', { durable: true }));
  await channel.close();
  const left = queuesOf(service);
  await Promise.all(Array.from({ length: CHANNELS }, async () => {
    let each = await openChannel(model);
    for (let next = left.shift(); next; next = left.shift()) {
      const { contract, consumer } = next;
      try {
        await declareQueues(each, names, contract, consumer);
      } catch (error) {
        // The refusal has closed the channel.
        if (!(error instanceof TopologyMismatchError) || contract.kind !== 'command') throw error;
        each = await openChannel(model);
        await replaceCommandQueue(each, names, contract);
      }
    }
    await each.close();
  }));
}

/** An operation that fails rejects with the same error as its channel's event. */
async function openChannel(model: ChannelModel): Promise<Channel> {
  const channel = await model.createChannel();
  channel.on('error', () => undefined);
  return channel;
}

/** Another version declared it otherwise. What lies in it is worth little: its callers get no answer and know that this means nothing. */
async function replaceCommandQueue(channel: Channel, names: Names, contract: CommandContract): Promise<void> {
  await channel.deleteQueue(names.queue(contract, contract.owner));
  await declareQueues(channel, names, contract, contract.owner);
}

/** What a service receives and what it may publish to, once each. */
function queuesOf(service: ServiceName): { contract: MessageContract; consumer: ServiceName }[] {
  const all = [
    ...queuedContracts(service).map((contract) => ({ contract, consumer: service })),
    ...EVENTS.filter(({ producer }) => producer === service).flatMap((contract) => contract.consumers.map((consumer) => ({ contract, consumer }))),
    ...TASKS.map((contract) => ({ contract, consumer: contract.owner })),
  ];
  return [...new Map(all.map((queue) => [`${queue.contract.name} ${queue.consumer}`, queue])).values()];
}

/** What a service takes from queues of its own; broadcasts reach each process on a queue that lives and dies with its connection. */
export function queuedContracts(service: ServiceName): MessageContract[] {
  return contractsHandledBy(service).filter((contract) => !isBroadcastTo(contract, service));
}

/** Declares the queue of one message at one service, with its wait and dead-letter queues, and binds it. */
export async function declareQueues(channel: Channel, names: Names, contract: MessageContract, consumer: ServiceName): Promise<void> {
  const queue = names.queue(contract, consumer);
  const declarations = contract.kind === 'command' ? [commandQueue(names, queue)] : durableQueues(names, queue, contract);
  for (const declaration of declarations) {
    await declared(declaration.queue, channel.assertQueue(declaration.queue, declaration.options));
  }
  if (contract.kind === 'event') await channel.bindQueue(queue, names.eventsExchange, contract.name);
  if (contract.kind === 'task') await channel.bindQueue(queue, names.tasksExchange, contract.name);
}

/** Every delay, in seconds, after which messages of a queue can come back. */
export function delaysOf(contract: TaskContract | EventContract): number[] {
  return [...new Set([...FAILURE_DELAYS_SECONDS, ...(contract.kind === 'task' ? contract.delaysSeconds : [])])];
}

/** All queues of a task or event: dead letters first, so that nothing can be dead-lettered into nowhere. */
export function durableQueues(names: Names, queue: string, contract: TaskContract | EventContract): QueueDeclaration[] {
  const deadLetters = names.deadLetterQueue(queue);
  return [
    { queue: deadLetters, options: quorum({ 'x-delivery-limit': NO_LIMIT }) },
    { queue, options: quorum({ 'x-delivery-limit': CRASH_LIMIT, ...deadLetterTo(deadLetters) }) },
    ...delaysOf(contract).map((seconds) => ({
      queue: names.waitQueue(queue, seconds),
      options: quorum({ 'x-delivery-limit': NO_LIMIT, 'x-message-ttl': seconds * 1_000, ...deadLetterTo(queue) }),
    })),
  ];
}

/**
 * Requests are worth nothing after a broker's restart: the queue stays, its messages are transient. The callers of those
 * that expire in it hear of that.
 */
function commandQueue({ expiredCommandsExchange }: Names, queue: string): QueueDeclaration {
  return { queue, options: { durable: true, arguments: { 'x-queue-type': 'classic', 'x-dead-letter-exchange': expiredCommandsExchange } } };
}

function quorum(settings: Record<string, string | number>): Options.AssertQueue {
  return { durable: true, arguments: { 'x-queue-type': 'quorum', ...settings } };
}

/** Without at-least-once (which demands reject-publish) a broker that stops in the middle loses the message. */
function deadLetterTo(queue: string): Record<string, string> {
  return {
    'x-dead-letter-exchange': '',
    'x-dead-letter-routing-key': queue,
    'x-dead-letter-strategy': 'at-least-once',
    'x-overflow': 'reject-publish',
  };
}

const PRECONDITION_FAILED = 406;

async function declared(name: string, operation: Promise<unknown>): Promise<void> {
  try {
    await operation;
  } catch (error) {
    throw isPreconditionFailed(error) ? mismatch(name, error) : error;
  }
}

function isPreconditionFailed(error: unknown): error is Error {
  return error instanceof Error && (error as Error & { code?: number }).code === PRECONDITION_FAILED;
}

function mismatch(name: string, error: Error): TopologyMismatchError {
  const difference = /PRECONDITION_FAILED - (.*)"$/.exec(error.message)?.[1] ?? error.message;
  const text = `"${name}" exists on the broker with other settings than this version declares: ${difference}. Empty and delete it, then start again.`;
  return new TopologyMismatchError(text, { cause: error });
}
