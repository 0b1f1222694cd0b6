import { Inject, Injectable, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import { type Logger, LOGGER, type Loop, startLoop } from '@switchboard/platform';
import { ReleaseService } from './release.service';

/** So soon it is noticed that somebody has begun or resumed a job, or that a number has rested long enough. */
const LOOK_EVERY_MS = 200;
/** Numbers that a process releases for side by side. */
const NUMBERS_AT_A_TIME = 2;

/** Releases for as long as the process runs; any number of processes may. */
@Injectable()
export class ReleaseLoop implements OnApplicationBootstrap, OnApplicationShutdown {
  private loops: Loop[] = [];

  constructor(
    private readonly release: ReleaseService,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  onApplicationBootstrap(): void {
    const options = {
      name: 'release',
      everyMs: LOOK_EVERY_MS,
      logger: this.logger,
      turn: () => this.release.releaseNext(),
    };
    this.loops = Array.from({ length: NUMBERS_AT_A_TIME }, () => startLoop(options));
  }

  async onApplicationShutdown(): Promise<void> {
    await Promise.all(this.loops.map((loop) => loop.stop()));
  }
}
