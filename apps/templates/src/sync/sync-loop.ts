import { Inject, Injectable, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import { type Logger, LOGGER } from '@switchboard/platform';
import { SyncService } from './sync.service';

/** Accounts read at a time by one process, so that a slow one does not hold up the others. */
const WORKERS = 4;
const POLL_MS = 1_000;

/** Keeps reading accounts that are due, until shutdown. Any number of processes share the work. */
@Injectable()
export class SyncLoop implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly stopping = new AbortController();
  private readonly sleepers = new Set<() => void>();
  private workers: Promise<void>[] = [];

  constructor(
    private readonly sync: SyncService,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  onApplicationBootstrap(): void {
    this.workers = Array.from({ length: WORKERS }, () => this.work());
  }

  /** Ends running calls of the upstream platform: reading again later loses nothing. */
  async onModuleDestroy(): Promise<void> {
    this.stopping.abort();
    this.wake();
    await Promise.all(this.workers);
  }

  /** Looks for due accounts now instead of at the next poll. */
  wake(): void {
    for (const wakeUp of this.sleepers) wakeUp();
  }

  private async work(): Promise<void> {
    while (!this.stopping.signal.aborted) {
      const worked = await this.syncNext();
      if (!worked && !this.stopping.signal.aborted) await this.sleep();
    }
  }

  /** Our own failure (the database is away): the account's lease ends, and a later round tries again. */
  private async syncNext(): Promise<boolean> {
    try {
      return await this.sync.syncNext(this.stopping.signal);
    } catch (error) {
      this.logger.error({ err: error }, 'templates.sync-broken');
      return false;
    }
  }

  private sleep(): Promise<void> {
    return new Promise((resolve) => {
      const wakeUp = (): void => {
        clearTimeout(timer);
        this.sleepers.delete(wakeUp);
        resolve();
      };
      const timer = setTimeout(wakeUp, POLL_MS);
      this.sleepers.add(wakeUp);
    });
  }
}
