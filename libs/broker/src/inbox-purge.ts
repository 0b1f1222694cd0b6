import { type BeforeApplicationShutdown, type OnApplicationBootstrap } from '@nestjs/common';
import { query } from '@switchboard/database';
import type { Logger } from '@switchboard/platform';
import type { DataSource } from 'typeorm';
import { Wakeup } from './wakeup';

const PURGE_EVERY_MS = 3_600_000;
const BATCH_SIZE = 5_000;

/** No message comes back after so long a time: the longest wait is a fraction of it. */
const DELETE_OLD_ROWS = `
  DELETE FROM inbox WHERE message_id IN (
    SELECT message_id FROM inbox WHERE handled_at < now() - interval '7 days' ORDER BY handled_at LIMIT $1
  ) RETURNING message_id`;

/** Removes inbox rows older than seven days, in batches, at the start and every hour. */
export class InboxPurge implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly wakeup = new Wakeup();
  private running?: Promise<void>;
  private stopping = false;

  constructor(
    private readonly dataSource: DataSource,
    private readonly logger: Logger,
  ) {}

  onApplicationBootstrap(): void {
    this.running ??= this.purgeUntilStopped();
  }

  async beforeApplicationShutdown(): Promise<void> {
    this.stopping = true;
    this.wakeup.wake();
    await this.running;
  }

  private async purgeUntilStopped(): Promise<void> {
    while (!this.stopping) {
      try {
        const removed = await query(this.dataSource, DELETE_OLD_ROWS, [BATCH_SIZE]);
        if (removed.length === BATCH_SIZE) continue;
      } catch (error) {
        this.logger.warn({ err: error }, 'inbox.purge-failed');
      }
      await this.wakeup.wait(PURGE_EVERY_MS);
    }
  }
}
