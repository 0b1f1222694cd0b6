import { EVENTS, type ServiceName, TASKS } from '@switchboard/contracts';
import type { ChannelModel, ConfirmChannel, Message, Options } from 'amqplib';
import { BrokerAwayError, NotConfirmedError, UnroutableError } from './errors';
import { inSendSpan } from './messaging-span';
import type { Names } from './names';
import { destroySocket } from './socket';
import { JSON_CONTENT } from './wire';

/** A broker that is alive answers in milliseconds; one that lost its majority never does. */
const CONFIRM_TIMEOUT_MS = 10_000;
/** How amqplib rejects everything unconfirmed when a channel goes. */
const CHANNEL_CLOSED = 'channel closed';

/** An event or task in its wire form. */
export interface OutgoingMessage {
  kind: 'event' | 'task';
  /** The contract's name. */
  name: string;
  /** JSON. */
  body: string;
  messageId: string;
  /** Trace headers of the cause; those of the active span when absent. */
  headers?: Record<string, unknown>;
  /** One of the task's delays. */
  delaySeconds?: number;
}

interface Route {
  exchange: string;
  routingKey: string;
  /** Whether it is all right when no queue takes it: a broadcast that nobody listens to has reached everybody. */
  mayBeUnheard?: boolean;
}

/** Publishes so that nothing is lost in silence: persistent, mandatory, confirmed. */
export class Publisher {
  private channel?: ConfirmChannel;
  /** Messages the broker gave back, by id; their confirm is next. */
  private readonly returned = new Map<string, number>();

  constructor(
    private readonly names: Names,
    private readonly service: ServiceName,
    /** Throws while nothing can be published. */
    private readonly checkReady: () => void,
  ) {}

  async open(model: ChannelModel): Promise<void> {
    const channel = await model.createConfirmChannel();
    this.returned.clear();
    // Everything unconfirmed is rejected on 'close', which follows.
    channel.on('error', () => undefined);
    channel.on('close', () => this.onClosed(model, channel));
    channel.on('return', (message: Message) => this.noteReturned(message));
    this.channel = channel;
  }

  /**
   * Publishes an event or task.
   * @throws UnroutableError when no queue takes it, BrokerAwayError or Error when it is not known to be stored
   */
  async send(message: OutgoingMessage): Promise<void> {
    const route = this.routeOf(message);
    const address = { ...route, messageId: message.messageId };
    await inSendSpan(address, message.headers, (headers) => this.sendTo(route, message, headers));
  }

  private async sendTo(
    { exchange, routingKey, mayBeUnheard }: Route,
    message: OutgoingMessage,
    headers: Record<string, unknown>,
  ): Promise<void> {
    const stored = this.publish(exchange, routingKey, Buffer.from(message.body), {
      contentType: JSON_CONTENT,
      messageId: message.messageId,
      type: message.name,
      appId: this.service,
      timestamp: Math.floor(Date.now() / 1_000),
      // An empty table would be encoded, sent and stored with each message.
      ...(Object.keys(headers).length > 0 && { headers }),
    });
    await (mayBeUnheard ? stored.catch(unlessUnroutable) : stored);
  }

  /** The same for a message in any form. */
  publish(
    exchange: string,
    routingKey: string,
    content: Buffer,
    properties: Options.Publish & { messageId: string },
  ): Promise<void> {
    return new Promise((resolve, reject) => {
      const channel = this.openChannel();
      const onSilence = (): void =>
        reject(this.notConfirmed(routingKey, new Error(`silent for ${CONFIRM_TIMEOUT_MS} ms`)));
      const timer = setTimeout(onSilence, CONFIRM_TIMEOUT_MS);
      channel.publish(
        exchange,
        routingKey,
        content,
        { ...properties, persistent: true, mandatory: true },
        (error: unknown) => {
          clearTimeout(timer);
          if (this.takeReturned(properties.messageId)) reject(new UnroutableError(`no queue takes ${routingKey}`));
          else if (error) reject(this.notConfirmed(routingKey, error));
          else resolve();
        },
      );
    });
  }

  /** An exchange that somebody deleted costs us the channel: a new connection declares everything again. */
  private onClosed(model: ChannelModel, channel: ConfirmChannel): void {
    if (this.channel === channel) this.channel = undefined;
    destroySocket(model, new BrokerAwayError('the publishing channel was lost'));
  }

  private openChannel(): ConfirmChannel {
    this.checkReady();
    if (!this.channel) throw new BrokerAwayError('not connected');
    return this.channel;
  }

  private notConfirmed(routingKey: string, cause: unknown): Error {
    try {
      this.checkReady();
    } catch (error) {
      return new BrokerAwayError(`${routingKey} was not confirmed`, { cause: error });
    }
    const text = cause instanceof Error ? cause.message : String(cause);
    return text === CHANNEL_CLOSED
      ? new BrokerAwayError(`${routingKey} was not confirmed`, { cause })
      : new NotConfirmedError(`${routingKey}: ${text}`, { cause });
  }

  private routeOf({ kind, name, delaySeconds }: OutgoingMessage): Route {
    const exchange = this.names.exchange(this.service);
    if (kind === 'event') {
      const event = EVENTS.find((candidate) => candidate.name === name);
      if (!event) throw new UnroutableError(`unknown event ${name}`);
      return { exchange, routingKey: name, mayBeUnheard: event.consumers.length === 0 };
    }
    const task = TASKS.find((candidate) => candidate.name === name);
    if (!task) throw new UnroutableError(`unknown task ${name}`);
    if (delaySeconds === undefined) return { exchange, routingKey: name };
    if (!task.delaysSeconds.includes(delaySeconds))
      throw new UnroutableError(`${name} has no delay of ${delaySeconds} s`);
    return { exchange, routingKey: this.names.waitQueue(this.names.queue(task, task.owner), delaySeconds) };
  }

  private noteReturned({ properties }: Message): void {
    const id = String(properties.messageId);
    this.returned.set(id, (this.returned.get(id) ?? 0) + 1);
  }

  private takeReturned(messageId: string): boolean {
    const times = this.returned.get(messageId);
    if (times === undefined) return false;
    if (times === 1) this.returned.delete(messageId);
    else this.returned.set(messageId, times - 1);
    return true;
  }
}

function unlessUnroutable(error: unknown): void {
  if (!(error instanceof UnroutableError)) throw error;
}
