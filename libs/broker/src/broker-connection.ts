import { type Logger, withTimeout } from '@switchboard/platform';
import { type Channel, type ChannelModel, connect } from 'amqplib';
import { setTimeout as delay } from 'node:timers/promises';
import { BrokerAwayError, TopologyMismatchError } from './errors';
import { destroySocket, groupWrites } from './socket';
import { Watchdog } from './watchdog';

const FIRST_RETRY_MS = 100;
/**
 * Short: callers get their 503 until we are back, and a broker that hangs makes each try last long enough by itself.
 */
const LAST_RETRY_MS = 1_000;
/** Each step of the opening handshake must make progress within this time. */
const HANDSHAKE_TIMEOUT_MS = 5_000;
/** Declaring everything and subscribing must end within this time. */
const SET_UP_TIMEOUT_MS = 30_000;
const HEARTBEAT_SECONDS = 5;
const CLOSE_TIMEOUT_MS = 1_000;
/** AMQP: login refused, virtual host unknown, virtual host not permitted. Waiting cannot cure them. */
const REFUSALS = /ACCESS[_-]REFUSED|NOT[_-]ALLOWED|INVALID[_-]PATH/;

export interface ConnectionOptions {
  url: string;
  /** How the broker lists the connection. */
  name: string;
  logger: Logger;
  /** Gives up a connection on which the broker has been silent for two seconds, though asked. */
  watchdog?: boolean;
  /** Opens the channels and declares what they need: at the start and after each reconnect. */
  setUp(model: ChannelModel): Promise<void>;
}

/** One TCP connection that comes back by itself after a loss. */
export class BrokerConnection {
  private model?: ChannelModel;
  private opening?: Promise<void>;
  private blocked = false;
  private readonly closing = new AbortController();

  constructor(private readonly options: ConnectionOptions) {}

  /**
   * Connects and sets up; waits while the broker is away. Calling it again gives the same promise.
   * @throws TopologyMismatchError, or the broker's refusal of the login or virtual host
   */
  open(): Promise<void> {
    this.opening ??= this.connectUntilDone({ first: true });
    return this.opening;
  }

  /** @throws BrokerAwayError while there is no connection that takes messages */
  checkReady(): void {
    if (!this.model) throw new BrokerAwayError(`${this.options.name}: not connected`);
    if (this.blocked) throw new BrokerAwayError(`${this.options.name}: the broker takes no messages for now (alarm)`);
  }

  /**
   * A channel for a few operations of one's own. One that fails closes the channel, not the connection.
   * @throws BrokerAwayError while there is no connection
   */
  async openChannel(): Promise<Channel> {
    if (!this.model) throw new BrokerAwayError(`${this.options.name}: not connected`);
    const channel = await this.model.createChannel();
    // The failed operation rejects with the same error.
    channel.on('error', () => undefined);
    return channel;
  }

  async close(): Promise<void> {
    this.closing.abort();
    const { model } = this;
    this.model = undefined;
    if (!model) return;
    // Not connected any more, or a broker that does not answer: both are closed enough.
    await Promise.race([model.close().catch(() => undefined), delay(CLOSE_TIMEOUT_MS, undefined, { ref: false })]);
    destroySocket(model, new Error('closed by us'));
  }

  /** The first time refusals are the caller's; later everything is tried again. */
  private async connectUntilDone({ first }: { first: boolean }): Promise<void> {
    const { name, logger } = this.options;
    for (let retryMs = FIRST_RETRY_MS; !this.closing.signal.aborted; retryMs = Math.min(retryMs * 2, LAST_RETRY_MS)) {
      try {
        await this.connectOnce();
        logger.info({ connection: name }, 'broker.connected');
        return;
      } catch (error) {
        if (first && isRefusal(error)) throw error;
        logger.warn({ connection: name, err: error, retryMs }, 'broker.unreachable');
        await delay(retryMs * (0.75 + Math.random() / 2), undefined, { signal: this.closing.signal }).catch(
          () => undefined,
        );
      }
    }
    throw new BrokerAwayError(`${name}: closed`);
  }

  private async connectOnce(): Promise<void> {
    const { url, name, setUp, watchdog } = this.options;
    const model = await connect(withHeartbeat(url), {
      noDelay: true,
      timeout: HANDSHAKE_TIMEOUT_MS,
      clientProperties: { connection_name: name },
    });
    groupWrites(model);
    const lost = new Promise<never>((_resolve, reject) => {
      model.on('close', (error?: Error) => reject(error ?? new BrokerAwayError(`${name}: connection closed`)));
    });
    lost.catch(() => undefined);
    // The same error arrives with 'close'; without a listener it would end the process.
    model.on('error', () => undefined);
    model.on('blocked', (reason) => this.onBlocked(reason));
    model.on('unblocked', () => (this.blocked = false));
    try {
      const late = (): Error => new BrokerAwayError(`${name}: set-up took longer than ${SET_UP_TIMEOUT_MS} ms`);
      await withTimeout(Promise.race([setUp(model), lost]), SET_UP_TIMEOUT_MS, late);
      if (this.closing.signal.aborted) throw new BrokerAwayError(`${name}: closed`);
      const stopWatching = watchdog ? await new Watchdog(model, () => this.blocked).start() : () => undefined;
      lost.catch((error: unknown) => this.onLost(error, stopWatching));
      this.model = model;
    } catch (error) {
      destroySocket(model, new Error('set-up failed'));
      throw error;
    }
  }

  private onBlocked(reason: string): void {
    this.blocked = true;
    this.options.logger.error({ connection: this.options.name, reason }, 'broker.blocked');
  }

  private onLost(error: unknown, stopWatching: () => void): void {
    stopWatching();
    this.blocked = false;
    if (this.closing.signal.aborted) return;
    this.model = undefined;
    this.options.logger.warn({ connection: this.options.name, err: error }, 'broker.disconnected');
    this.connectUntilDone({ first: false }).catch((reason: unknown) => {
      this.options.logger.debug({ connection: this.options.name, err: reason }, 'broker.reconnect-stopped');
    });
  }
}

function isRefusal(error: unknown): boolean {
  return error instanceof TopologyMismatchError || (error instanceof Error && REFUSALS.test(error.message));
}

function withHeartbeat(address: string): string {
  const url = new URL(address);
  if (!url.searchParams.has('heartbeat')) url.searchParams.set('heartbeat', String(HEARTBEAT_SECONDS));
  return url.href;
}
