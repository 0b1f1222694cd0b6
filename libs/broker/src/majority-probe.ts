import { withTimeout } from '@switchboard/platform';
import type { Channel, ChannelModel } from 'amqplib';
import { BrokerAwayError } from './errors';
import { isMissing, isRefused } from './topology';

const TICK_MS = 500;
/** So many ticks lie between two questions. */
const EVERY_TICKS = 2;
/** A response that is outstanding for so many ticks is late. Ticks, not time: our own pauses are not the broker's. */
const LATE_TICKS = 4;
/** A node that reaches the others responds in milliseconds. */
const FIRST_WITHIN_MS = 1_000;

/**
 * Finds out whether the node at the other end of a connection reaches a majority of the cluster's nodes. A node that is
 * cut off from them responds to its clients as before, heartbeats included, but confirms and delivers nothing.
 *
 * It gets a message from a quorum queue that is always empty: the broker says so only after a majority has agreed.
 * Publishing would tell as much, but a broker that is short of memory stops reading from connections that publish,
 * consumers' acknowledgements included.
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
    // The question that failed rejects with the same error.
    channel.on('error', () => undefined);
    return new MajorityProbe(channel, queue);
  }

  /** @throws BrokerAwayError when no majority has responded within a second, or the connection is lost */
  async check(): Promise<void> {
    const late = (): Error => new BrokerAwayError(`no majority of the broker responded within ${FIRST_WITHIN_MS} ms`);
    await withTimeout(this.ask(), FIRST_WITHIN_MS, late).catch(unlessUnanswerable);
  }

  /**
   * Asks once a second.
   * @param onLate called at each tick while a response is late by two seconds
   * @returns a function that stops it
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
    // Rejected when the channel is closed: the queue is missing, or the connection is lost, which its owner notices.
    if (this.idleTicks >= EVERY_TICKS) this.ask().catch(() => clearInterval(this.timer));
  }

  private async ask(): Promise<void> {
    this.idleTicks = 0;
    this.outstandingTicks = 0;
    await this.channel.get(this.queue, { noAck: true });
    this.outstandingTicks = undefined;
  }
}

/** A broker that was set up by an earlier version has no such queue, and the operator's login may not read it. */
function unlessUnanswerable(error: unknown): void {
  if (!isMissing(error) && !isRefused(error)) throw error;
}
