import { type BeforeApplicationShutdown, Inject, Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { LOGGER, type Logger, type Loop, startLoop } from '@switchboard/platform';
import { SettleOpenSends } from './settle-open-sends.service';

const LOOK_EVERY_MS = 2_000;

/** Looks for sends that were left open; any number of replicas may. */
@Injectable()
export class OpenSendsTimer implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private loop?: Loop;

  constructor(
    private readonly settling: SettleOpenSends,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  onApplicationBootstrap(): void {
    this.loop = startLoop({
      name: 'open-sends',
      everyMs: LOOK_EVERY_MS,
      logger: this.logger,
      turn: () => this.settling.settleDue(),
    });
  }

  async beforeApplicationShutdown(): Promise<void> {
    await this.loop?.stop();
  }
}
