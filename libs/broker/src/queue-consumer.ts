import type { MessageHandler } from '@nestjs/microservices';
import { type MessageContract, queueOf, type ServiceName } from '@switchboard/contracts';
import type { Logger } from '@switchboard/platform';
import {
  type Channel,
  type ChannelModel,
  type ConfirmChannel,
  type ConsumeMessage,
  IllegalOperationError,
} from 'amqplib';
import { setTimeout as delay } from 'node:timers/promises';
import pLimit, { type LimitFunction } from 'p-limit';
import { isGroup, membersOf } from './command-group';
import { answerCommand, requeueGroup } from './command-work';
import type { DatabasePause } from './database-pause';
import { deliveryOf } from './handler-call';
import { countDelivery, expectDeliveries } from './metrics';
import type { Names } from './names';
import type { Publisher } from './publisher';
import { Replies } from './replies';
import type { RequestBox } from './sealed-request';
import { settle } from './settle';
import { handleTask } from './task-work';
import { isMissing, missing, type Topology } from './topology';

const RECOVERY_PAUSE_MS = 500;
/** Extra time at shutdown for a command at its time limit to send its reply. */
const ANSWER_MARGIN_MS = 1_000;

export interface ConsumerOptions {
  contract: MessageContract;
  service: ServiceName;
  handler: MessageHandler;
  names: Names;
  topology: Topology;
  prefetch: number;
  /** Number of unacknowledged messages that the broker delivers to this process. */
  held: number;
  publisher: Publisher;
  box: RequestBox;
  /** Holds tasks and events while the service's database is unavailable. Commands still get replies. */
  pause: DatabasePause;
  logger: Logger;
}

interface Source {
  channel: ConfirmChannel;
  replies: Replies;
  model: ChannelModel;
}

/** Consumes one queue, over one channel at a time, and tracks running handlers. */
export class QueueConsumer {
  private channel?: Channel;
  private consumerTag?: string;
  /** Consumer of a connection that is being replaced. */
  private replaced?: { channel: Channel; consumerTag: string };
  private draining = false;
  /** Connection on which {@link comeBack} is trying to consume again. */
  private comingBackOn?: ChannelModel;
  /** Latest deadline of all received commands, on the clock of `performance.now()`. */
  private busyUntil = 0;
  private readonly inTurn: LimitFunction;
  private readonly running = new Set<Promise<void>>();

  constructor(private readonly options: ConsumerOptions) {
    expectDeliveries(options.contract);
    this.inTurn = pLimit(Math.min(options.prefetch, options.held));
  }

  /**
   * Starts consuming over a (new) connection. Declares the queue first, unless it has just been declared.
   * @throws TopologyMismatchError when the queue does not exist
   */
  async attach(model: ChannelModel, { isDeclared = false } = {}): Promise<void> {
    const { contract, service, names, topology, held } = this.options;
    const channel = await model.createConfirmChannel();
    channel.on('error', (error: Error) =>
      this.options.logger.warn({ contract: contract.name, err: error }, 'broker.channel-failed'),
    );
    if (!isDeclared) await topology.prepareQueue(channel, contract);
    await channel.prefetch(held);
    const replies = new Replies(channel, names.repliesExchange);
    const queue = names.queue(contract, service);
    const onMessage = (message: ConsumeMessage | null): void => this.onMessage({ channel, replies, model }, message);
    const { consumerTag } = await channel.consume(queue, onMessage).catch((error: unknown) => {
      throw isMissing(error) ? missing(queue, error) : error;
    });
    if (this.channel && this.consumerTag !== undefined)
      this.replaced = { channel: this.channel, consumerTag: this.consumerTag };
    this.channel = channel;
    this.consumerTag = consumerTag;
    channel.on('close', () => {
      // The broker redelivers the unacknowledged messages of this channel.
      this.options.pause.release(channel);
      void this.comeBack(model, channel);
    });
  }

  /**
   * Attaches after a loss. A queue that cannot be consumed now is retried in the background, so other queues do not
   * wait.
   */
  async attachAgain(model: ChannelModel): Promise<void> {
    const { channel: before } = this;
    try {
      await this.attach(model);
    } catch (error) {
      this.options.logger.warn({ contract: this.options.contract.name, err: error }, 'broker.consumer-not-attached');
      void this.comeBack(model, before);
    }
  }

  /** Stops consuming on the replaced connection. Returns when all messages received there are settled. */
  async retire(): Promise<void> {
    const { replaced } = this;
    this.replaced = undefined;
    if (!replaced) return;
    const { channel, consumerTag } = replaced;
    try {
      await channel.cancel(consumerTag);
      this.options.pause.release(channel);
      await Promise.allSettled([...this.running]);
      await channel.close();
    } catch (error) {
      this.options.logger.debug({ err: error }, 'broker.channel-closed');
    }
  }

