import { AppError, type AppErrorBody, type CommandContract, type ErrorCode, type ServiceName } from '@switchboard/contracts';
import { inSpan, injectTrace, SpanKind } from '@switchboard/platform';
import type { Channel, ChannelModel, ConsumeMessage } from 'amqplib';
import { randomUUID } from 'node:crypto';
import type { AskOptions } from './broker';
import { BrokerAwayError } from './errors';
import { ListenerCheck } from './listener-check';
import type { Names } from './names';
import { destroySocket } from './socket';
import { ERROR_REPLY, HEADERS, JSON_CONTENT } from './wire';

const REPLY_QUEUE = 'amq.rabbitmq.reply-to';
/** An answer that takes longer makes us look whether anybody listens; nobody twice in a row is as good as a refusal. */
const FIRST_LOOK_MS = 1_000;
const SECOND_LOOK_MS = 700;

interface Question {
  command: string;
  queue: string;
  /** On the clock of `performance.now()`. */
  endsAt: number;
  whenUnanswered: ErrorCode;
  lookedInVain: boolean;
  timer?: NodeJS.Timeout;
  resolve(reply: object): void;
  reject(error: Error): void;
}

/** Sends commands and matches the replies to them (direct reply-to). */
export class Asker {
  private channel?: Channel;
  private listenerCheck?: ListenerCheck;
  private readonly questions = new Map<string, Question>();

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
    channel.on('return', ({ properties }) => this.fail(String(properties.correlationId), unavailable('the command has no queue')));
    await channel.consume(REPLY_QUEUE, (reply) => reply && this.settle(reply), { noAck: true });
    this.listenerCheck = new ListenerCheck(model);
    this.channel = channel;
  }

  /** See `Broker.ask`. */
  ask<Request extends object, Response extends object>(
    command: CommandContract<Request, Response>,
    request: Request,
    options: AskOptions,
  ): Promise<Response> {
    const { timeoutMs = command.timeoutMs, whenUnanswered = 'UNAVAILABLE' } = options;
    return inSpan(`ask ${command.name}`, { kind: SpanKind.CLIENT }, () => {
      const queue = this.names.queue(command, command.owner);
      return new Promise<Response>((resolve, reject) => {
        const answer = { resolve: resolve as (reply: object) => void, reject };
        const question: Question = { command: command.name, queue, whenUnanswered, endsAt: performance.now() + timeoutMs, lookedInVain: false, ...answer };
        this.send(question, JSON.stringify(request), Math.ceil(timeoutMs));
      });
    });
  }

  private send(question: Question, body: string, timeoutMs: number): void {
    const id = randomUUID();
    try {
      this.checkReady();
      if (!this.channel) throw new BrokerAwayError('not connected');
      this.channel.publish('', question.queue, Buffer.from(body), {
        contentType: JSON_CONTENT,
        type: question.command,
        appId: this.service,
        messageId: id,
        correlationId: id,
        replyTo: REPLY_QUEUE,
        expiration: timeoutMs,
        persistent: false,
        mandatory: true,
        headers: { ...injectTrace(), [HEADERS.deadline]: Date.now() + timeoutMs },
      });
    } catch (error) {
      question.reject(unavailable('the broker is away', error));
      return;
    }
    this.questions.set(id, question);
    this.waitOn(id, question);
  }

  private waitOn(id: string, question: Question): void {
    const look = question.lookedInVain ? SECOND_LOOK_MS : FIRST_LOOK_MS;
    question.timer = setTimeout(() => this.onUnanswered(id, question), Math.min(look, question.endsAt - performance.now()));
  }

  private onUnanswered(id: string, question: Question): void {
    // Timers may fire a millisecond early.
    if (performance.now() >= question.endsAt - 1) {
      this.fail(id, unanswered(question, 'was not answered in time'));
      return;
    }
    const looked = this.listenerCheck?.isIgnored(question.queue) ?? Promise.resolve(false);
    looked.then(
      (ignored) => this.onLooked(id, question, ignored),
      // The look fails with the connection, and then all questions have failed.
      () => this.onLooked(id, question, false),
    );
  }

  private onLooked(id: string, question: Question, ignored: boolean): void {
    if (!this.questions.has(id)) return;
    if (ignored && question.lookedInVain) {
      // A listener that comes back before the deadline still takes it.
      this.fail(id, unanswered(question, 'lies in a queue to which nobody listens'));
      return;
    }
    question.lookedInVain = ignored;
    this.waitOn(id, question);
  }

  private settle({ content, properties }: ConsumeMessage): void {
    const question = this.take(String(properties.correlationId));
    if (!question) return;
    try {
      const reply: unknown = JSON.parse(content.toString());
      if (properties.type === ERROR_REPLY) question.reject(AppError.fromBody(reply as AppErrorBody));
      else question.resolve(reply as object);
    } catch (error) {
      question.reject(new AppError('INTERNAL', { cause: error }));
    }
  }

  private fail(id: string, error: AppError): void {
    this.take(id)?.reject(error);
  }

  private failAll(reason: string): void {
    for (const [id, question] of [...this.questions]) this.fail(id, unanswered(question, reason));
  }

  private take(id: string): Question | undefined {
    const question = this.questions.get(id);
    clearTimeout(question?.timer);
    this.questions.delete(id);
    return question;
  }
}

/** It was sent, so it may be carried out, now or until its deadline: nobody knows. */
function unanswered({ command, whenUnanswered }: Question, reason: string): AppError {
  return new AppError(whenUnanswered, { cause: new Error(`${command}: ${reason}`) });
}

/** It was certainly not sent. */
function unavailable(reason: string, cause?: unknown): AppError {
  return new AppError('UNAVAILABLE', { cause: new Error(reason, { cause }) });
}
