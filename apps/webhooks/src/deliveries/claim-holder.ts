import { randomInt } from 'node:crypto';
import { Inject, Injectable, type OnApplicationShutdown, type OnModuleInit } from '@nestjs/common';
import { CONFIG, type Logger, LOGGER, type Loop, startLoop } from '@switchboard/platform';
import pg from 'pg';
import type { WebhooksConfig } from '../config';

/** Namespace that separates these locks from other advisory locks. */
export const HOLDERS = `hashtext('claim-holder')`;
/** Waits for the lock, which is held until the session ends. */
export const TAKE_HOLDER_LOCK = `SELECT pg_advisory_lock(${HOLDERS}, $1)`;

/** Short enough to notice a lost connection and reacquire the lock before others check twice (`sweeps.ts`). */
const CHECK_EVERY_MS = 200;
const ANSWER_WITHIN_MS = 2_000;
/** PostgreSQL may still see the old session after we lost it. The process then continues under a new number. */
const LOCK_WITHIN_MS = 300;
const LOCK_NOT_AVAILABLE = '55P03';

/**
 * Shows other processes that this one is alive, by an advisory lock on a dedicated connection. The lock ends with the
 * process, however it ends. Claims carry its number, as do stored first attempts that have not started. The first
 * process that finds a number without a lock ends or takes over its claims and attempts. A process without its lock
 * makes no claims. Requests that are already running continue, and their results count even if the claim has ended.
 */
@Injectable()
export class ClaimHolder implements OnModuleInit, OnApplicationShutdown {
  private number = newNumber();
  private session?: pg.Client;
  private loop?: Loop;

  constructor(
    @Inject(CONFIG) private readonly config: WebhooksConfig,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  async onModuleInit(): Promise<void> {
    await this.check().catch((error: unknown) => this.logger.warn({ err: error }, 'claim-holder.failed'));
    this.loop = startLoop({
      name: 'claim-holder',
      everyMs: CHECK_EVERY_MS,
      logger: this.logger,
      turn: () => this.check(),
    });
  }

  /** Runs last: by then this process has no claims left. */
  async onApplicationShutdown(): Promise<void> {
    await this.loop?.stop();
    await this.session?.end();
  }

  /**
   * The number that this process's claims carry.
   * @throws Error while the lock is lost
   */
  get holder(): number {
    if (!this.session) throw new Error('the lock that stands for this process is lost, nothing can be claimed');
    return this.number;
  }

  /** The number carried by stored first attempts that have not started. Null while the lock is lost. */
  get holderOrNull(): number | null {
    return this.session ? this.number : null;
  }

  private async check(): Promise<void> {
    const session = this.session ?? (await this.take());
    try {
      await session.query('SELECT 1');
    } catch (error) {
      this.lose(session);
      throw error;
    }
  }

  private async take(): Promise<pg.Client> {
    const session = new pg.Client({
      connectionString: this.config.DATABASE_URL,
      application_name: 'switchboard-webhooks-claims',
      keepAlive: true,
      connectionTimeoutMillis: ANSWER_WITHIN_MS,
      query_timeout: ANSWER_WITHIN_MS,
      lock_timeout: LOCK_WITHIN_MS,
    });
    // Reports a broken connection between two checks. The next check reacquires the lock.
    session.on('error', () => this.lose(session));
    session.on('end', () => this.lose(session));
    try {
      await session.connect();
      await session.query(TAKE_HOLDER_LOCK, [this.number]);
    } catch (error) {
      if ((error as pg.DatabaseError).code === LOCK_NOT_AVAILABLE) this.number = newNumber();
      this.lose(session);
      throw error;
    }
    this.session = session;
    return session;
  }

  private lose(session: pg.Client): void {
    if (this.session === session) this.session = undefined;
    // Not end(), which would wait for a server that does not respond.
    session.connection.stream.destroy();
  }
}

function newNumber(): number {
  return randomInt(1, 2 ** 31);
}
