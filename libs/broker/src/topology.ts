import {
  BROKER_LOGINS,
  type BrokerLogin,
  contractsHandledBy,
  EVENTS,
  type EventContract,
  FAILURE_DELAYS_SECONDS,
  isBroadcastTo,
  type MessageContract,
  queueOf,
  sendersOf,
  SERVICES,
  type ServiceName,
  type TaskContract,
  TASKS,
} from '@switchboard/contracts';
import type { Channel, ChannelModel, Options } from 'amqplib';
import { createHash } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { TopologyMismatchError } from './errors';
import type { Names } from './names';
import { TAKE_WITHIN_MS } from './pending-request';

/** Delivery limit that stops only a message that crashes every process. An internal header counts the failures. */
const CRASH_LIMIT = 1_000;
/**
 * Limit for queues that our services do not consume. Not -1, because RabbitMQ 3.10 then drops any message that is
 * returned once.
 */
const NO_LIMIT = 1_000_000_000;
/**
 * Number of channels that declare in parallel. The broker processes each channel serially, and declaring a quorum queue
 * waits for the disk.
 */
const CHANNELS = 4;
/** Time for a consumer of a replaced command queue to finish its received messages, in milliseconds. */
const FINISH_WITHIN_MS = 500;
const POLL_MS = 20;

/**
 * Type of the command queues. `quorum` queues are replicated on three nodes and survive the loss of one. `classic`
 * queues keep one copy in memory, which is cheaper and equally safe on a single-node broker (ADR 62).
 */
export type CommandQueueType = 'quorum' | 'classic';

export interface QueueDeclaration {
  queue: string;
  options: Options.AssertQueue;
}

/** Routes messages with this key from the exchange to the queue. */
export interface Binding {
  exchange: string;
  queue: string;
  key: string;
}

export interface QueueLength {
  /** The queue's own name, without namespace. */
  queue: string;
  /** Ready messages, without those being processed. */
  messages: number;
  /** Absent for commands, which are never dead-lettered. */
  deadLetters?: number;
}

interface Consumed {
  contract: MessageContract;
  consumer: ServiceName;
}

/**
 * Exchanges, queues and bindings of a service. A login that may configure everything, such as the single login in
 * tests, declares them. A service's own login may not, so it checks that this version's set-up has run ({@link
 * declareEverything}).
 */
export class Topology {
  private mayDeclare = true;

  constructor(
    private readonly names: Names,
    private readonly service: ServiceName,
    private readonly commandQueues: CommandQueueType,
  ) {}

  /**
   * Declares the queues that the service consumes and those it may publish to, so that start order does not matter: an
   * event waits in its consumer's queue even before that consumer's first run. A login that may not declare checks for
   * the exchange that the set-up declares last. It checks no queue, because a queue without a majority may take seconds
   * to respond and would block the others.
   * @throws TopologyMismatchError naming the queue or exchange and the difference
   */
  async prepare(model: ChannelModel): Promise<void> {
    this.mayDeclare = await declareExchanges(model, this.names).then(() => true, unlessRefused);
    if (!this.mayDeclare) return checkSetUp(model, this.names);
    await declareAll(model, this.names, queuesOf(this.service), this.commandQueues);
    await declareProbes(model, this.names, [this.service]);
  }

  /** Returns the number of waiting messages in each queue that the service consumes. */
  async lengths(channel: Channel): Promise<QueueLength[]> {
    const lengths: QueueLength[] = [];
    for (const contract of queuedContracts(this.service)) {
      const queue = this.names.queue(contract, this.service);
      const { messageCount: messages } = await channel.checkQueue(queue);
      const hasDeadLetters = contract.kind !== 'command';
      const dead = hasDeadLetters ? await channel.checkQueue(this.names.deadLetterQueue(queue)) : undefined;
      lengths.push({ queue: queueOf(contract, this.service), messages, deadLetters: dead?.messageCount });
    }
    return lengths;
  }

