import { type Logger, withTimeout } from '@switchboard/platform';
import { type Channel, type ChannelModel, connect } from 'amqplib';
import { setTimeout as delay } from 'node:timers/promises';
import { BrokerAwayError, TopologyMismatchError } from './errors';
import { MajorityProbe } from './majority-probe';
import { destroySocket, groupWrites } from './socket';
import { Watchdog } from './watchdog';

const FIRST_RETRY_MS = 100;
/**
 * Maximum pause between connection attempts. Short, because callers get a 503 until the connection is back. If the
 * broker hangs, each attempt is slow anyway.
 */
const LAST_RETRY_MS = 1_000;
/**
 * Minimum time between two log lines with the same error. Logging each attempt would push older lines out of the log.
 */
const UNREACHABLE_LOG_MS = 60_000;
/** Maximum time without progress in each step of the opening handshake. */
const HANDSHAKE_TIMEOUT_MS = 5_000;
const SET_UP_TIMEOUT_MS = 30_000;
const HEARTBEAT_SECONDS = 5;
const CLOSE_TIMEOUT_MS = 1_000;
/** Maximum wait for the next connection after a loss. Another cluster node usually accepts one within moments. */
const BACK_WITHIN_MS = 1_000;
/** Maximum time to keep a replaced connection open while it is busy: the longest time limit of any command. */
const REPLACED_BUSY_MS = 100_000;
const REPLACED_POLL_MS = 250;
/** Number of connections opened in parallel to find a node that reaches a majority. */
const CANDIDATES = 3;
/**
 * Initial pause between attempts to replace a connection. It doubles after each failure, because without a majority no
 * node qualifies.
 */
const FIRST_PAUSE_MS = 1_000;
const LAST_PAUSE_MS = 8_000;
/** AMQP errors for a rejected login and for an unknown or forbidden virtual host. Retrying does not help. */
const REFUSALS = /ACCESS[_-]REFUSED|NOT[_-]ALLOWED|INVALID[_-]PATH/;

export interface ConnectionOptions {
  url: string;
  name: string;
  logger: Logger;
  /** Destroys the connection when the broker sends nothing for two seconds, despite a pending request. */
  watchdog?: boolean;
  /**
   * Age in milliseconds (± 25 %) at which the connection is replaced; never when absent. The load balancer may route
   * the new connection to any node, so recovered nodes get connections again.
   */
  maxAgeMs?: number;
  /**
   * Opens the channels and declares what they need. Runs at the start, after each loss, and before each replacement.
   */
  setUp(model: ChannelModel): Promise<void>;
  /**
   * Switches to the channels that `setUp` opened. When absent, `setUp` itself switches, and a failure of `setUp` then
   * also drops the current connection.
   */
  putToUse?(): void;
  /**
   * Queue that shows whether a node reaches a majority ({@link MajorityProbe}). When set, only a connection whose node
   * reaches a majority may replace the current one. Otherwise any connection may.
   */
  probeQueue?: string | undefined;
  /**
   * Also probes the current connection once a second. Meant for a connection that publishes nothing and so receives no
   * confirms.
   */
  probes?: boolean;
  /** Age of the oldest outstanding confirm in milliseconds. The connection is replaced after two seconds. */
  unconfirmedMs?(): number;
  /** Returns whether a replaced connection has work in flight. An idle one is closed. */
  isReplacedBusy?(): boolean;
  /** Called after a connection was replaced and before the old one is closed. */
  onReplaced?(): Promise<void>;
}

/** Connection state as publishers see it. */
export interface ConnectionState {
  /** @throws BrokerAwayError while no connection accepts messages */
  checkReady(): void;
  /** Resolves on reconnection or timeout. Returns undefined when there is nothing to wait for. */
  untilBack(): Promise<void> | undefined;
}

/**
 * AMQP connection that reconnects after a loss. It is replaced when it reaches its maximum age, when confirms are
 * overdue, or when its node is cut off from the cluster.
 */
export class BrokerConnection implements ConnectionState {
  private model?: ChannelModel;
  private lost?: Promise<never>;
  private opening?: Promise<void>;
  private blocked = false;
  private lostAt = -Infinity;
  private back?: Promise<void>;
  private onBack: () => void = () => undefined;
  private isReplacing = false;
  private replaceAgainAt = -Infinity;
  private pauseMs = FIRST_PAUSE_MS;
  private readonly closing = new AbortController();

  constructor(private readonly options: ConnectionOptions) {}

  /**
   * Connects and sets up, waiting while the broker is away. Repeated calls return the same promise.
   * @throws TopologyMismatchError, or the broker's error when it rejects the login or virtual host
   */
  open(): Promise<void> {
    this.opening ??= this.connectUntilDone({ first: true });
    return this.opening;
  }

  checkReady(): void {
    if (!this.model) throw new BrokerAwayError(`${this.options.name}: not connected`);
    if (this.blocked) throw new BrokerAwayError(`${this.options.name}: the broker takes no messages for now (alarm)`);
  }

