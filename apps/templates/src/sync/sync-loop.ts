import { Inject, Injectable, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import { type Logger, LOGGER } from '@switchboard/platform';
import { WorkLoop } from '../work-loop';
import { SyncService } from './sync.service';

/** Accounts read at a time by one process, so that a slow one does not hold up the others. */
const WORKERS = 4;

/** Keeps reading accounts that are due, until shutdown. Any number of processes share the work. */
@Injectable()
export class SyncLoop implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly loop: WorkLoop;

  constructor(sync: SyncService, @Inject(LOGGER) logger: Logger) {
    this.loop = new WorkLoop({
      name: 'templates.sync',
      workers: WORKERS,
      logger,
      turn: (signal) => sync.syncNext(signal),
    });
  }

  onApplicationBootstrap(): void {
    this.loop.start();
  }

  /** Ends running calls of the upstream platform: reading again later loses nothing. */
  onModuleDestroy(): Promise<void> {
    return this.loop.stop();
  }

  /** Looks for due accounts now instead of at the next poll. */
  wake(): void {
    this.loop.wake();
  }
}