  /** Declares a queue of this service again if the login may, in case the queue was deleted. */
  async prepareQueue(channel: Channel, contract: MessageContract): Promise<void> {
    if (this.mayDeclare)
      await declareQueues(channel, this.names, { contract, consumer: this.service }, this.commandQueues);
  }
}

/**
 * Sets a broker up for this version: declares the topology of all services, with a login that may. The last exchange
 * has no bindings and marks the set-up as complete ({@link setUpMark}).
 * @throws TopologyMismatchError naming the queue or exchange and the difference
 */
export async function declareEverything(
  model: ChannelModel,
  names: Names,
  commandQueues: CommandQueueType,
): Promise<void> {
  await declareExchanges(model, names);
  await declareAll(model, names, once(SERVICES.flatMap(queuesOf)), commandQueues);
  await declareProbes(model, names, SERVICES);
  const channel = await openChannel(model);
  await channel.assertExchange(setUpMark(names), 'direct', { durable: true });
  await channel.close();
}

/** Returns the name of the exchange that identifies the queues and bindings declared by the set-up. */
export function setUpMark(names: Names): string {
  const declared = once(SERVICES.flatMap(queuesOf)).map(({ contract, consumer }) => {
    const queue = names.queue(contract, consumer);
    const queues = contract.kind === 'command' ? [queue] : durableQueues(names, queue, contract);
    return { queues, bindings: bindingsOf(names, contract, consumer) };
  });
  const broadcasts = broadcastBindings(names);
  const all = { declared, broadcasts, probes: SERVICES.map((service) => names.probeQueue(service)) };
  return names.setUp(createHash('sha256').update(JSON.stringify(all)).digest('hex').slice(0, 12));
}

async function checkSetUp(model: ChannelModel, names: Names): Promise<void> {
  const mark = setUpMark(names);
  const channel = await openChannel(model);
  await channel.checkExchange(mark).catch((error: unknown) => {
    throw isMissing(error) ? missing(mark, error) : error;
  });
  await channel.close();
}

/** Returns false when the login lacks the permission; rethrows other errors. */
function unlessRefused(error: unknown): false {
  if (isRefused(error)) return false;
  throw error;
}

async function declareExchanges(model: ChannelModel, names: Names): Promise<void> {
  const channel = await openChannel(model);
  for (const name of [names.repliesExchange, names.broadcastsExchange]) {
    await declared(name, channel.assertExchange(name, 'topic', { durable: true }));
  }
  const own = BROKER_LOGINS.map((login) => names.exchange(login));
  await Promise.all(own.map((name) => declared(name, channel.assertExchange(name, 'direct', { durable: true }))));
  await Promise.all(
    broadcastBindings(names).map(({ exchange, key }) => channel.bindExchange(names.broadcastsExchange, exchange, key)),
  );
  await channel.close();
}

/** Returns the bindings of the broadcasts exchange to the exchanges of the producers. */
function broadcastBindings(names: Names): Omit<Binding, 'queue'>[] {
  return EVENTS.filter(({ broadcastTo = [] }) => broadcastTo.length > 0).flatMap((event) =>
    sendersOf(event).map((sender) => ({ exchange: names.exchange(sender), key: event.name })),
  );
}

async function declareAll(
  model: ChannelModel,
  names: Names,
  queues: readonly Consumed[],
  commandQueues: CommandQueueType,
): Promise<void> {
  const left = [...queues];
  const outdated: Consumed[] = [];
  await Promise.all(
    Array.from({ length: CHANNELS }, async () => {
      let channel = await openChannel(model);
      for (let next = left.shift(); next; next = left.shift()) {
        try {
          await declareQueues(channel, names, next, commandQueues);
        } catch (error) {
          if (!(error instanceof TopologyMismatchError) || next.contract.kind !== 'command') throw error;
          outdated.push(next);
          // The error has closed the channel.
          channel = await openChannel(model);
        }
      }
      await channel.close();
    }),
  );
  if (outdated.length > 0) await replaceCommandQueues(model, names, outdated, commandQueues);
}

