import { type BeforeApplicationShutdown, Inject, Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { LOGGER, type Logger, type Loop, startLoop, UPKEEP_STATEMENT_MS } from '@switchboard/platform';
import { DataSource } from 'typeorm';
import { purgeOld } from './purge.queries';

const PURGE_EVERY_MS = 300_000;

/** Removes expired codes and what else is too old, in bounded batches; any number of replicas may. */
@Injectable()
export class PurgeTimer implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private loop?: Loop;

  constructor(
    private readonly dataSource: DataSource,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  onApplicationBootstrap(): void {
    this.loop = startLoop({
      name: 'otp-purge',
      everyMs: PURGE_EVERY_MS,
      logger: this.logger,
      statementMs: UPKEEP_STATEMENT_MS,
      turn: () => purgeOld(this.dataSource),
    });
  }

  async beforeApplicationShutdown(): Promise<void> {
    await this.loop?.stop();
  }
}
