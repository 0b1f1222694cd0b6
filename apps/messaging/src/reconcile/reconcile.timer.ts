import { type BeforeApplicationShutdown, Inject, Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { FAILURE_DELAYS_SECONDS } from '@switchboard/contracts';
import { CONFIG, LOGGER, type Logger, type Loop, startLoop } from '@switchboard/platform';
import type { MessagingConfig } from '../config';
import { ReconcileService } from './reconcile.service';

const PERIOD_MS = 1_000;
/** A callback that we failed to apply is tried again after this time at the latest. */
const LONGEST_RETRY_MS = Math.max(...FAILURE_DELAYS_SECONDS) * 1_000;

/**
 * Runs the reconciler every second. Whether callbacks had their time is judged by its statements (`callback-door.ts`);
 * only what stands between a callback that has arrived and its row is judged here: while our database fails, callbacks
 * wait to be tried again.
 */
@Injectable()
export class ReconcileTimer implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly graceMs: number;
  private notBefore = 0;
  private loop?: Loop;

  constructor(
    @Inject(ReconcileService) private readonly reconciler: Pick<ReconcileService, 'settleOverdue'>,
    @Inject(CONFIG) config: Pick<MessagingConfig, 'RECONCILE_GRACE_SECONDS'>,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {
    this.graceMs = config.RECONCILE_GRACE_SECONDS * 1_000;
  }

  onApplicationBootstrap(): void {
    this.loop = startLoop({
      name: 'reconcile',
      everyMs: PERIOD_MS,
      logger: this.logger,
      turn: (signal) => this.settle(signal),
    });
  }

  async beforeApplicationShutdown(): Promise<void> {
    await this.loop?.stop();
  }

  private async settle(signal: AbortSignal): Promise<void> {
    if (performance.now() < this.notBefore) return;
    try {
      await this.reconciler.settleOverdue(signal);
    } catch (error) {
      this.notBefore = performance.now() + this.graceMs + LONGEST_RETRY_MS;
      throw error;
    }
  }
}
