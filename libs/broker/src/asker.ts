import { AppError, type AppErrorBody, type CommandContract, type ServiceName } from '@switchboard/contracts';
import { inSpan, injectTrace, SpanKind } from '@switchboard/platform';
import type { Channel, ChannelModel, ConsumeMessage } from 'amqplib';
import { randomUUID } from 'node:crypto';
import type { AskOptions } from './broker';
import { BrokerAwayError } from './errors';
import type { Names } from './names';
import { destroySocket } from './socket';
import { ERROR_REPLY, HEADERS, JSON_CONTENT, TAKEN_NOTE } from './wire';

/**
 * How long a command lies in its queue at most. The broker never hands out a command that has waited longer, and
 * reports it to its caller, who then knows that nothing was done. A caller must have its refusal within two seconds.
 */
export const TAKE_WITHIN_MS = 1_500;

/** The broker writes it into what it reports. */
const DEATH_REASON = 'x-first-death-reason';

interface Question {
  command: CommandContract;
  timeoutMs: number;
  /** A service has taken the command and may have begun: from then on only its answer says what was done. */
  isTaken: boolean;
  timer?: NodeJS.Timeout;
  resolve(reply: object): void;
  reject(error: Error): void;
}

/** Sends commands and matches to them the replies and the broker's reports of those that nobody took. */
export class Asker {
  private channel?: Channel;
  private replyQueue = '';
  private readonly questions = new Map<string, Question>();
  /** One binding at a time serves all questions that go unanswered together. */
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
      destroySocket(model, new BrokerAwayError('the asking channel was lost'));
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

  /** See `Broker.ask`. */
  ask<Request extends object, Response extends object>(
    command: CommandContract<Request, Response>,
    request: Request,
    { timeoutMs = command.timeoutMs }: AskOptions,
  ): Promise<Response> {
    return inSpan(`ask ${command.name}`, { kind: SpanKind.CLIENT }, () => {
      return new Promise<Response>((resolve, reject) => {
        const answer = { resolve: resolve as (reply: object) => void, reject };
        this.send({ command, timeoutMs, isTaken: false, ...answer }, Buffer.from(JSON.stringify(request)));
      });
    });
  }

  private send(question: Question, body: Buffer): void {
    const { command, timeoutMs } = question;
    if (body.length > command.maxBytes) return question.reject(tooLarge(command));
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
        headers: { ...injectTrace(), [HEADERS.timeLimit]: Math.ceil(timeoutMs) },
      });
    } catch (error) {
      question.reject(unavailable('the broker is away', error));
      return;
    }
    this.questions.set(id, question);
    // The time of what changes something counts from when it is taken.
    this.limit(id, question, command.changes ? takeWithinMs + timeoutMs : timeoutMs);
  }

  private limit(id: string, question: Question, ms: number): void {
    clearTimeout(question.timer);
    question.timer = setTimeout(() => {
      this.take(id)?.reject(unanswered(question, 'it was not answered in time'));
      this.makeSureToHear();
    }, ms);
  }

  /**
   * Somebody may have deleted the exchange of replies, and a service that started later made it again without our
   * binding.
   */
  private makeSureToHear(): void {
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

  private onReply({ content, properties }: ConsumeMessage): void {
    if (properties.type === TAKEN_NOTE) return this.onTaken(String(properties.correlationId));
    const question = this.take(properties.correlationId);
    if (!question) return;
    try {
      const reply: unknown = JSON.parse(content.toString());
      if (properties.type === ERROR_REPLY) question.reject(AppError.fromBody(reply as AppErrorBody));
      else question.resolve(reply as object);
    } catch (error) {
      question.reject(new AppError('INTERNAL', { cause: error }));
    }
  }

  private onTaken(id: string): void {
    const question = this.questions.get(id);
    if (!question) return;
    question.isTaken = true;
    this.limit(id, question, question.timeoutMs);
  }

  /** A command expires twice over: nobody took it, or whoever took it was lost and nobody took it again. */
  private onExpired({ properties }: ConsumeMessage): void {
    const question = this.take(properties.correlationId);
    if (!question) return;
    const isUntouched = !question.isTaken && properties.headers?.[DEATH_REASON] === 'expired';
    const { name } = question.command;
    question.reject(
      isUntouched ? unavailable(`${name}: nobody took it`) : unanswered(question, 'the process that took it was lost'),
    );
  }

  private failAll(reason: string): void {
    for (const [id, question] of [...this.questions]) this.take(id)?.reject(unanswered(question, reason));
  }

  private take(correlationId: unknown): Question | undefined {
    const id = String(correlationId);
    const question = this.questions.get(id);
    clearTimeout(question?.timer);
    this.questions.delete(id);
    return question;
  }
}

/** It was sent, so it may be carried out: nobody knows. Of what changes nothing, nobody needs to know. */
function unanswered({ command, isTaken }: Question, reason: string): AppError {
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
