import { Inject, Injectable, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import { type Logger, LOGGER } from '@switchboard/platform';
import { SyncLoop } from '../sync/sync-loop';
import { WorkLoop } from '../work-loop';
import { SubmissionService } from './submission.service';

const WORKERS = 2;

/** Keeps submitting what waits for it, until shutdown. Any number of processes share the work. */
@Injectable()
export class SubmissionLoop implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly loop: WorkLoop;

  constructor(
    private readonly submissions: SubmissionService,
    private readonly sync: SyncLoop,
    @Inject(LOGGER) logger: Logger,
  ) {
    this.loop = new WorkLoop({ name: 'templates.submission', workers: WORKERS, logger, turn: () => this.submitNext() });
  }

  onApplicationBootstrap(): void {
    this.loop.start();
  }

  /** A running submission is brought to its end. */
  onModuleDestroy(): Promise<void> {
    return this.loop.stop();
  }

  wake(): void {
    this.loop.wake();
  }

  /** What was submitted is read at once. */
  private async submitNext(): Promise<boolean> {
    const worked = await this.submissions.submitNext();
    if (worked) this.sync.wake();
    return worked;
  }
}
