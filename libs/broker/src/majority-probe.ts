import { withTimeout } from '@switchboard/platform';
import type { Channel, ChannelModel } from 'amqplib';
import { BrokerAwayError } from './errors';
import { isMissing, isRefused } from './topology';

const TICK_MS = 500;
const EVERY_TICKS = 2;
/**
 * Number of ticks after which a response is late. Counts ticks instead of time, so that a paused process does not blame
 * the broker.
 */
const LATE_TICKS = 4;
/** Maximum time for the first response. A node that reaches the others responds in milliseconds. */
const FIRST_WITHIN_MS = 1_000;

/**
 * Detects whether a connection's node reaches a majority of the cluster. A node that is cut off still responds to its
 * clients, including heartbeats, but confirms and delivers nothing.
 *
 * The probe gets a message from a quorum queue that is always empty, because the broker responds only after a majority
 * has agreed. Publishing would work too, but a broker that is short of memory stops reading from connections that
 * publish, and so misses consumers' acknowledgements.
 */
export class MajorityProbe {
  private outstandingTicks?: number;
  private idleTicks = 0;
  private timer?: NodeJS.Timeout;

  private constructor(
    private readonly channel: Channel,
    private readonly queue: string,
  ) {}

  static async open(model: ChannelModel, queue: string): Promise<MajorityProbe> {
    const channel = await model.createChannel();
    // The failed get rejects with the same error.
    channel.on('error', () => undefined);
    return new MajorityProbe(channel, queue);
  }

  /** @throws BrokerAwayError when no majority responds within a second, or when the connection is lost */
  async check(): Promise<void> {
    const late = (): Error => new BrokerAwayError(`no majority of the broker responded within ${FIRST_WITHIN_MS} ms`);
    await withTimeout(this.ask(), FIRST_WITHIN_MS, late).catch(unlessUnanswerable);
  }

  /**
   * Probes once a second.
   * @param onLate called at each tick while a response is more than two seconds late
   * @returns a function that stops probing
   */
  watch(onLate: () => void): () => void {
    this.timer = setInterval(() => this.tick(onLate), TICK_MS).unref();
    return () => clearInterval(this.timer);
  }

  private tick(onLate: () => void): void {
    if (this.outstandingTicks !== undefined) {
      this.outstandingTicks += 1;
      if (this.outstandingTicks > LATE_TICKS) onLate();
      return;
    }
    this.idleTicks += 1;
    // Rejected when the channel closes: the queue is missing, or the connection is lost, which the connection's owner
    // detects.
    if (this.idleTicks >= EVERY_TICKS) this.ask().catch(() => clearInterval(this.timer));
  }

  private async ask(): Promise<void> {
    this.idleTicks = 0;
    this.outstandingTicks = 0;
    await this.channel.get(this.queue, { noAck: true });
    this.outstandingTicks = undefined;
  }
}

/**
 * Ignores the errors of brokers that cannot be probed: one set up by an earlier version has no such queue, and the
 * operator's login may not read it.
 */
function unlessUnanswerable(error: unknown): void {
  if (!isMissing(error) && !isRefused(error)) throw error;
}
