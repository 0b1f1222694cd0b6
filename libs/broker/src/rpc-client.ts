import { AppError, type AppErrorBody, type CommandContract, type ServiceName } from '@switchboard/contracts';
import { inSpan, injectTrace, SpanKind } from '@switchboard/platform';
import type { Channel, ChannelModel, ConsumeMessage } from 'amqplib';
import { randomUUID } from 'node:crypto';
import type { RequestOptions } from './broker';
import { BrokerAwayError } from './errors';
import type { Names } from './names';
import { destroySocket } from './socket';
import { ERROR_REPLY, type GroupedReply, HEADERS, JSON_CONTENT, REPLIES, TAKEN_NOTE, TAKEN_NOTES } from './wire';

/**
 * How long a command lies in its queue at most. The broker never hands out a command that has waited longer, and
 * reports it to its caller, who then knows that nothing was done. A caller must have its refusal within two seconds.
 */
export const TAKE_WITHIN_MS = 1_500;

/** The broker writes it into what it reports. */
const DEATH_REASON = 'x-first-death-reason';

interface PendingRequest {
  command: CommandContract;
  timeoutMs: number;
  /** A service has taken the command and may have begun: from then on only its answer says what was done. */
  isTaken: boolean;
  timer?: NodeJS.Timeout;
  resolve(reply: object): void;
  reject(error: Error): void;
}

/** Sends commands and matches to them the replies and the broker's reports of those that nobody took. */
export class RpcClient {
  private channel?: Channel;
  private replyQueue = '';
  private readonly pending = new Map<string, PendingRequest>();
  /** One binding at a time serves all requests that go unanswered together. */
  private isBinding = false;

  constructor(
    private readonly names: Names,
    private readonly service: ServiceName,
    /** Throws while nothing can be sent. */
    private readonly checkReady: () => void,
  ) {}

  async open(model: ChannelModel): Promise<void> {
    const channel = await model.createChannel();
    channel.on('error', () => undefined);
    channel.on('close', () => {
      this.failAll('the connection to the broker was lost');
      destroySocket(model, new BrokerAwayError('the request channel was lost'));
    });
    channel.on('return', ({ properties }) =>
      this.take(properties.correlationId)?.reject(unavailable('the command has no queue')),
    );
    // Not the broker's direct reply-to: who may answer to that may publish to every queue.
    const options = { exclusive: true, autoDelete: true, durable: false, arguments: { 'x-queue-type': 'classic' } };
    const { queue } = await channel.assertQueue(this.names.newPassingQueue(this.service), options);
    await this.bindReplies(channel, queue);
    await channel.consume(queue, (message) => message && this.onMessage(message), { noAck: true });
    this.replyQueue = queue;
    this.channel = channel;
  }

  private async bindReplies(channel: Channel, queue: string): Promise<void> {
    await channel.bindQueue(queue, this.names.repliesExchange, queue);
  }

  /** See `Broker.request`. */
  request<Request extends object, Response extends object>(
    command: CommandContract<Request, Response>,
    request: Request,
    { timeoutMs = command.timeoutMs }: RequestOptions,
  ): Promise<Response> {
    return inSpan(`request ${command.name}`, { kind: SpanKind.CLIENT }, () => {
      return new Promise<Response>((resolve, reject) => {
        const answer = { resolve: resolve as (reply: object) => void, reject };
        this.send({ command, timeoutMs, isTaken: false, ...answer }, Buffer.from(JSON.stringify(request)));
      });
    });
  }

