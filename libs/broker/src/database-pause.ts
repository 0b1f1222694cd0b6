import { mayBeStatementsFault } from '@switchboard/database';
import { gauge, type Logger } from '@switchboard/platform';
import type { Channel } from 'amqplib';

/** Initial interval between attempts to reach the database. It doubles while the database is unavailable. */
const FIRST_TRY_MS = 100;
const LAST_TRY_MS = 2_000;
/** A failure within this time after recovery belongs to the same outage. */
const STABLE_MS = 5_000;
/**
 * Maximum time to hold a message before it is requeued, in case another process can reach the database. The broker
 * counts requeues, so this must be rare.
 */
const HOLD_MS = 300_000;

const paused = gauge(
  'broker_tasks_paused',
  '1 while the service handles no tasks and events, because its database is away',
);

export interface PauseTimes {
  firstTryMs: number;
  lastTryMs: number;
  stableMs: number;
  holdMs: number;
}

/** Task or event on its way to its handler. */
export interface Ticket {
  channel: Channel;
  /** Arrival order, in which held messages resume after a pause. */
  position: number;
  /** Arrival time on the clock of `performance.now()`, like the other times. */
  takenAt: number;
  /** Time at which the handler last found the database unavailable. */
  failedAt?: number;
  /** Number of failures that this message may have caused. */
  suspicions: number;
}

interface Held {
  ticket: Ticket;
  answer(isAdmitted: boolean): void;
}

/**
 * Holds the tasks and events of one process while its database is unavailable. They stay unacknowledged, so the broker
 * delivers no more than the prefetch and requeues nothing. One message at a time retries the database, the oldest
 * first. Once a handler succeeds, all held messages proceed in arrival order. Messages suspected of causing their own
 * failure retry last.
 */
export class DatabasePause {
  private readonly held: Held[] = [];
  private readonly released = new WeakSet<Channel>();
  private nextPosition = 0;
  private pausedAt?: number;
  private failedAt = 0;
  /** Start time of the latest handler that succeeded. */
  private workedAt = -Infinity;
  private endedAt = -Infinity;
  private tryMs = FIRST_TRY_MS;
  private timer?: NodeJS.Timeout;

  constructor(
    private readonly logger: Logger,
    private readonly times: PauseTimes = {
      firstTryMs: FIRST_TRY_MS,
      lastTryMs: LAST_TRY_MS,
      stableMs: STABLE_MS,
      holdMs: HOLD_MS,
    },
  ) {}

  ticketFor(channel: Channel): Ticket {
    this.nextPosition += 1;
    return { channel, position: this.nextPosition, takenAt: performance.now(), suspicions: 0 };
  }

  /** Waits while the database is unavailable. @returns false when the message must be requeued instead of handled */
  admit(ticket: Ticket): Promise<boolean> {
    if (this.released.has(ticket.channel)) return Promise.resolve(false);
    if (this.pausedAt === undefined) return Promise.resolve(true);
    return new Promise((answer) => {
      const index = this.held.findIndex((other) => other.ticket.position > ticket.position);
      this.held.splice(index === -1 ? this.held.length : index, 0, { ticket, answer });
    });
  }

  /**
   * Returns whether the message itself caused the failure: it fails again although another message has succeeded since
   * its last failure. Applies only to errors that a single statement can cause, because an unstable database says
   * nothing about a message.
   */
  isOwnFailure({ failedAt }: Ticket, error: unknown): boolean {
    return mayBeStatementsFault(error) && failedAt !== undefined && this.workedAt > failedAt;
  }

  onAway(ticket: Ticket, error: unknown): void {
    this.failedAt = performance.now();
    ticket.failedAt = this.failedAt;
    if (mayBeStatementsFault(error)) ticket.suspicions += 1;
    if (this.pausedAt !== undefined) return;
    const isSameOutage = this.failedAt - this.endedAt < this.times.stableMs;
    this.tryMs = isSameOutage ? Math.min(this.tryMs * 2, this.times.lastTryMs) : this.times.firstTryMs;
    this.pausedAt = this.failedAt;
    paused.set(1);
    this.logger.warn({ err: error }, 'broker.tasks-paused');
    this.tryLater();
  }

  /** Records the success of a handler that started at the given time. */
  onHandled(beganAt: number): void {
    this.workedAt = Math.max(this.workedAt, beganAt);
    if (this.pausedAt === undefined || beganAt <= this.failedAt) return;
    clearTimeout(this.timer);
    this.endedAt = performance.now();
    const pausedMs = Math.round(this.endedAt - this.pausedAt);
    this.pausedAt = undefined;
    paused.set(0);
    this.logger.info({ pausedMs, messages: this.held.length }, 'broker.tasks-resumed');
    this.answer(this.held.splice(0), true);
  }

  /**
   * Requeues the held messages of a channel that is closed or closing. Nothing from that channel is admitted
   * afterwards.
   */
  release(channel: Channel): void {
    this.released.add(channel);
    this.requeue(({ ticket }) => ticket.channel === channel);
  }

  private tryLater(): void {
    this.timer = setTimeout(() => {
      const keepFrom = performance.now() - this.times.holdMs;
      this.requeue(({ ticket }) => ticket.takenAt < keepFrom);
      this.letOneTry();
      this.tryMs = Math.min(this.tryMs * 2, this.times.lastTryMs);
      this.tryLater();
    }, this.tryMs);
    this.timer.unref();
  }

  private letOneTry(): void {
    const fewest = Math.min(...this.held.map(({ ticket }) => ticket.suspicions));
    const index = this.held.findIndex(({ ticket }) => ticket.suspicions === fewest);
    if (index !== -1) this.answer(this.held.splice(index, 1), true);
  }

  private requeue(isMeant: (held: Held) => boolean): void {
    const meant = this.held.filter(isMeant);
    if (meant.length === 0) return;
    const rest = this.held.filter((each) => !meant.includes(each));
    this.held.splice(0, this.held.length, ...rest);
    this.answer(meant, false);
  }

  private answer(held: readonly Held[], isAdmitted: boolean): void {
    for (const { answer } of held) answer(isAdmitted);
  }
}