  untilBack(): Promise<void> | undefined {
    if (this.model || performance.now() - this.lostAt > BACK_WITHIN_MS) return undefined;
    return this.back;
  }

  /**
   * Opens a channel for a few operations. A failed operation closes the channel, not the connection.
   * @throws BrokerAwayError while there is no connection
   */
  async openChannel(): Promise<Channel> {
    if (!this.model) throw new BrokerAwayError(`${this.options.name}: not connected`);
    const channel = await this.model.createChannel();
    // The failed operation rejects with the same error.
    channel.on('error', () => undefined);
    return channel;
  }

  /**
   * Opens another connection, switches to it, and closes the current one once it is idle. Keeps the current one when no
   * other can be opened.
   */
  async replace(reason: string): Promise<void> {
    const { model: before, lost } = this;
    if (!before || this.isReplacing || performance.now() < this.replaceAgainAt) return;
    const { name, logger } = this.options;
    this.isReplacing = true;
    try {
      await this.use(await this.connectToMajority(), { model: before, lost });
      this.pauseMs = FIRST_PAUSE_MS;
      logger.info({ connection: name, reason }, 'broker.connection-replaced');
    } catch (error) {
      this.pauseMs = Math.min(this.pauseMs * 2, LAST_PAUSE_MS);
      logger.warn({ connection: name, reason, err: error }, 'broker.connection-not-replaced');
      if (error instanceof SetUpError && !this.options.putToUse) destroySocket(before, error);
      return;
    } finally {
      this.isReplacing = false;
      this.replaceAgainAt = performance.now() + this.pauseMs;
    }
    await this.retire(before);
  }

  async close(): Promise<void> {
    this.closing.abort();
    const { model } = this;
    this.model = undefined;
    if (model) await closeModel(model);
  }

  /** Throws login and topology errors on the first connection only. Later attempts retry everything. */
  private async connectUntilDone({ first }: { first: boolean }): Promise<void> {
    const { name, logger } = this.options;
    let logged = { words: '', at: -Infinity };
    for (let retryMs = FIRST_RETRY_MS; !this.closing.signal.aborted; retryMs = Math.min(retryMs * 2, LAST_RETRY_MS)) {
      try {
        await this.use(await this.connectOnce());
        logger.info({ connection: name }, 'broker.connected');
        return;
      } catch (reason) {
        const error = reason instanceof SetUpError ? reason.cause : reason;
        if (first && isRefusal(error)) throw error;
        const failed = { words: String(error), at: performance.now() };
        if (failed.words !== logged.words || failed.at - logged.at >= UNREACHABLE_LOG_MS) {
          logger.warn({ connection: name, err: error, retryMs }, 'broker.unreachable');
          logged = failed;
        }
        await delay(retryMs * (0.75 + Math.random() / 2), undefined, { signal: this.closing.signal }).catch(
          () => undefined,
        );
      }
    }
    throw new BrokerAwayError(`${name}: closed`);
  }

  private async connectOnce(): Promise<ChannelModel> {
    const { url, name } = this.options;
    const model = await connect(withHeartbeat(url), {
      noDelay: true,
      timeout: HANDSHAKE_TIMEOUT_MS,
      clientProperties: { connection_name: name },
    });
    groupWrites(model);
    // The 'close' event reports the same error. Without a listener, an 'error' event would end the process.
    model.on('error', () => undefined);
    return model;
  }

  /**
   * Opens several connections in parallel, which a load balancer routes to several nodes, and keeps the first that
   * reaches a majority.
   * @throws BrokerAwayError when none does
   */
  private async connectToMajority(): Promise<ChannelModel> {
    const { name, probeQueue } = this.options;
    if (probeQueue === undefined) return this.connectOnce();
    let found: ChannelModel | undefined;
    const candidates = Array.from({ length: CANDIDATES }, async () => {
      const model = await this.connectOnce();
      try {
        const probe = await MajorityProbe.open(model, probeQueue);
        await probe.check();
        if (!found) return (found = model);
        throw new BrokerAwayError('another connection was faster');
      } catch (error) {
        void closeModel(model);
        throw error;
      }
    });
    return Promise.any(candidates).catch((error: AggregateError) => {
      throw new BrokerAwayError(`${name}: no node reaches a majority`, { cause: error.errors[0] });
    });
  }