/**
 * Replaces command queues that another version, or another {@link CommandQueueType}, declared, without losing a
 * command. The queues are unbound first, so that the broker returns new commands and their callers know that nothing
 * was done (503). Commands already queued are consumed or expire within their time limit. Consumers have {@link
 * FINISH_WITHIN_MS} to reply to what they have received.
 */
async function replaceCommandQueues(
  model: ChannelModel,
  names: Names,
  outdated: readonly Consumed[],
  commandQueues: CommandQueueType,
): Promise<void> {
  const channel = await openChannel(model);
  const queues = outdated.map(({ contract, consumer }) => names.queue(contract, consumer));
  for (const { contract, consumer } of outdated)
    for (const { queue, exchange, key } of bindingsOf(names, contract, consumer))
      await channel.unbindQueue(queue, exchange, key);
  const until = performance.now() + TAKE_WITHIN_MS;
  for (const queue of queues)
    while ((await channel.checkQueue(queue)).messageCount > 0 && performance.now() < until) await delay(POLL_MS);
  await delay(FINISH_WITHIN_MS);
  for (const queue of queues) await channel.deleteQueue(queue);
  for (const each of outdated) await declareQueues(channel, names, each, commandQueues);
  await channel.close();
}

/** Declares the always-empty queues of these services ({@link MajorityProbe}). */
async function declareProbes(model: ChannelModel, names: Names, services: readonly ServiceName[]): Promise<void> {
  const channel = await openChannel(model);
  const options = quorum({ 'x-delivery-limit': NO_LIMIT, 'x-queue-leader-locator': 'balanced' });
  for (const queue of services.map((service) => names.probeQueue(service)))
    await declared(queue, channel.assertQueue(queue, options));
  await channel.close();
}

async function openChannel(model: ChannelModel): Promise<Channel> {
  const channel = await model.createChannel();
  // The failed operation rejects with the same error.
  channel.on('error', () => undefined);
  return channel;
}

/** Returns the queues that a service consumes or may publish to, without duplicates. */
function queuesOf(service: ServiceName): Consumed[] {
  return once([
    ...queuedContracts(service).map((contract) => ({ contract, consumer: service })),
    ...EVENTS.filter((contract) => sendersOf(contract).includes(service)).flatMap((contract) =>
      contract.consumers.map((consumer) => ({ contract, consumer })),
    ),
    ...TASKS.map((contract) => ({ contract, consumer: contract.owner })),
  ]);
}

function once(queues: Consumed[]): Consumed[] {
  return [...new Map(queues.map((queue) => [`${queue.contract.name} ${queue.consumer}`, queue])).values()];
}

/**
 * Returns the contracts that a service consumes from durable queues. Broadcasts use a queue per process that is deleted
 * with its connection.
 */
export function queuedContracts(service: ServiceName): MessageContract[] {
  return contractsHandledBy(service).filter((contract) => !isBroadcastTo(contract, service));
}

/** Declares the queue of one message at one service, with its wait and dead-letter queues, and binds it. */
async function declareQueues(
  channel: Channel,
  names: Names,
  { contract, consumer }: Consumed,
  commandQueues: CommandQueueType,
): Promise<void> {
  const queue = names.queue(contract, consumer);
  const declarations =
    contract.kind === 'command' ? [commandQueue(names, queue, commandQueues)] : durableQueues(names, queue, contract);
  for (const declaration of declarations) {
    await declared(declaration.queue, channel.assertQueue(declaration.queue, declaration.options));
  }
  await Promise.all(
    bindingsOf(names, contract, consumer).map((binding) =>
      channel.bindQueue(binding.queue, binding.exchange, binding.key),
    ),
  );
}

/**
 * Returns the bindings of a message's queues. Senders reach the main queue by the message's name, and a task's delay
 * queues too. The consumer reaches its wait and dead-letter queues by queue name. The operator reaches the main queue
 * to return dead letters.
 */
