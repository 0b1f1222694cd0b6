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
import { answerCommand, giveBackGroup } from './command-work';
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
/** A command that has reached its time limit gets so much longer to answer before its process stops without it. */
const ANSWER_MARGIN_MS = 1_000;

export interface ConsumerOptions {
  contract: MessageContract;
  service: ServiceName;
  handler: MessageHandler;
  names: Names;
  topology: Topology;
  /** How many messages are worked on at a time. */
  prefetch: number;
  /** How many messages the broker hands to this process before it has answered any. */
  held: number;
  publisher: Publisher;
  /** Opens the requests of commands that hold a secret. */
  box: RequestBox;
  /** Holds tasks and events while the service's database is away; commands are answered meanwhile. */
  pause: DatabasePause;
  logger: Logger;
}

/** Where messages come from. */
interface Source {
  channel: ConfirmChannel;
  replies: Replies;
  model: ChannelModel;
}

/** Takes the messages of one queue, over one channel at a time, and knows which handlers run. */
export class QueueConsumer {
  private channel?: Channel;
  private consumerTag?: string;
  /** That of a connection that is being replaced. */
  private replaced?: { channel: Channel; consumerTag: string };
  private draining = false;
  /** The connection over which {@link comeBack} tries to consume again. */
  private comingBackOn?: ChannelModel;
  /** When the last command that came here reaches its time limit, on the clock of `performance.now()`. */
  private busyUntil = 0;
  private readonly inTurn: LimitFunction;
  private readonly running = new Set<Promise<void>>();

  constructor(private readonly options: ConsumerOptions) {
    expectDeliveries(options.contract);
    this.inTurn = pLimit(Math.min(options.prefetch, options.held));
  }

  /**
   * Starts to take messages over a (new) connection; declares the queue first, unless it has just been declared.
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
      // The broker delivers again what was not acknowledged on it.
      this.options.pause.release(channel);
      void this.comeBack(model, channel);
    });
  }

  /** The same after a loss: a queue that cannot be consumed now is tried again, without keeping the others waiting. */
  async attachAgain(model: ChannelModel): Promise<void> {
    const { channel: before } = this;
    try {
      await this.attach(model);
    } catch (error) {
      this.options.logger.warn({ contract: this.options.contract.name, err: error }, 'broker.consumer-not-attached');
      void this.comeBack(model, before);
    }
  }

  /** Receives nothing more on the replaced connection; returns when what it has received there is settled. */
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
   * Takes no more messages and waits until running handlers have ended and their acks have arrived. Tasks and events
   * get the given time at most: they come again. Commands get all the time that their callers wait: a command that is
   * cut off is an unknown outcome.
   */
  async drain(timeoutMs: number): Promise<void> {
    this.draining = true;
    // Rejected when the connection is gone: then there is nothing to cancel or to ack either.
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
    // A connection that closes takes acks with it that the broker has received but not yet looked at; a channel does
    // not.
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
   * The queue was deleted, or its node is lost. Consumes again on another channel, which declares the queue if the
   * login may; what was received before is replied to on its own channel.
   */
  private async onCancelled({ channel, model }: Source): Promise<void> {
    const { pause, logger } = this.options;
    pause.release(channel);
    void this.comeBack(model, channel);
    await Promise.allSettled([...this.running]);
    await channel.close().catch((error: unknown) => logger.debug({ err: error }, 'broker.channel-closed'));
  }

  /** One for a message, or one for each command of a group. */
  private worksOf(source: Source, received: ConsumeMessage): Promise<void>[] {
    const { contract, ...rest } = this.options;
    if (contract.kind !== 'command') return [this.work(source, received)];
    const message = withAddressOfOurs(received, rest.names);
    if (!isGroup(message)) return [this.work(source, message)];
    const members = membersOf(message);
    const reason = members ? this.whyNotTake(message) : 'it cannot be read';
    if (reason === undefined) return (members ?? []).map((member) => this.work(source, member));
    const work = { ...rest, contract, replies: source.replies };
    return [giveBackGroup(work, message, { reason, commands: members?.length ?? 0 })];
  }

  /**
   * Why this process gives a group back. It begins none that another process may have begun: the caller knows which of
   * its commands were answered. And none while it holds as many commands as messages: the broker counts a group as one.
   */
  private whyNotTake({ fields }: ConsumeMessage): string | undefined {
    if (fields.redelivered) return 'another process may have begun it';
    return this.running.size < this.options.held ? undefined : 'there is no room for it';
  }

  private work({ channel, replies }: Source, message: ConsumeMessage): Promise<void> {
    const { contract, ...rest } = this.options;
    if (contract.kind === 'command') {
      // The time that the caller grants counts from here.
      const delivery = deliveryOf(message);
      this.busyUntil = Math.max(this.busyUntil, delivery.deadline ?? 0);
      return this.inTurn(() => answerCommand({ ...rest, contract, replies }, message, delivery));
    }
    return handleTask({ ...rest, contract, channel }, message);
  }

  /**
   * After a cancel or a channel error; when the whole connection is gone, its owner attaches us to the next one. A
   * cancelled channel closes later, and must not add a second consumer.
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
 * The command without an address that is no queue for replies. The broker closes the channel over a reply to such a
 * one, and delivers the command again: no other command of the queue would get a reply.
 */
function withAddressOfOurs(message: ConsumeMessage, names: Names): ConsumeMessage {
  const replyTo: unknown = message.properties.replyTo;
  if (typeof replyTo !== 'string' || names.isPassingQueue(replyTo)) return message;
  return { ...message, properties: { ...message.properties, replyTo: undefined } };
}
