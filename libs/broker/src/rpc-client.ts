import { AppError, type AppErrorBody, type CommandContract, type ServiceName } from '@switchboard/contracts';
import { inSpan, injectTrace } from '@switchboard/platform';
import type { Channel, ChannelModel, ConfirmChannel, ConsumeMessage } from 'amqplib';
import { randomUUID } from 'node:crypto';
import type { RequestOptions } from './broker';
import { type Group, groupsOf } from './command-group';
import type { ConnectionState } from './broker-connection';
import { BrokerAwayError } from './errors';
import { messagingSpan } from './messaging-span';
import type { Names } from './names';
import {
  checkSize,
  confirmWithin,
  isUnread,
  mayBeGrouped,
  notTaken,
  type PendingRequest,
  takeWithin,
  trueRefusal,
  unanswered,
} from './pending-request';
import type { RequestBox } from './sealed-request';
import { destroySocket } from './socket';
import { isChannelClosed, OVERDUE_MS, UnconfirmedByContract } from './unconfirmed';
import {
  COMMANDS,
  ERROR_REPLY,
  groupedCommand,
  type GroupedReply,
  HEADERS,
  JSON_CONTENT,
  REPLIES,
  TAKEN_NOTE,
  TAKEN_NOTES,
} from './wire';

/** Header that the broker adds to dead-lettered messages. */
const DEATH_REASON = 'x-first-death-reason';

/**
 * Time after a group was returned during which every command is sent alone, in milliseconds. A process of an earlier
 * version reads no groups, and a busy one has no room for them.
 */
const ALONE_MS = 1_000;

interface Leaving {
  pending: PendingRequest;
  command: CommandContract;
  json: string;
}

interface Outgoing {
  id: string;
  type: string;
  content: string;
  headers?: Record<string, unknown>;
  takeWithinMs: number;
}

/**
 * Sends commands, and matches replies and the broker's expiry reports to them. Commands sent in one tick of the event
 * loop are grouped if their contract allows it. A process that returns a group has started none of its commands, so
 * each one without a reply is sent again, alone.
 */
export class RpcClient {
  private channel?: ConfirmChannel;
  private replyQueue = '';
  /** Channel and queue of a connection that is not in use yet. */
  private opened?: { channel: ConfirmChannel; replyQueue: string };
  private unconfirmed = new UnconfirmedByContract();
  private readonly pending = new Map<string, PendingRequest>();
  /** Ids of the commands in flight in each group, by group id. */
  private readonly groups = new Map<string, Set<string>>();
  /** Commands to send at the end of this tick of the event loop. */
  private leaving: PendingRequest[] = [];
  private aloneUntil = 0;
  /** True while a binding is in progress. One binding serves all requests that time out together. */
  private isBinding = false;

  constructor(
    private readonly names: Names,
    private readonly service: ServiceName,
    private readonly connection: ConnectionState,
    private readonly box: RequestBox,
  ) {}

  async open(model: ChannelModel): Promise<void> {
    const channel = await model.createConfirmChannel();
    channel.on('error', () => undefined);
    channel.on('close', () => {
      this.failAll('the connection to the broker was lost', (pending) => pending.channel === channel);
      destroySocket(model, new BrokerAwayError('the request channel was lost'));
    });
    channel.on('return', ({ properties }) => {
      for (const pending of this.takeAll(properties.correlationId))
        pending.reject(notTaken(pending, 'the command has no queue'));
    });
    // Direct reply-to is not used, because a login that may reply to it may publish to every queue.
    const options = { exclusive: true, autoDelete: true, durable: false, arguments: { 'x-queue-type': 'classic' } };
    const { queue } = await channel.assertQueue(this.names.newPassingQueue(this.service), options);
    await this.bindReplies(channel, queue);
    await channel.consume(queue, (message) => message && this.onMessage(message), { noAck: true });
    this.opened = { channel, replyQueue: queue };
  }

  /** Switches to the channel opened last. Commands in flight on the previous channel still get their replies there. */
  putToUse(): void {
    this.channel = this.opened?.channel;
    this.replyQueue = this.opened?.replyQueue ?? '';
    this.unconfirmed = new UnconfirmedByContract();
  }

  /** Returns the age of the oldest outstanding confirm of a command in milliseconds; 0 when there is none. */
  unconfirmedMs(): number {
    return this.unconfirmed.oldestMs();
  }

  /** Returns whether commands are in flight on a replaced connection. */
  isReplacedBusy(): boolean {
    return [...this.pending.values()].some(({ channel }) => channel !== this.channel);
  }

  private async bindReplies(channel: Channel, queue: string): Promise<void> {
    await channel.bindQueue(queue, this.names.repliesExchange, queue);
  }

