import { type BeforeApplicationShutdown, Inject, Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { LOGGER, type Logger, type Loop, startLoop } from '@switchboard/platform';
import { MediaService } from './media.service';

const LOOK_EVERY_MS = 60_000;

/** The net under the tasks that fetch media. Any number of replicas may look. */
@Injectable()
export class MediaTimer implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private loop?: Loop;

  constructor(
    private readonly media: MediaService,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  onApplicationBootstrap(): void {
    this.loop = startLoop({
      name: 'media-overdue',
      everyMs: LOOK_EVERY_MS,
      logger: this.logger,
      turn: () => this.media.remindOfOverdue(),
    });
  }

  async beforeApplicationShutdown(): Promise<void> {
    await this.loop?.stop();
  }
}
