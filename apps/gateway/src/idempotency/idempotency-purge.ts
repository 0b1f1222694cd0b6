import { type BeforeApplicationShutdown, Inject, Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { query } from '@switchboard/database';
import { LOGGER, type Logger, type Loop, startLoop } from '@switchboard/platform';
import { DataSource } from 'typeorm';
import { DELETE_OLD } from './idempotency.queries';

const PURGE_EVERY_MS = 600_000;
const BATCH_SIZE = 5_000;

/** Removes keys, and the answers stored under them, that are older than a day. */
@Injectable()
export class IdempotencyPurge implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private loop?: Loop;

  constructor(
    private readonly dataSource: DataSource,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  onApplicationBootstrap(): void {
    this.loop = startLoop({ name: 'idempotency-purge', everyMs: PURGE_EVERY_MS, logger: this.logger, turn: () => this.purgeBatch() });
  }

  async beforeApplicationShutdown(): Promise<void> {
    await this.loop?.stop();
  }

  /** @returns whether there may be more to remove */
  async purgeBatch(): Promise<boolean> {
    const removed = await query(this.dataSource, DELETE_OLD, [BATCH_SIZE]);
    if (removed.length > 0) this.logger.info({ removed: removed.length }, 'idempotency.purged');
    return removed.length === BATCH_SIZE;
  }
}
