import { randomInt } from 'node:crypto';
import { Inject, Injectable, type OnApplicationShutdown, type OnModuleInit } from '@nestjs/common';
import { CONFIG, type Logger, LOGGER, type Loop, startLoop } from '@switchboard/platform';
import pg from 'pg';
import type { WebhooksConfig } from '../config';

/** Keeps the locks of holders apart from other advisory locks. */
export const HOLDERS = `hashtext('claim-holder')`;
/** Waits for the lock; it is held until the session ends. */
export const TAKE_HOLDER_LOCK = `SELECT pg_advisory_lock(${HOLDERS}, $1)`;

/** A lost connection is noticed, and the lock taken again, before others have looked twice (`sweeps.ts`). */
const CHECK_EVERY_MS = 200;
const ANSWER_WITHIN_MS = 2_000;
/** PostgreSQL may still see the old session when we have lost it; then we go on under another name. */
const LOCK_WITHIN_MS = 300;
const LOCK_NOT_AVAILABLE = '55P03';

/**
 * Tells the other processes that this one lives: a lock on a connection of its own, which ends when the process does,
 * however it ends. Claims bear its number, and so do first attempts that it has stored and not begun; those of a number
 * without a lock are ended or taken over by the process that sees it first. A process without its lock makes no claim;
 * requests that run already go on, and their results count whatever has become of the claim.
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

  /** Last of all: by now no claim of ours is left. */
  async onApplicationShutdown(): Promise<void> {
    await this.loop?.stop();
    await this.session?.end();
  }

  /**
   * What claims of this process bear.
   * @throws Error while the lock is lost
   */
  get holder(): number {
    if (!this.session) throw new Error('the lock that stands for this process is lost, nothing can be claimed');
    return this.number;
  }

  /** What first attempts bear that this process has stored and not begun; null while the lock is lost. */
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
    // Tells of a broken connection between two checks; the next check takes the lock again.
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
    // Not end(): it would wait for a server that does not answer.
    session.connection.stream.destroy();
  }
}

function newNumber(): number {
  return randomInt(1, 2 ** 31);
}