export function bindingsOf(names: Names, contract: MessageContract, consumer: ServiceName): Binding[] {
  const queue = names.queue(contract, consumer);
  const senders = sendersOf(contract).map((sender) => ({
    exchange: names.exchange(sender),
    queue,
    key: contract.name,
  }));
  if (contract.kind === 'command') return senders;
  const byName = (login: BrokerLogin, to: string): Binding => ({ exchange: names.exchange(login), queue: to, key: to });
  const waiting = (seconds: number): string => names.waitQueue(queue, seconds);
  const own = [...FAILURE_DELAYS_SECONDS.map(waiting), names.deadLetterQueue(queue)].map((to) => byName(consumer, to));
  const delays =
    contract.kind === 'task'
      ? contract.senders.flatMap((sender) => contract.delaysSeconds.map((seconds) => byName(sender, waiting(seconds))))
      : [];
  return [...senders, ...own, ...delays, byName('operator', queue)];
}

/** Returns every delay after which messages of a queue may be redelivered, in seconds. */
export function delaysOf(contract: TaskContract | EventContract): number[] {
  return [...new Set([...FAILURE_DELAYS_SECONDS, ...(contract.kind === 'task' ? contract.delaysSeconds : [])])];
}

/**
 * Returns all queues of a task or event. The dead-letter queue comes first, so that no message is dead-lettered to a
 * missing queue.
 */
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
 * Returns the queue of a command. Expired commands are dead-lettered to the replies exchange, which reports them to
 * their callers. A classic queue survives a restart of the broker, but its messages do not.
 */
export function commandQueue({ repliesExchange }: Names, queue: string, type: CommandQueueType): QueueDeclaration {
  const toCaller = { 'x-dead-letter-exchange': repliesExchange };
  if (type === 'classic')
    return { queue, options: { durable: true, arguments: { 'x-queue-type': type, ...toCaller } } };
  const settings = { 'x-delivery-limit': CRASH_LIMIT, 'x-queue-leader-locator': 'balanced', ...toCaller };
  return { queue, options: quorum(settings) };
}

function quorum(settings: Record<string, string | number>): Options.AssertQueue {
  return { durable: true, arguments: { 'x-queue-type': 'quorum', ...settings } };
}

/**
 * Enables at-least-once dead-lettering, which requires reject-publish. Without it, a broker that stops mid-transfer
 * loses the message.
 */
function deadLetterTo(queue: string): Record<string, string> {
  return {
    'x-dead-letter-exchange': '',
    'x-dead-letter-routing-key': queue,
    'x-dead-letter-strategy': 'at-least-once',
    'x-overflow': 'reject-publish',
  };
}

const ACCESS_REFUSED = 403;
const NOT_FOUND = 404;
const PRECONDITION_FAILED = 406;

async function declared(name: string, operation: Promise<unknown>): Promise<void> {
  try {
    await operation;
  } catch (error) {
    throw error instanceof Error && codeOf(error) === PRECONDITION_FAILED ? mismatch(name, error) : error;
  }
}

function codeOf(error: unknown): number | undefined {
  return error instanceof Error ? (error as Error & { code?: number }).code : undefined;
}

/** Returns whether the broker closed the channel because a queue or exchange does not exist. */
export function isMissing(error: unknown): boolean {
  return codeOf(error) === NOT_FOUND;
}

/** Returns whether the broker closed the channel because the login lacks the permission. */
export function isRefused(error: unknown): boolean {
  return codeOf(error) === ACCESS_REFUSED;
}

/** Creates the error of a service whose queue or exchange is missing on the broker. */
export function missing(name: string, error: unknown): TopologyMismatchError {
  const text = `"${name}" is not on the broker, and this login may not declare it: run the broker's set-up of this version first.`;
  return new TopologyMismatchError(text, { cause: error });
}

function mismatch(name: string, error: Error): TopologyMismatchError {
  const difference = /PRECONDITION_FAILED - (.*)"$/.exec(error.message)?.[1] ?? error.message;
  const text = `"${name}" exists on the broker with other settings than this version declares: ${difference}. Empty and delete it, then start again.`;
  return new TopologyMismatchError(text, { cause: error });
}
