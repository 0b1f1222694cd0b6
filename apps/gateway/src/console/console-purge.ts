import { type BeforeApplicationShutdown, Inject, Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { query } from '@switchboard/database';
import { CONFIG, LOGGER, type Logger, type Loop, startLoop } from '@switchboard/platform';
import { DataSource } from 'typeorm';
import type { GatewayConfig } from '../config';
import { DELETE_OVER } from './sessions.queries';

const PURGE_EVERY_MS = 600_000;
const BATCH_SIZE = 1_000;

/** Removes sessions and sign-in attempts that are over; they count no more already. */
@Injectable()
export class ConsolePurge implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private loop?: Loop;

  constructor(
    @Inject(CONFIG) private readonly config: GatewayConfig,
    private readonly dataSource: DataSource,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  onApplicationBootstrap(): void {
    this.loop = startLoop({ name: 'console-purge', everyMs: PURGE_EVERY_MS, logger: this.logger, turn: () => this.purgeBatch() });
  }

  async beforeApplicationShutdown(): Promise<void> {
    await this.loop?.stop();
  }

  /** @returns whether there may be more to remove */
  async purgeBatch(): Promise<boolean> {
    const [removed] = await query<{ sessions: number; attempts: number }>(this.dataSource, DELETE_OVER, [this.config.CONSOLE_IDLE_MINUTES, BATCH_SIZE]);
    return removed !== undefined && Math.max(removed.sessions, removed.attempts) === BATCH_SIZE;
  }
}
