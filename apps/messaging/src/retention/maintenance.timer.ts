import { type BeforeApplicationShutdown, Inject, Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { LOGGER, type Logger, type Loop, startLoop, UPKEEP_STATEMENT_MS } from '@switchboard/platform';
import { PartitionsService } from './partitions.service';
import { RetentionService } from './retention.service';

/** Months are made three ahead, and days are no stricter than this. */
const PERIOD_MS = 3_600_000;

/** Keeps the messages table in shape: months ahead of time, and what is too old away. */
@Injectable()
export class MaintenanceTimer implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private loops: Loop[] = [];

  constructor(
    private readonly partitions: PartitionsService,
    private readonly retention: RetentionService,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  onApplicationBootstrap(): void {
    const { logger } = this;
    this.loops = [
      startLoop({
        name: 'partitions',
        everyMs: PERIOD_MS,
        logger,
        statementMs: UPKEEP_STATEMENT_MS,
        turn: () => this.partitions.addMonths(),
      }),
      startLoop({
        name: 'retention',
        everyMs: PERIOD_MS,
        logger,
        statementMs: UPKEEP_STATEMENT_MS,
        turn: () => this.applyRetention(),
      }),
    ];
  }

  async beforeApplicationShutdown(): Promise<void> {
    await Promise.all(this.loops.map((loop) => loop.stop()));
  }

  /** @returns whether there is more to remove */
  private async applyRetention(): Promise<boolean> {
    const reply = await this.retention.runStep({ dryRun: false });
    if (reply.messages + reply.media > 0) this.logger.info({ ...reply }, 'retention.stepped');
    return !reply.done;
  }
}
