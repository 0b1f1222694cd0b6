import { type BeforeApplicationShutdown, Inject, Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { LOGGER, type Logger, type Loop, startLoop } from '@switchboard/platform';
import { StatusesService } from './statuses.service';

const LOOK_EVERY_MS = 1_000;

/** Looks after parked statuses. Any number of replicas may. */
@Injectable()
export class ParkedTimer implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private loop?: Loop;

  constructor(
    private readonly statuses: StatusesService,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  onApplicationBootstrap(): void {
    this.loop = startLoop({ name: 'parked-statuses', everyMs: LOOK_EVERY_MS, logger: this.logger, turn: () => this.statuses.applyParked() });
  }

  async beforeApplicationShutdown(): Promise<void> {
    await this.loop?.stop();
  }
}