  request<Request extends object, Response extends object>(
    command: CommandContract<Request, Response>,
    request: Request,
    { timeoutMs = command.timeoutMs }: RequestOptions,
  ): Promise<Response> {
    const id = randomUUID();
    const address = { exchange: this.names.exchange(this.service), routingKey: command.name, messageId: id };
    return inSpan(...messagingSpan('request', address), () => {
      return new Promise<Response>((resolve, reject) => {
        const content = JSON.stringify(request);
        checkSize(command, content);
        const headers = { ...injectTrace(), [HEADERS.timeLimit]: Math.ceil(timeoutMs), [HEADERS.readsGroups]: true };
        const isSecret = this.box.hasKeys() && command.hasSecret?.(request) === true;
        const state = { id, sentAt: performance.now(), isSecret, isTaken: false, mayBeBegun: false };
        const answer = { resolve: resolve as (reply: object) => void, reject };
        this.send({ ...state, command, timeoutMs, content, headers, ...answer });
      });
    });
  }

  private send(pending: PendingRequest): void {
    const back = this.connection.untilBack();
    if (back) return void back.then(() => this.sendAlone(pending));
    if (!mayBeGrouped(pending) || performance.now() < this.aloneUntil) return this.sendAlone(pending);
    // Run after all commands of this tick have been collected.
    if (this.leaving.length === 0) setImmediate(() => this.sendLeaving());
    this.leaving.push(pending);
  }

  private sendLeaving(): void {
    const items = this.leaving.map((pending) => ({ pending, command: pending.command, json: groupedCommand(pending) }));
    this.leaving = [];
    for (const group of groupsOf<Leaving>(items)) {
      if (group.length === 1) this.sendAlone(group[0].pending);
      else this.sendTogether(group);
    }
  }

  private sendAlone(pending: PendingRequest): void {
    const { id, command, content = '', headers, isSecret } = pending;
    const message = { id, type: command.name, takeWithinMs: takeWithin(pending) };
    if (isSecret) {
      const sealed = { content: this.box.seal(command, id, content), headers: { ...headers, [HEADERS.sealed]: true } };
      return this.publish(command, [pending], { ...message, ...sealed });
    }
    pending.content = pending.headers = undefined;
    this.publish(command, [pending], { ...message, content, headers });
  }

  /** Resends a command unencrypted when the receiving process could not decrypt it. */
  private sendInClear(pending: PendingRequest): void {
    pending.isSecret = pending.isTaken = false;
    this.sendAlone(pending);
  }

  private sendTogether(group: Group<Leaving>): void {
    const id = randomUUID();
    const commands = group.map(({ pending }) => pending);
    this.groups.set(id, new Set(commands.map((pending) => pending.id)));
    for (const pending of commands) pending.groupId = id;
    const content = `[${group.map(({ json }) => json).join(',')}]`;
    const takeWithinMs = Math.min(...commands.map((pending) => takeWithin(pending)));
    this.publish(group[0].command, commands, { id, type: COMMANDS, content, takeWithinMs });
  }

  /** Publishes a message with the commands and tracks them as in flight. */
  private publish(command: CommandContract, commands: readonly PendingRequest[], message: Outgoing): void {
    const { id, type, content, headers = {}, takeWithinMs } = message;
    const { channel } = this;
    const unconfirmed = this.unconfirmed.of(command);
    const isOverdue = unconfirmed.oldestMs() > OVERDUE_MS;
    const owed = unconfirmed.add();
    const onConfirm = (error: unknown): void => {
      unconfirmed.remove(owed);
      // The loss of the channel has been reported already.
      if (!isChannelClosed(error)) this.onConfirmed(commands, { takeWithinMs, error });
    };
    try {
      // The process was blocked since the call. RabbitMQ closes the channel when an expiration is negative.
      if (takeWithinMs <= 0) throw new Error('it waited too long in this process before it was sent');
      this.connection.checkReady();
      // The queue currently stores nothing. The next connection retries.
      if (isOverdue) throw new Error('the broker owes confirms');
      if (!channel) throw new BrokerAwayError('not connected');
      const properties = {
        contentType: JSON_CONTENT,
        type,
        appId: this.service,
        messageId: id,
        correlationId: id,
        replyTo: this.replyQueue,
        // Routing key of an expired request. The broker preserves it in the dead letter; no other binding uses it.
        CC: this.replyQueue,
        expiration: takeWithinMs,
        persistent: false,
        mandatory: true,
        headers,
      };
      channel.publish(this.names.exchange(this.service), command.name, Buffer.from(content), properties, onConfirm);
    } catch (error) {
      unconfirmed.remove(owed);
      this.groups.delete(id);
      for (const pending of commands) pending.reject(notTaken(pending, 'it could not be sent', error));
      return;
    }
    for (const pending of commands) {
      pending.channel = channel;
      this.pending.set(pending.id, pending);
      this.limit(pending, confirmWithin(command, takeWithinMs), 'the broker did not confirm it');
    }
  }

