import type { Channel, ChannelModel } from 'amqplib';
import { destroySocket, socketOf } from './socket';
import { OVERDUE_MS } from './unconfirmed';

const TICK_MS = 350;
/**
 * Number of silent ticks, despite a pending request, after which the broker counts as lost. Less than two seconds in
 * total.
 */
const SILENT_TICKS = 4;
/** Exchange that exists on every broker. Looking it up costs no disk access. */
const KNOWN_EXCHANGE = 'amq.direct';

/**
 * Detects within two seconds that a broker hangs or that the network drops all traffic, so that waiting callers get an
 * error in time. Heartbeats need three times as long. Counts ticks instead of time, so that a busy process does not
 * blame the broker for its own pauses.
 */
export class Watchdog {
  private bytesSeen = 0;
  private silentTicks = 0;

  constructor(
    private readonly model: ChannelModel,
    private readonly options: {
      /**
       * Returns true during a resource alarm: the broker then reads nothing from publishers, and reports the alarm
       * itself.
       */
      isExcused: () => boolean;
      unconfirmedMs: () => number;
      /** Called at each tick while a confirm is overdue: the broker responds but stores nothing. */
      onUnconfirmed: () => void;
    },
  ) {}

  /** @returns a function that stops the watchdog */
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
    // Rejected when the connection is lost, which the 'close' event reports to the owner.
    if (this.silentTicks <= 1) channel.checkExchange(KNOWN_EXCHANGE).catch(() => undefined);
  }
}