  /**
   * Stops consuming and waits until running handlers have ended and the broker has received their acks. Tasks and
   * events get at most the given time, because they are redelivered. Commands get as long as their callers wait,
   * because an interrupted command has an unknown outcome.
   */
  async drain(timeoutMs: number): Promise<void> {
    this.draining = true;
    // Rejected when the connection is lost. Nothing is left to cancel or ack then.
    await Promise.race([
      this.finish().catch(() => undefined),
      delay(Math.max(timeoutMs, this.busyUntil + ANSWER_MARGIN_MS - performance.now()), undefined, { ref: false }),
    ]);
    if (this.running.size > 0)
      this.options.logger.error(
        { contract: this.options.contract.name, unfinished: this.running.size },
        'broker.drain-timed-out',
      );
  }

  private async finish(): Promise<void> {
    const { channel, consumerTag, running } = this;
    if (channel && consumerTag !== undefined) await channel.cancel(consumerTag);
    if (channel) this.options.pause.release(channel);
    await Promise.allSettled(running);
    // Close the channel first: a closing connection may discard acks that the broker has received but not yet
    // processed.
    await channel?.close();
  }

  private onMessage(source: Source, message: ConsumeMessage | null): void {
    const { channel } = source;
    const { contract, service, logger } = this.options;
    if (message === null) {
      logger.warn({ contract: contract.name, queue: queueOf(contract, service) }, 'broker.consumer-cancelled');
      void this.onCancelled(source);
      return;
    }
    if (this.draining) {
      countDelivery(contract.name, 'given_back');
      settle(logger, () => channel.nack(message, false, true));
      return;
    }
    for (const each of this.worksOf(source, message)) {
      const work = each.finally(() => this.running.delete(work));
      this.running.add(work);
    }
  }

  /**
   * Handles a cancelled consumer: the queue was deleted, or its node is lost. Consumes again on another channel, which
   * declares the queue if the login may. Messages received before still get replies on their own channel.
   */
  private async onCancelled({ channel, model }: Source): Promise<void> {
    const { pause, logger } = this.options;
    pause.release(channel);
    void this.comeBack(model, channel);
    await Promise.allSettled([...this.running]);
    await channel.close().catch((error: unknown) => logger.debug({ err: error }, 'broker.channel-closed'));
  }

  /** Returns one promise for a message, or one for each command of a group. */
  private worksOf(source: Source, received: ConsumeMessage): Promise<void>[] {
    const { contract, ...rest } = this.options;
    if (contract.kind !== 'command') return [this.work(source, received)];
    const message = withAddressOfOurs(received, rest.names);
    if (!isGroup(message)) return [this.work(source, message)];
    const members = membersOf(message);
    const reason = members ? this.whyNotTake(message) : 'it cannot be read';
    if (reason === undefined) return (members ?? []).map((member) => this.work(source, member));
    const work = { ...rest, contract, replies: source.replies };
    return [requeueGroup(work, message, { reason, commands: members?.length ?? 0 })];
  }

  /**
   * Returns the reason to return a group to its caller, or undefined to accept it. A redelivered group may have been
   * started by another process, and only the caller knows which of its commands got replies. A group is also returned
   * while this process runs as many commands as it may hold messages, because the broker counts a group as one message.
   */
  private whyNotTake({ fields }: ConsumeMessage): string | undefined {
    if (fields.redelivered) return 'another process may have begun it';
    return this.running.size < this.options.held ? undefined : 'there is no room for it';
  }

  private work({ channel, replies }: Source, message: ConsumeMessage): Promise<void> {
    const { contract, ...rest } = this.options;
    if (contract.kind === 'command') {
      // The caller's time limit starts here.
      const delivery = deliveryOf(message);
      this.busyUntil = Math.max(this.busyUntil, delivery.deadline ?? 0);
      return this.inTurn(() => answerCommand({ ...rest, contract, replies }, message, delivery));
    }
    return handleTask({ ...rest, contract, channel }, message);
  }

  /**
   * Consumes again after a cancel or a channel error. When the whole connection is lost, its owner attaches this
   * consumer to the next one. A cancelled channel closes later and must not add a second consumer.
   */
  private async comeBack(model: ChannelModel, lost: Channel | undefined): Promise<void> {
    if (this.comingBackOn === model) return;
    this.comingBackOn = model;
    const { contract, logger } = this.options;
    while (this.channel === lost && !this.draining) {
      await delay(RECOVERY_PAUSE_MS, undefined, { ref: false });
      if (this.channel !== lost || this.draining) break;
      try {
        await this.attach(model);
      } catch (error) {
        if (error instanceof IllegalOperationError) break;
        logger.error({ contract: contract.name, err: error }, 'broker.consumer-recovery-failed');
      }
    }
    if (this.comingBackOn === model) this.comingBackOn = undefined;
  }
}

/**
 * Removes a reply address that is not a reply queue. Replying to it would make the broker close the channel and
 * redeliver the command, so no other command of the queue would get a reply.
 */
function withAddressOfOurs(message: ConsumeMessage, names: Names): ConsumeMessage {
  const replyTo: unknown = message.properties.replyTo;
  if (typeof replyTo !== 'string' || names.isPassingQueue(replyTo)) return message;
  return { ...message, properties: { ...message.properties, replyTo: undefined } };
}
