import { randomInt } from 'node:crypto';
import { Inject, Injectable, type OnApplicationShutdown, type OnModuleInit } from '@nestjs/common';
import { CONFIG, type Logger, LOGGER, type Loop, startLoop } from '@switchboard/platform';
import pg from 'pg';
import type { WebhooksConfig } from '../config';

/** Namespace that separates these locks from other advisory locks. */
export const HOLDERS = `hashtext('claim-holder')`;
/** Waits for the lock. PostgreSQL releases it when the session ends. */
export const TAKE_HOLDER_LOCK = `SELECT pg_advisory_lock(${HOLDERS}, $1)`;

/**
 * Short enough to detect a lost connection and reacquire the lock before other processes have checked it twice
 * (`sweeps.ts`).
 */
const CHECK_EVERY_MS = 200;
const ANSWER_WITHIN_MS = 2_000;
/**
 * Maximum wait for the lock. PostgreSQL may hold it for a lost session; the process then continues under a new number.
 */
const LOCK_WITHIN_MS = 300;
const LOCK_NOT_AVAILABLE = '55P03';

/**
 * Shows other processes that this one is alive, by an advisory lock on a dedicated connection. PostgreSQL releases the
 * lock when the process ends for any reason. Claims carry the process's number, as do stored first attempts that have
 * not started. The first process that finds a number without a lock ends the claims of that number and takes over its
 * attempts. A process without its lock makes no claims. Its running requests continue, and their results count even if
 * their claims have ended.
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
      restsWhenIdle: true,
      logger: this.logger,
      turn: () => this.check(),
    });
  }

  /** Runs last, when this process has no claims left. */
  async onApplicationShutdown(): Promise<void> {
    await this.loop?.stop();
    await this.session?.end();
  }

  /**
   * Number that this process writes into its claims.
   * @throws Error while the lock is lost
   */
  get holder(): number {
    if (!this.session) throw new Error('this process has lost its lock and cannot claim deliveries');
    return this.number;
  }

  /** Number that this process writes into stored first attempts that have not started. Null while the lock is lost. */
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
    // Detect a broken connection between two checks. The next check reacquires the lock.
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
    // Do not call end(), which would wait for an unresponsive server.
    session.connection.stream.destroy();
  }
}

function newNumber(): number {
  return randomInt(1, 2 ** 31);
}
