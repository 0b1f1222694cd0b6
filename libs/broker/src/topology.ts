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

/** The broker's own limit only stops a message that kills every process that takes it; failures are counted by us. */
const CRASH_LIMIT = 1_000;
/** For queues without consumers of ours. Not -1: RabbitMQ 3.10 takes that as "drop what comes back once". */
const NO_LIMIT = 1_000_000_000;
/** The broker declares one queue after the other on each channel, and a quorum queue waits for the disk. */
const CHANNELS = 4;
/** How long a consumer of a command queue that is replaced may work on what it has received, in milliseconds. */
const FINISH_WITHIN_MS = 500;
const POLL_MS = 20;

/**
 * Type of the command queues. `quorum` queues have a copy on three nodes and survive the loss of one; `classic` queues
 * have one copy in memory, which costs less and is as safe on a broker of one node (ADR 62).
 */
export type CommandQueueType = 'quorum' | 'classic';

/** A queue of this service and the message it carries. */
export interface QueueDeclaration {
  queue: string;
  options: Options.AssertQueue;
}

/** Messages that an exchange takes with this key go to the queue. */
export interface Binding {
  exchange: string;
  queue: string;
  key: string;
}

export interface QueueLength {
  /** The queue's own name, without namespace. */
  queue: string;
  /** Those that wait for a consumer; those in work do not count. */
  messages: number;
  /** Absent for commands, which have none. */
  deadLetters?: number;
}

interface Consumed {
  contract: MessageContract;
  consumer: ServiceName;
}

/**
 * Exchanges, queues and bindings of a service. A login that may configure everything (one login for all, as in tests)
 * declares them. A service's own login may not: it checks that the set-up of this version has run ({@link
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
   * Declares everything that the service receives and everything it may publish to, so that no start order matters: an
   * event waits in its consumer's queue before that consumer has run for the first time. A login that may not declare
   * checks for the exchange that the set-up declares last. It asks for no queue: a queue without a majority may answer
   * after seconds, and must not keep the service away from the others.
   * @throws TopologyMismatchError naming the queue or exchange and the difference
   */
  async prepare(model: ChannelModel): Promise<void> {
    this.mayDeclare = await declareExchanges(model, this.names).then(() => true, unlessRefused);
    if (!this.mayDeclare) return checkSetUp(model, this.names);
    await declareAll(model, this.names, queuesOf(this.service), this.commandQueues);
    await declareProbes(model, this.names, [this.service]);
  }

  /** How many messages wait in the queues from which this service takes them. */
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

  /** Declares a queue of this service again, in case it was deleted and if the login may. */
  async prepareQueue(channel: Channel, contract: MessageContract): Promise<void> {
    if (this.mayDeclare)
      await declareQueues(channel, this.names, { contract, consumer: this.service }, this.commandQueues);
  }
}

/**
 * Declares what all services receive and send, with a login that may: the set-up of a broker for this version. An
 * exchange that nothing is bound to comes last, and says that the set-up is complete ({@link setUpMark}).
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

/** Name of the exchange that says which queues and bindings the broker's set-up has declared. */
export function setUpMark(names: Names): string {
  const declared = once(SERVICES.flatMap(queuesOf)).map(({ contract, consumer }) => {
    const queue = names.queue(contract, consumer);
    const queues = contract.kind === 'command' ? [queue] : durableQueues(names, queue, contract);
    return { queues, bindings: bindingsOf(names, contract, consumer) };
  });
  const all = { declared, probes: SERVICES.map((service) => names.probeQueue(service)) };
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

/** False when the broker refused the login the right; other errors stay errors. */
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
  const broadcasts = EVENTS.filter(({ broadcastTo = [] }) => broadcastTo.length > 0);
  await Promise.all(
    broadcasts.flatMap((event) =>
      sendersOf(event).map((sender) =>
        channel.bindExchange(names.broadcastsExchange, names.exchange(sender), event.name),
      ),
    ),
  );
  await channel.close();
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
 * Replaces command queues that another version, or another {@link CommandQueueType}, declared. No command is lost: the
 * queues are unbound first, so that the broker returns new commands and their callers know that nothing was done
 * (503). What waits is received or expires within the time limit of a command in its queue. Consumers have {@link
 * FINISH_WITHIN_MS} to reply to what they received.
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

/** Declares the queues of these services that are always empty ({@link MajorityProbe}). */
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

/** What a service receives and what it may publish to, once each. */
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
 * What a service takes from queues of its own; broadcasts reach each process on a queue that lives and dies with its
 * connection.
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
 * Who reaches the queues of a message: its senders, by its name; senders of a task its delays; the consumer, by the
 * names of the queues, what waits and what is given up; the operator the queue to which dead letters go back.
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
 * A command that expires in its queue is dead-lettered to the exchange of replies, which reports it to its caller. A
 * classic queue outlives a restart of the broker, its messages do not.
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

/** Without at-least-once (which demands reject-publish) a broker that stops in the middle loses the message. */
function deadLetterTo(queue: string): Record<string, string> {
  return {
    'x-dead-letter-exchange': '',
    'x-dead-letter-routing-key': queue,
    'x-dead-letter-strategy': 'at-least-once',
    'x-overflow': 'reject-publish',
  };
}

/** AMQP's codes. */
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

/** Whether the broker closed the channel because a queue or exchange does not exist. */
export function isMissing(error: unknown): boolean {
  return codeOf(error) === NOT_FOUND;
}

/** Whether the broker closed the channel because the login may not do this. */
export function isRefused(error: unknown): boolean {
  return codeOf(error) === ACCESS_REFUSED;
}

/** The error of a service whose queue or exchange is not on the broker. */
export function missing(name: string, error: unknown): TopologyMismatchError {
  const text = `"${name}" is not on the broker, and this login may not declare it: run the broker's set-up of this version first.`;
  return new TopologyMismatchError(text, { cause: error });
}

function mismatch(name: string, error: Error): TopologyMismatchError {
  const difference = /PRECONDITION_FAILED - (.*)"$/.exec(error.message)?.[1] ?? error.message;
  const text = `"${name}" exists on the broker with other settings than this version declares: ${difference}. Empty and delete it, then start again.`;
  return new TopologyMismatchError(text, { cause: error });
}
