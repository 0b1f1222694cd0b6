import { Readable } from 'node:stream';
import { Inject, Injectable, type OnModuleDestroy } from '@nestjs/common';
import { Broker } from '@switchboard/broker';
import { AppError, type DataChange } from '@switchboard/contracts';
import { CONFIG, counter, Every, gauge } from '@switchboard/platform';
import type { GatewayConfig } from '../config';
import type { ConsoleUser } from '../request-context/console-user';
import { SessionsService } from '../sessions/sessions.service';
import { AccountFeed, eventText, resyncEvent } from './account-feed';

/** Interval at which due heartbeats are sent, in milliseconds. */
const HEARTBEAT_CHECK_MS = 1_000;
/** Heartbeats vary by this share of the interval, so that streams opened together do not stay together. */
const HEARTBEAT_VARIATION = 0.2;
/** Average delay after which a browser reconnects, in milliseconds. It varies by half, to spread the browsers. */
const RETRY_MS = 2_000;
/** Time that hints of an account are retained after its last stream closed, in milliseconds. */
const RESUME_MS = 60_000;
/** Minimum time between two orders to read everything again, in milliseconds. */
const RESYNC_EVERY_MS = 5_000;
/** Maximum number of bytes that wait for a slow browser, besides those in the buffers of its connection. */
const BACKLOG_MAX_BYTES = 32_768;
const RETRY_AFTER_SECONDS = 30;

const END_REASONS = ['closed', 'slow', 'session', 'broker', 'shutdown'] as const;
type EndReason = (typeof END_REASONS)[number];

const open = gauge('live_streams', 'Event streams that are open to dashboards');
const ended = counter('live_streams_ended_total', 'Event streams to dashboards that ended, by reason', {
  reason: END_REASONS,
});

interface Account {
  feed: AccountFeed;
  streams: Set<Stream>;
  /** Timer that deletes the feed of an account without streams. */
  forgetting?: NodeJS.Timeout | undefined;
}

interface Stream {
  user: ConsoleUser;
  token: string;
  out: Readable;
  /** Time of the next heartbeat, on the clock of `performance.now()`. */
  dueAt: number;
}

export interface NewStream {
  user: ConsoleUser;
  /** Token of the session, which must remain valid. */
  token: string;
  /** Id of the last event that the browser received, if any. */
  lastEventId: string | undefined;
}

/** Event streams of the dashboards that are connected to this gateway process. */
@Injectable()
export class LiveStreams implements OnModuleDestroy {
  private readonly accounts = new Map<string, Account>();
  private readonly heartbeatMs: number;
  private count = 0;
  private isClosing = false;
  private lastResyncAt = -Infinity;
  private resyncing: NodeJS.Timeout | undefined;

  constructor(
    @Inject(CONFIG) private readonly config: GatewayConfig,
    private readonly broker: Broker,
    private readonly sessions: SessionsService,
  ) {
    this.heartbeatMs = config.LIVE_HEARTBEAT_SECONDS * 1_000;
  }

  /**
   * Opens a stream. It resumes after the given event if the hints since then are retained; otherwise the browser is
   * told to read everything again.
   * @throws AppError RATE_LIMITED with too many open streams, UNAVAILABLE if this process receives no changes
   */
  open({ user, token, lastEventId }: NewStream): Readable {
    if (this.isClosing || !this.broker.isReady())
      throw new AppError('UNAVAILABLE', { message: 'live events are temporarily unavailable' });
    this.requireRoom(user);
    const account = this.accountOf(user.account.id);
    const { feed, streams } = account;
    clearTimeout(account.forgetting);
    const out = new Readable({ read: () => undefined });
    const stream: Stream = { user, token, out, dueAt: performance.now() + this.untilHeartbeat() };
    streams.add(stream);
    this.count += 1;
    open.set(this.count);
    out.once('close', () => this.onClosed(user.account.id, stream));
    out.push(`retry: ${Math.round(RETRY_MS * (0.5 + Math.random()))}\n`);
    const resumed = lastEventId === undefined ? [] : feed.after(lastEventId);
    for (const text of resumed ?? [resyncEvent(feed.position)]) write(stream, text);
    write(stream, eventText('ready', { heartbeatSeconds: this.config.LIVE_HEARTBEAT_SECONDS }, feed.position));
    return out;
  }

  /** Notes a change of an account. Does nothing if no dashboard of the account is or was recently connected. */
  note({ accountId, kind, ids }: DataChange): void {
    this.accounts.get(accountId)?.feed.note(kind, ids);
  }

  /** Shows colleagues what a user does in a conversation. Not retained, so a browser that resumes does not get it. */
  showPresence(accountId: string, presence: { contactId: string; userId: string; state: string }): void {
    const text = eventText('presence', presence);
    for (const stream of this.accounts.get(accountId)?.streams ?? [])
      if (stream.user.userId !== presence.userId) write(stream, text);
  }

