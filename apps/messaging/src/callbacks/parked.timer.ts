import { type BeforeApplicationShutdown, Inject, Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { LOGGER, type Logger, type Loop, startLoop } from '@switchboard/platform';
import { StatusesService } from './statuses.service';
import { UnownedCallbacks } from './unowned.service';

const LOOK_EVERY_MS = 1_000;

/**
 * Looks after what waits for a message or for a number: parked statuses, and callbacks that nobody owns. Any number of
 * replicas may.
 */
@Injectable()
export class ParkedTimer implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private loops: Loop[] = [];

  constructor(
    private readonly statuses: StatusesService,
    private readonly unowned: UnownedCallbacks,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  onApplicationBootstrap(): void {
    const { logger } = this;
    this.loops = [
      startLoop({ name: 'parked-statuses', everyMs: LOOK_EVERY_MS, logger, turn: () => this.statuses.applyParked() }),
      startLoop({ name: 'unowned-callbacks', everyMs: LOOK_EVERY_MS, logger, turn: () => this.unowned.release() }),
    ];
  }

  async beforeApplicationShutdown(): Promise<void> {
    await Promise.all(this.loops.map((loop) => loop.stop()));
  }
}
