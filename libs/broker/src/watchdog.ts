import type { Channel, ChannelModel } from 'amqplib';
import { destroySocket, socketOf } from './socket';
import { OVERDUE_MS } from './unconfirmed';

const TICK_MS = 350;
/** So many ticks without a byte, though the broker was asked something: it is away. Below two seconds in all. */
const SILENT_TICKS = 4;
/** Exists on every broker and costs it no disk access to look up. */
const KNOWN_EXCHANGE = 'amq.direct';

/**
 * Notices within two seconds that a broker hangs or that the network swallows everything,
 * where heartbeats need three times as long; callers who wait for an answer can be told in time.
 * Counts ticks, not time, so that a busy process does not mistake its own pauses for the broker's.
 */
export class Watchdog {
  private bytesSeen = 0;
  private silentTicks = 0;

  constructor(
    private readonly model: ChannelModel,
    private readonly options: {
      /** While the broker has an alarm it reads nothing from publishers, and says so: no reason to leave it. */
      isExcused: () => boolean;
      unconfirmedMs: () => number;
      /** Called at each tick while a confirm is late: the broker responds, but does not store. */
      onUnconfirmed: () => void;
    },
  ) {}

  /** @returns a function that stops it */
  async start(): Promise<() => void> {
    const channel = await this.model.createChannel();
    channel.on('error', () => undefined);
    const timer = setInterval(() => this.tick(channel), TICK_MS);
    timer.unref();
    return () => clearInterval(timer);
  }

  private tick(channel: Channel): void {
    const { bytesRead } = socketOf(this.model);
    if (bytesRead !== this.bytesSeen || this.options.isExcused()) {
      this.bytesSeen = bytesRead;
      this.silentTicks = 0;
    } else {
      this.silentTicks += 1;
    }
    if (this.silentTicks >= SILENT_TICKS) {
      destroySocket(this.model, new Error(`the broker has not answered for ${SILENT_TICKS * TICK_MS} ms`));
      return;
    }
    if (this.options.unconfirmedMs() > OVERDUE_MS && !this.options.isExcused()) this.options.onUnconfirmed();
    // Rejected when the connection goes: 'close' tells the owner.
    if (this.silentTicks <= 1) channel.checkExchange(KNOWN_EXCHANGE).catch(() => undefined);
  }
}