  /**
   * Sets the connection up and switches to it.
   * @param model the new connection
   * @param present the connection to replace. If it is lost meanwhile, a reconnect starts and `model` is dropped
   * @throws SetUpError
   */
  private async use(
    model: ChannelModel,
    present: { model?: ChannelModel | undefined; lost?: Promise<never> | undefined } = {},
  ): Promise<void> {
    const { name, setUp, putToUse, watchdog } = this.options;
    const lost = new Promise<never>((_resolve, reject) => {
      model.on('close', (error?: Error) => reject(error ?? new BrokerAwayError(`${name}: connection closed`)));
    });
    lost.catch(() => undefined);
    let isBlocked = false;
    model.on('blocked', (reason) => {
      isBlocked = true;
      this.onBlocked(model, reason);
    });
    model.on('unblocked', () => {
      isBlocked = false;
      if (this.model === model) this.blocked = false;
    });
    try {
      const late = (): Error => new BrokerAwayError(`${name}: set-up took longer than ${SET_UP_TIMEOUT_MS} ms`);
      this.checkPresent(present);
      const losses = present.lost ? [lost, present.lost] : [lost];
      await withTimeout(Promise.race([setUp(model), ...losses]), SET_UP_TIMEOUT_MS, late);
      const stopWatching = watchdog ? await this.watch(model, () => isBlocked) : () => undefined;
      const stopProbing = await this.probe(model);
      if (this.closing.signal.aborted) throw new BrokerAwayError(`${name}: closed`);
      this.checkPresent(present);
      const aging = this.replaceWhenOld();
      lost.catch((error: unknown) => {
        stopWatching();
        stopProbing();
        clearTimeout(aging);
        this.onLost(model, error);
      });
      putToUse?.();
      this.model = model;
      this.lost = lost;
      this.blocked = isBlocked;
      this.onBack();
    } catch (error) {
      destroySocket(model, new Error('set-up failed'));
      throw new SetUpError(name, { cause: error });
    }
  }

  /** @throws BrokerAwayError when the given connection is no longer the current one */
  private checkPresent({ model }: { model?: ChannelModel | undefined }): void {
    if (this.model !== model) throw new BrokerAwayError(`${this.options.name}: lost while it was replaced`);
  }

  private watch(model: ChannelModel, isExcused: () => boolean): Promise<() => void> {
    const unconfirmedMs = (): number => (this.model === model ? (this.options.unconfirmedMs?.() ?? 0) : 0);
    const onUnconfirmed = (): void => void this.replace('the broker owes confirms');
    return new Watchdog(model, { isExcused, unconfirmedMs, onUnconfirmed }).start();
  }

  private async probe(model: ChannelModel): Promise<() => void> {
    const { probeQueue, probes } = this.options;
    if (probeQueue === undefined || !probes) return () => undefined;
    const probe = await MajorityProbe.open(model, probeQueue);
    return probe.watch(() => {
      if (this.model === model) void this.replace('its node reaches no majority');
    });
  }

  private replaceWhenOld(): NodeJS.Timeout | undefined {
    const { maxAgeMs } = this.options;
    if (maxAgeMs === undefined) return undefined;
    const timer = setTimeout(() => void this.replace('age'), maxAgeMs * (0.75 + Math.random() / 2));
    return timer.unref();
  }

  private async retire(model: ChannelModel): Promise<void> {
    const { isReplacedBusy, onReplaced } = this.options;
    const until = performance.now() + REPLACED_BUSY_MS;
    await onReplaced?.();
    while (isReplacedBusy?.() && performance.now() < until && !this.closing.signal.aborted)
      await delay(REPLACED_POLL_MS, undefined, { ref: false });
    await closeModel(model);
  }

  private onBlocked(model: ChannelModel, reason: string): void {
    if (this.model === model) this.blocked = true;
    this.options.logger.error({ connection: this.options.name, reason }, 'broker.blocked');
  }

  private onLost(model: ChannelModel, error: unknown): void {
    if (this.closing.signal.aborted || this.model !== model) return;
    this.blocked = false;
    this.model = undefined;
    this.lostAt = performance.now();
    this.back = Promise.race([
      new Promise<void>((resolve) => (this.onBack = resolve)),
      delay(BACK_WITHIN_MS, undefined, { ref: false }),
    ]);
    this.options.logger.warn({ connection: this.options.name, err: error }, 'broker.disconnected');
    this.connectUntilDone({ first: false }).catch((reason: unknown) => {
      this.options.logger.debug({ connection: this.options.name, err: reason }, 'broker.reconnect-stopped');
    });
  }
}

/** Setting up an established connection failed. `cause` holds the broker's error. */
class SetUpError extends Error {}

/** Closes a connection without waiting for a lost connection or an unresponsive broker. */
async function closeModel(model: ChannelModel): Promise<void> {
  await Promise.race([model.close().catch(() => undefined), delay(CLOSE_TIMEOUT_MS, undefined, { ref: false })]);
  destroySocket(model, new Error('closed by us'));
}

function isRefusal(error: unknown): boolean {
  return error instanceof TopologyMismatchError || (error instanceof Error && REFUSALS.test(error.message));
}

function withHeartbeat(address: string): string {
  const url = new URL(address);
  if (!url.searchParams.has('heartbeat')) url.searchParams.set('heartbeat', String(HEARTBEAT_SECONDS));
  return url.href;
}
