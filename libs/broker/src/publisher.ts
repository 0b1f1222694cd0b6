import { dataChangedV1, type EventContract, EVENTS, type ServiceName, TASKS } from '@switchboard/contracts';
import type { Logger } from '@switchboard/platform';
import type { ChannelModel, ConfirmChannel, Message, Options } from 'amqplib';
import { ChangeCollector } from './change-collector';
import { BrokerAwayError, NotConfirmedError, UnroutableError } from './errors';
import { inSendSpan } from './messaging-span';
import type { Names } from './names';
import { destroySocket } from './socket';
import { isChannelClosed, Unconfirmed } from './unconfirmed';
import { JSON_CONTENT } from './wire';

/** Maximum wait for a confirm. A healthy broker confirms in milliseconds; one that has lost its majority never does. */
const CONFIRM_TIMEOUT_MS = 10_000;

/** Event or task in its serialized form. */
export interface OutgoingMessage {
  kind: 'event' | 'task';
  name: string;
  body: string;
  messageId: string;
  /** Trace headers of the cause; those of the active span when absent. */
  headers?: Record<string, unknown>;
  delaySeconds?: number;
}

interface Route {
  exchange: string;
  routingKey: string;
  /**
   * True for an event without consumers of its own. The event may be unroutable, because a broadcast without listeners
   * is complete.
   */
  mayBeUnheard?: boolean;
  event?: EventContract;
}

interface OpenChannel {
  channel: ConfirmChannel;
  unconfirmed: Unconfirmed;
  /**
   * Number of times that the broker returned a message, by message id. The broker sends the confirm after the return.
   */
  returned: Map<string, number>;
}

/** Publishes persistent, mandatory messages and waits for confirms, so that no message is lost silently. */
export class Publisher {
  private current?: OpenChannel;
  /** Channel of a connection that is not in use yet. */
  private opened?: OpenChannel;
  /** Channels of replaced connections with outstanding confirms. */
  private replaced: OpenChannel[] = [];
  private readonly changes = new ChangeCollector(
    (body) => this.publishChanges(body),
    (err) => {
      if (!(err instanceof BrokerAwayError)) this.logger.warn({ err }, 'broker.changes-not-published');
    },
  );

  constructor(
    private readonly names: Names,
    private readonly service: ServiceName,
    /** Throws when nothing can be published. */
    private readonly checkReady: () => void,
    private readonly logger: Logger,
  ) {}

  async open(model: ChannelModel): Promise<void> {
    const channel = await model.createConfirmChannel();
    // The 'close' event follows and rejects all unconfirmed publishes.
    channel.on('error', () => undefined);
    channel.on('close', () => this.onClosed(model, channel));
    const opened: OpenChannel = { channel, unconfirmed: new Unconfirmed(), returned: new Map() };
    channel.on('return', (message: Message) => markReturned(opened, message));
    this.opened = opened;
  }

  putToUse(): void {
    this.replaced = [...this.replaced, ...(this.current ? [this.current] : [])].filter(isBusy);
    this.current = this.opened;
  }

  /** Returns the age of the oldest outstanding confirm in milliseconds; 0 when there is none. */
  unconfirmedMs(): number {
    return this.current?.unconfirmed.oldestMs() ?? 0;
  }

  /** Returns whether confirms are outstanding on a replaced connection. */
  isReplacedBusy(): boolean {
    return this.replaced.some(isBusy);
  }

  /**
   * Publishes an event or task.
   * @throws UnroutableError when no queue receives it, BrokerAwayError or Error when it is not known to be stored
   */
  async send(message: OutgoingMessage): Promise<void> {
    const route = this.routeOf(message);
    const address = { ...route, messageId: message.messageId };
    await inSendSpan(address, message.headers, (headers) => this.sendTo(route, message, headers));
  }