  /** Tells all dashboards to read everything again, at most every {@link RESYNC_EVERY_MS}. */
  resync(): void {
    this.resyncing ??= setTimeout(
      () => {
        this.resyncing = undefined;
        this.lastResyncAt = performance.now();
        for (const { feed } of this.accounts.values()) feed.resync();
      },
      Math.max(0, this.lastResyncAt + RESYNC_EVERY_MS - performance.now()),
    );
    this.resyncing.unref();
  }

  /**
   * Sends due heartbeats, and ends streams whose session has ended or has another role. Ends all streams while the
   * broker is away, so that the dashboards poll.
   */
  @Every({ name: 'live.heartbeat', everyMs: HEARTBEAT_CHECK_MS })
  async heartbeat(): Promise<void> {
    if (!this.broker.isReady()) return this.endAll('broker');
    const now = performance.now();
    const due = this.all().filter(({ dueAt }) => dueAt <= now);
    for (const stream of due) {
      stream.dueAt = now + this.untilHeartbeat();
      write(stream, eventText('heartbeat', {}));
    }
    if (due.length === 0) return;
    const roles = await this.sessions.rolesOf(due.map(({ token }) => token)).catch((error: unknown) => {
      // Checks these sessions again with the next heartbeats, soon after the database is back.
      for (const stream of due) stream.dueAt = now;
      throw error;
    });
    for (const [index, stream] of due.entries()) if (roles[index] !== stream.user.role) end(stream, 'session');
  }

  onModuleDestroy(): void {
    this.isClosing = true;
    clearTimeout(this.resyncing);
    this.endAll('shutdown');
    for (const { feed, forgetting } of this.accounts.values()) {
      feed.close();
      clearTimeout(forgetting);
    }
  }

  /** @throws AppError RATE_LIMITED */
  private requireRoom({ userId, account: { id } }: ConsoleUser): void {
    const { LIVE_STREAMS: most, LIVE_STREAMS_PER_ACCOUNT: ofAccount, LIVE_STREAMS_PER_USER: ofUser } = this.config;
    const streams = [...(this.accounts.get(id)?.streams ?? [])];
    if (streams.filter(({ user }) => user.userId === userId).length >= ofUser)
      throw tooMany(`you may have ${ofUser} event streams open at a time`);
    if (streams.length >= ofAccount) throw tooMany(`your account may have ${ofAccount} event streams open at a time`);
    if (this.count >= most) throw tooMany('this server has no more room for event streams');
  }

  private accountOf(accountId: string): Account {
    const found = this.accounts.get(accountId);
    if (found) return found;
    const streams = new Set<Stream>();
    const feed = new AccountFeed((text) => streams.forEach((stream) => write(stream, text)));
    const account: Account = { feed, streams };
    this.accounts.set(accountId, account);
    return account;
  }

  private onClosed(accountId: string, stream: Stream): void {
    ended.inc({ reason: reasons.get(stream.out) ?? 'closed' });
    this.count -= 1;
    open.set(this.count);
    const account = this.accounts.get(accountId);
    account?.streams.delete(stream);
    if (!account || account.streams.size > 0 || this.isClosing) return;
    account.forgetting = setTimeout(() => {
      account.feed.close();
      this.accounts.delete(accountId);
    }, RESUME_MS).unref();
  }

  private endAll(reason: EndReason): void {
    for (const stream of this.all()) end(stream, reason);
  }

  private all(): Stream[] {
    return [...this.accounts.values()].flatMap(({ streams }) => [...streams]);
  }

  private untilHeartbeat(): number {
    return this.heartbeatMs * (1 - HEARTBEAT_VARIATION + 2 * HEARTBEAT_VARIATION * Math.random());
  }
}

/** Reasons of streams that this process ended. */
const reasons = new WeakMap<Readable, EndReason>();

/** Ends a stream after what was written to it. The browser reconnects. */
function end({ out }: Stream, reason: EndReason): void {
  if (out.destroyed || reasons.has(out)) return;
  reasons.set(out, reason);
  out.push(null);
}

/** Writes to a stream, and closes the connection of a browser that reads too slowly. */
function write({ out }: Stream, text: string): void {
  if (out.destroyed || reasons.has(out)) return;
  out.push(text);
  if (out.readableLength <= BACKLOG_MAX_BYTES) return;
  reasons.set(out, 'slow');
  out.destroy();
}

function tooMany(limit: string): AppError {
  return new AppError('RATE_LIMITED', {
    message: `rate limit exceeded: ${limit}. Close another tab`,
    retryAfterSeconds: RETRY_AFTER_SECONDS,
  });
}
