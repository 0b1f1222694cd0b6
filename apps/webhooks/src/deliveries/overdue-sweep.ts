import { Inject, Injectable, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import { type Logger, LOGGER } from '@switchboard/platform';
import { DataSource } from 'typeorm';
import { findOverdueEndpoints } from './deliveries.queries';
import { Dispatcher } from './dispatcher';

const SWEEP_EVERY_MS = 1_000;

/**
 * The safety net under the broker's timers: starts what the database says is overdue and nobody works on, so that a wiped
 * broker, a lost task or a dead process delays a delivery but never loses it.
 */
@Injectable()
export class OverdueSweep implements OnApplicationBootstrap, OnApplicationShutdown {
  private timer?: NodeJS.Timeout;
  private current: Promise<void> = Promise.resolve();
  private stopped = false;

  constructor(
    private readonly dataSource: DataSource,
    private readonly dispatcher: Dispatcher,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  onApplicationBootstrap(): void {
    this.schedule();
  }

  async onApplicationShutdown(): Promise<void> {
    this.stopped = true;
    clearTimeout(this.timer);
    await this.current;
  }

  /** Looks once; several processes may do so at the same time. */
  async sweep(): Promise<void> {
    for (const endpoint of await findOverdueEndpoints(this.dataSource)) this.dispatcher.workOff(endpoint);
  }

  private schedule(): void {
    if (this.stopped) return;
    this.timer = setTimeout(() => {
      this.current = this.sweep()
        .catch((error: unknown) => this.logger.error({ err: error }, 'overdue-sweep.failed')) // the next pass tries again
        .finally(() => this.schedule());
    }, SWEEP_EVERY_MS);
  }
}