  /** Handles a confirm or a nack. After a nack, the broker did not store the commands, so no process receives them. */
  private onConfirmed(
    commands: readonly PendingRequest[],
    { takeWithinMs, error }: { takeWithinMs: number; error: unknown },
  ): void {
    for (const pending of commands) {
      if (!this.pending.has(pending.id)) continue;
      if (error) this.take(pending.id)?.reject(notTaken(pending, 'the broker did not store it', error));
      // The time limit of a command that changes something starts at its acceptance.
      else if (!pending.isTaken)
        this.limit(pending, pending.command.changes ? takeWithinMs + pending.timeoutMs : pending.timeoutMs);
    }
  }

  private limit(pending: PendingRequest, ms: number, reason = 'it was not answered in time'): void {
    clearTimeout(pending.timer);
    pending.timer = setTimeout(() => {
      this.take(pending.id)?.reject(unanswered(pending, reason));
      this.rebindReplies();
    }, ms);
  }

  /**
   * Restores the binding of the reply queue, in case another service recreated a deleted replies exchange without it.
   */
  private rebindReplies(): void {
    if (!this.channel || this.isBinding) return;
    this.isBinding = true;
    // Rejected when the exchange or the connection is gone. The channel's 'close' event then triggers a reconnect.
    this.bindReplies(this.channel, this.replyQueue)
      .catch(() => undefined)
      .finally(() => (this.isBinding = false));
  }

  private onMessage(message: ConsumeMessage): void {
    if (message.properties.headers?.[DEATH_REASON] === undefined) this.onReply(message);
    else this.onExpired(message);
  }

  private onReply({ content, properties: { type, correlationId } }: ConsumeMessage): void {
    if (type === TAKEN_NOTE) this.onTaken(String(correlationId));
    else if (type === TAKEN_NOTES) for (const id of this.groupIn<string>(content)) this.onTaken(id);
    else if (type === REPLIES)
      for (const reply of this.groupIn<GroupedReply>(content)) this.onAnswer(reply.id, () => reply);
    // `GROUP_RETURNED`, or an earlier version's reply to a body that is not an object.
    else if (this.groups.has(String(correlationId))) this.onGroupReturned(String(correlationId));
    else this.onAnswer(correlationId, () => ({ type, body: JSON.parse(content.toString()) as object }));
  }

  /**
   * Parses a group of replies. An unreadable group may concern any request in flight, so all of them fail with an
   * unknown outcome.
   */
  private groupIn<Item>(content: Buffer): Item[] {
    try {
      return JSON.parse(content.toString()) as Item[];
    } catch {
      this.failAll('a group of answers could not be read');
      return [];
    }
  }

  private onAnswer(id: unknown, read: () => { type?: unknown; body: object }): void {
    const pending = this.take(id);
    if (!pending) return;
    try {
      const { type, body } = read();
      if (type === ERROR_REPLY && isUnread(pending, body as AppErrorBody)) this.sendInClear(pending);
      else if (type === ERROR_REPLY) pending.reject(trueRefusal(pending, body as AppErrorBody));
      else pending.resolve(body);
    } catch (error) {
      pending.reject(new AppError('INTERNAL', { cause: error }));
    }
  }

  private onTaken(id: string): void {
    const pending = this.pending.get(id);
    if (!pending) return;
    pending.isTaken = true;
    this.limit(pending, pending.timeoutMs);
  }

  /**
   * Resends the commands of a returned group. A lost process may have started some of them, but its replies arrived
   * before the group was returned.
   */
  private onGroupReturned(id: string): void {
    this.aloneUntil = performance.now() + ALONE_MS;
    for (const pending of this.takeAll(id)) {
      pending.mayBeBegun = pending.isTaken;
      this.sendAlone(pending);
    }
  }

  /**
   * Handles an expiry. Either no process accepted the command, or the one that did was lost and none accepted it again.
   */
  private onExpired({ properties }: ConsumeMessage): void {
    const isExpiry = properties.headers?.[DEATH_REASON] === 'expired';
    for (const pending of this.takeAll(properties.correlationId))
      pending.reject(isExpiry ? notTaken(pending, 'nobody took it') : unanswered(pending, 'the broker gave it up'));
  }

  private failAll(reason: string, isMeant: (pending: PendingRequest) => boolean = () => true): void {
    for (const pending of [...this.pending.values()].filter(isMeant))
      this.take(pending.id)?.reject(unanswered(pending, reason));
  }

  /** Removes and returns the in-flight commands of a message. */
  private takeAll(correlationId: unknown): PendingRequest[] {
    const id = String(correlationId);
    const ids = [...(this.groups.get(id) ?? [id])];
    return ids.map((each) => this.take(each)).filter((pending) => pending !== undefined);
  }

  private take(correlationId: unknown): PendingRequest | undefined {
    const id = String(correlationId);
    const pending = this.pending.get(id);
    if (!pending) return undefined;
    clearTimeout(pending.timer);
    this.pending.delete(id);
    this.leaveGroup(pending);
    return pending;
  }

  private leaveGroup(pending: PendingRequest): void {
    if (pending.groupId === undefined) return;
    const group = this.groups.get(pending.groupId);
    group?.delete(pending.id);
    if (group?.size === 0) this.groups.delete(pending.groupId);
    pending.groupId = undefined;
  }
}