  private send(pending: PendingRequest, body: Buffer): void {
    const { command, timeoutMs } = pending;
    if (body.length > command.maxBytes) return pending.reject(tooLarge(command));
    const id = randomUUID();
    const takeWithinMs = Math.ceil(Math.min(TAKE_WITHIN_MS, timeoutMs));
    try {
      this.checkReady();
      if (!this.channel) throw new BrokerAwayError('not connected');
      this.channel.publish(this.names.exchange(this.service), command.name, body, {
        contentType: JSON_CONTENT,
        type: command.name,
        appId: this.service,
        messageId: id,
        correlationId: id,
        replyTo: this.replyQueue,
        // Where it goes when it expires: the broker keeps this key, which leads nowhere else, for its dead letter.
        CC: this.replyQueue,
        expiration: takeWithinMs,
        persistent: false,
        mandatory: true,
        headers: { ...injectTrace(), [HEADERS.timeLimit]: Math.ceil(timeoutMs), [HEADERS.readsGroups]: true },
      });
    } catch (error) {
      pending.reject(unavailable('the broker is away', error));
      return;
    }
    this.pending.set(id, pending);
    // The time of what changes something counts from when it is taken.
    this.limit(id, pending, command.changes ? takeWithinMs + timeoutMs : timeoutMs);
  }

  private limit(id: string, pending: PendingRequest, ms: number): void {
    clearTimeout(pending.timer);
    pending.timer = setTimeout(() => {
      this.take(id)?.reject(unanswered(pending, 'it was not answered in time'));
      this.rebindReplies();
    }, ms);
  }

  /**
   * Somebody may have deleted the exchange of replies, and a service that started later made it again without our
   * binding.
   */
  private rebindReplies(): void {
    if (!this.channel || this.isBinding) return;
    this.isBinding = true;
    // Rejected when the exchange or the connection is gone: the channel's 'close' connects us anew.
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
    else this.onAnswer(correlationId, () => ({ type, body: JSON.parse(content.toString()) as object }));
  }

  /**
   * Nobody knows whom an unreadable group speaks of, so of no request that is under way may be said that nothing was
   * done.
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
      if (type === ERROR_REPLY) pending.reject(AppError.fromBody(body as AppErrorBody));
      else pending.resolve(body);
    } catch (error) {
      pending.reject(new AppError('INTERNAL', { cause: error }));
    }
  }

  private onTaken(id: string): void {
    const pending = this.pending.get(id);
    if (!pending) return;
    pending.isTaken = true;
    this.limit(id, pending, pending.timeoutMs);
  }

  /** A command expires twice over: nobody took it, or whoever took it was lost and nobody took it again. */
  private onExpired({ properties }: ConsumeMessage): void {
    const pending = this.take(properties.correlationId);
    if (!pending) return;
    const isUntouched = !pending.isTaken && properties.headers?.[DEATH_REASON] === 'expired';
    const { name } = pending.command;
    pending.reject(
      isUntouched ? unavailable(`${name}: nobody took it`) : unanswered(pending, 'the process that took it was lost'),
    );
  }

  private failAll(reason: string): void {
    for (const [id, pending] of [...this.pending]) this.take(id)?.reject(unanswered(pending, reason));
  }

  private take(correlationId: unknown): PendingRequest | undefined {
    const id = String(correlationId);
    const pending = this.pending.get(id);
    clearTimeout(pending?.timer);
    this.pending.delete(id);
    return pending;
  }
}

/** It was sent, so it may be carried out: nobody knows. Of what changes nothing, nobody needs to know. */
function unanswered({ command, isTaken }: PendingRequest, reason: string): AppError {
  const cause = new Error(`${command.name}: ${reason}${isTaken ? ', after it was taken' : ''}`);
  return new AppError(command.changes ? 'OUTCOME_UNKNOWN' : 'UNAVAILABLE', { cause });
}

function tooLarge({ maxBytes }: CommandContract): AppError {
  const message = `the request is too large: its content may take ${Math.floor(maxBytes / 1_024)} KB at most`;
  return new AppError('PAYLOAD_TOO_LARGE', { message });
}

/** It was certainly not carried out, and will not be. */
function unavailable(reason: string, cause?: unknown): AppError {
  return new AppError('UNAVAILABLE', { cause: new Error(reason, { cause }) });
}