  private async sendTo(
    { exchange, routingKey, mayBeUnheard, event }: Route,
    message: OutgoingMessage,
    headers: Record<string, unknown>,
  ): Promise<void> {
    const stored = this.publish(exchange, routingKey, Buffer.from(message.body), {
      contentType: JSON_CONTENT,
      messageId: message.messageId,
      type: message.name,
      appId: this.service,
      timestamp: Math.floor(Date.now() / 1_000),
      // Omit empty headers, because amqplib would encode, send and store an empty table with each message.
      ...(Object.keys(headers).length > 0 && { headers }),
    });
    if (event) this.changes.add(event, message.body);
    await (mayBeUnheard ? stored.catch(unlessUnroutable) : stored);
  }

  /**
   * Publishes changes of data without waiting for a confirm. They are published separately, so that an event counts as
   * stored only when the queues of its consumers have it, whether or not gateways listen. The publish uses the same
   * exchange and channel as events, so it fails only when events fail.
   */
  private publishChanges(body: string): void {
    const { channel } = this.openChannel();
    channel.publish(this.names.exchange(this.service), dataChangedV1.name, Buffer.from(body), {
      contentType: JSON_CONTENT,
      type: dataChangedV1.name,
      appId: this.service,
    });
  }

  publish(
    exchange: string,
    routingKey: string,
    content: Buffer,
    properties: Options.Publish & { messageId: string },
  ): Promise<void> {
    return new Promise((resolve, reject) => {
      const opened = this.openChannel();
      const { channel, unconfirmed } = opened;
      const owed = unconfirmed.add();
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
          unconfirmed.remove(owed);
          if (takeReturned(opened, properties.messageId)) reject(new UnroutableError(`no queue takes ${routingKey}`));
          else if (error) reject(this.notConfirmed(routingKey, error));
          else resolve();
        },
      );
    });
  }

  /**
   * Drops the connection, since a deleted exchange closes the channel. The next connection declares everything again.
   */
  private onClosed(model: ChannelModel, channel: ConfirmChannel): void {
    if (this.current?.channel === channel) this.current = undefined;
    destroySocket(model, new BrokerAwayError('the publishing channel was lost'));
  }

  private openChannel(): OpenChannel {
    this.checkReady();
    if (!this.current) throw new BrokerAwayError('not connected');
    return this.current;
  }

  private notConfirmed(routingKey: string, cause: unknown): Error {
    try {
      this.checkReady();
    } catch (error) {
      return new BrokerAwayError(`${routingKey} was not confirmed`, { cause: error });
    }
    if (isChannelClosed(cause)) return new BrokerAwayError(`${routingKey} was not confirmed`, { cause });
    const text = cause instanceof Error ? cause.message : String(cause);
    return new NotConfirmedError(`${routingKey}: ${text}`, { cause });
  }

  private routeOf({ kind, name, delaySeconds }: OutgoingMessage): Route {
    const exchange = this.names.exchange(this.service);
    if (kind === 'event') {
      const event = EVENTS.find((candidate) => candidate.name === name);
      if (!event) throw new UnroutableError(`unknown event ${name}`);
      return { exchange, routingKey: name, mayBeUnheard: event.consumers.length === 0, event };
    }
    const task = TASKS.find((candidate) => candidate.name === name);
    if (!task) throw new UnroutableError(`unknown task ${name}`);
    if (delaySeconds === undefined) return { exchange, routingKey: name };
    if (!task.delaysSeconds.includes(delaySeconds))
      throw new UnroutableError(`${name} has no delay of ${delaySeconds} s`);
    return { exchange, routingKey: this.names.waitQueue(this.names.queue(task, task.owner), delaySeconds) };
  }
}

const isBusy = ({ unconfirmed }: OpenChannel): boolean => unconfirmed.size > 0;

function markReturned({ returned }: OpenChannel, { properties }: Message): void {
  const id = String(properties.messageId);
  returned.set(id, (returned.get(id) ?? 0) + 1);
}

function takeReturned({ returned }: OpenChannel, messageId: string): boolean {
  const times = returned.get(messageId);
  if (times === undefined) return false;
  if (times === 1) returned.delete(messageId);
  else returned.set(messageId, times - 1);
  return true;
}

function unlessUnroutable(error: unknown): void {
  if (!(error instanceof UnroutableError)) throw error;
}
