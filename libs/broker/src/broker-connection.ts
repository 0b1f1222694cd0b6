import { type Logger, withTimeout } from '@switchboard/platform';
import { type Channel, type ChannelModel, connect } from 'amqplib';
import { setTimeout as delay } from 'node:timers/promises';
import { BrokerAwayError, TopologyMismatchError } from './errors';
import { MajorityProbe } from './majority-probe';
import { destroySocket, groupWrites } from './socket';
import { Watchdog } from './watchdog';

const FIRST_RETRY_MS = 100;
/**
 * Short: callers get their 503 until we are back, and a broker that hangs makes each try last long enough by itself.
 */
const LAST_RETRY_MS = 1_000;
/** Time between two log lines with the same error: a line per attempt would displace the log of before an outage. */
const UNREACHABLE_LOG_MS = 60_000;
/** Each step of the opening handshake must make progress within this time. */
const HANDSHAKE_TIMEOUT_MS = 5_000;
/** Declaring everything and subscribing must end within this time. */
const SET_UP_TIMEOUT_MS = 30_000;
const HEARTBEAT_SECONDS = 5;
const CLOSE_TIMEOUT_MS = 1_000;
/** Just after a loss a caller waits for the next connection: another node of a cluster takes it in a moment. */
const BACK_WITHIN_MS = 1_000;
/** A replaced connection is closed after this time even if something is under way on it: the longest command. */
const REPLACED_BUSY_MS = 100_000;
const REPLACED_POLL_MS = 250;
/** So many connections are opened at once to find a node that reaches a majority. */
const CANDIDATES = 3;
/**
 * Time between two tries to replace a connection. It doubles while they fail: without a majority no node will do.
 */
const FIRST_PAUSE_MS = 1_000;
const LAST_PAUSE_MS = 8_000;
/** AMQP: login refused, virtual host unknown, virtual host not permitted. Waiting cannot cure them. */
const REFUSALS = /ACCESS[_-]REFUSED|NOT[_-]ALLOWED|INVALID[_-]PATH/;

export interface ConnectionOptions {
  url: string;
  /** How the broker lists the connection. */
  name: string;
  logger: Logger;
  /** Destroys a connection on which the broker has been silent for two seconds, though asked. */
  watchdog?: boolean;
  /**
   * Age in milliseconds at which the connection is replaced, give or take a quarter; never when absent. A load balancer
   * then leads it to any node, so that connections also use a node that has come back.
   */
  maxAgeMs?: number;
  /** Opens the channels and declares what they need: at the start, after each loss, and to replace a connection. */
  setUp(model: ChannelModel): Promise<void>;
  /**
   * Uses the channels that `setUp` has opened from now on. When absent, `setUp` moves the work: if it fails, the
   * present connection is given up, too.
   */
  putToUse?(): void;
  /**
   * The queue that shows whether a node reaches a majority ({@link MajorityProbe}). With it, only a connection whose
   * node does so may replace the present one; without it, any connection may.
   */
  probeQueue?: string | undefined;
  /** Checks the present connection once a second as well. For one that publishes nothing and so gets no confirms. */
  probes?: boolean;
  /** How long the broker has owed a confirm, in milliseconds: after two seconds the connection is replaced. */
  unconfirmedMs?(): number;
  /** Whether something is under way on a replaced connection, which is closed when nothing is. */
  isReplacedBusy?(): boolean;
  /** Called when a connection has been replaced, before it is closed. */
  onReplaced?(): Promise<void>;
}

/** What those who publish over a connection ask of it. */
export interface ConnectionState {
  /** @throws BrokerAwayError while there is no connection that takes messages */
  checkReady(): void;
  /** Resolves at the next connection, or when it takes too long; undefined when there is nothing to wait for. */
  untilBack(): Promise<void> | undefined;
}

/**
 * One TCP connection that is opened again after a loss, and replaced when it is old, when the broker owes confirms, or
 * when its node is cut off.
 */
export class BrokerConnection implements ConnectionState {
  private model?: ChannelModel;
  /** Rejects when the present connection is lost. */
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
   * Connects and sets up; waits while the broker is away. Calling it again gives the same promise.
   * @throws TopologyMismatchError, or the broker's refusal of the login or virtual host
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

  /**
   * Opens another connection, uses it from then on, and closes the present one when nothing is under way on it. Keeps
   * the present one when no other can be opened.
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

  /** The first time refusals are the caller's; later everything is tried again. */
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
    // The same error arrives with 'close'; without a listener it would end the process.
    model.on('error', () => undefined);
    return model;
  }

  /**
   * Opens several connections at once, which a load balancer leads to several nodes, and keeps the first that reaches a
   * majority.
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
   * Sets the connection up and uses it from then on.
   * @param model the connection
   * @param present the connection that it replaces. Its loss opens another one, so that this one is given up
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

  /** @throws BrokerAwayError when this connection is no longer the one in use */
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

/** The connection was there, and its set-up failed; the cause says why. */
class SetUpError extends Error {}

/** Closes a connection. One that is lost, or whose broker does not respond, is closed enough. */
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
