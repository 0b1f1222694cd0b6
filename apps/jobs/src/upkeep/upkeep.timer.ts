import { Inject, Injectable, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import { type Logger, LOGGER, type Loop, startLoop, UPKEEP_STATEMENT_MS } from '@switchboard/platform';
import { StagedRows } from '../jobs/staged-rows';
import { AskOverdue } from './ask-overdue';
import { CloseJobs } from './close-jobs';
import { StartJobs } from './start-jobs';

/** A job begins so soon after its time. */
const START_EVERY_MS = 200;
const CLOSE_EVERY_MS = 500;
const ASK_EVERY_MS = 2_000;
const PURGE_EVERY_MS = 600_000;

/** What happens to jobs by time; several processes may do it at once. */
@Injectable()
export class UpkeepTimer implements OnApplicationBootstrap, OnApplicationShutdown {
  private loops: Loop[] = [];

  constructor(
    private readonly starts: StartJobs,
    private readonly closes: CloseJobs,
    private readonly asks: AskOverdue,
    private readonly staged: StagedRows,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  onApplicationBootstrap(): void {
    const { logger } = this;
    this.loops = [
      startLoop({ name: 'jobs.start', everyMs: START_EVERY_MS, logger, turn: () => this.starts.startDue() }),
      startLoop({ name: 'jobs.close', everyMs: CLOSE_EVERY_MS, logger, turn: () => this.closes.closeSome() }),
      startLoop({ name: 'jobs.ask', everyMs: ASK_EVERY_MS, logger, turn: () => this.asks.askSome() }),
      startLoop({
        name: 'jobs.purge',
        everyMs: PURGE_EVERY_MS,
        logger,
        statementMs: UPKEEP_STATEMENT_MS,
        turn: () => this.staged.purge(),
      }),
    ];
  }

  async onApplicationShutdown(): Promise<void> {
    await Promise.all(this.loops.map((loop) => loop.stop()));
  }
}
