import { type BeforeApplicationShutdown, Inject, Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { query } from '@switchboard/database';
import { CONFIG, LOGGER, type Logger, type Loop, startLoop } from '@switchboard/platform';
import { DataSource } from 'typeorm';
import type { GatewayConfig } from '../config';

const PURGE_EVERY_MS = 600_000;
/** Bodies may be 3 MB each, so few at a time. */
const BATCH_SIZE = 500;

/** Several gateways purge side by side without waiting for each other. $1 hours to keep, $2 most rows */
const DELETE_OLD_CALLBACKS = `
  DELETE FROM callback_inbox WHERE id IN (
    SELECT id FROM callback_inbox WHERE received_at < now() - make_interval(hours => $1)
    ORDER BY received_at LIMIT $2 FOR UPDATE SKIP LOCKED
  ) RETURNING id`;

/** Removes stored callbacks after CALLBACK_RETENTION_HOURS: they hold what customers wrote. */
@Injectable()
export class CallbackPurge implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private loop?: Loop;

  constructor(
    private readonly dataSource: DataSource,
    @Inject(CONFIG) private readonly config: Pick<GatewayConfig, 'CALLBACK_RETENTION_HOURS'>,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  onApplicationBootstrap(): void {
    this.loop = startLoop({ name: 'callback-purge', everyMs: PURGE_EVERY_MS, logger: this.logger, turn: () => this.purgeBatch() });
  }

  async beforeApplicationShutdown(): Promise<void> {
    await this.loop?.stop();
  }

  /** @returns whether there may be more to remove */
  async purgeBatch(): Promise<boolean> {
    const removed = await query(this.dataSource, DELETE_OLD_CALLBACKS, [this.config.CALLBACK_RETENTION_HOURS, BATCH_SIZE]);
    if (removed.length > 0) this.logger.info({ removed: removed.length }, 'callbacks.purged');
    return removed.length === BATCH_SIZE;
  }
}
