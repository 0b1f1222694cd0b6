import { type BeforeApplicationShutdown, Inject, Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { LOGGER, type Logger, type Loop, startLoop } from '@switchboard/platform';
import { NumberPollService } from './number-poll.service';

/** How soon a number is read after it became due. */
const LOOK_EVERY_MS = 1_000;

/** Looks for numbers that are due. Any number of replicas may. */
@Injectable()
export class NumberPollTimer implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private loop?: Loop;

  constructor(
    private readonly poll: NumberPollService,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  onApplicationBootstrap(): void {
    this.loop = startLoop({
      name: 'number-poll',
      everyMs: LOOK_EVERY_MS,
      logger: this.logger,
      turn: (signal) => this.poll.readDueNumbers(signal),
    });
  }

  async beforeApplicationShutdown(): Promise<void> {
    await this.loop?.stop();
  }
}
