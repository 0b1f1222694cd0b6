import { Inject, Injectable } from '@nestjs/common';
import { FAILURE_DELAYS_SECONDS } from '@switchboard/contracts';
import { activity, CONFIG, Every } from '@switchboard/platform';
import type { MessagingConfig } from '../config';
import { ReconcileService } from './reconcile.service';

const PERIOD_MS = 1_000;
/** Maximum delay until a failed callback is retried. */
const LONGEST_RETRY_MS = Math.max(...FAILURE_DELAYS_SECONDS) * 1_000;

/**
 * Runs the reconciler every second. Its statements check that callbacks had enough time to arrive
 * (`ingress-heartbeat.ts`). While the service's database fails, arrived callbacks wait for their retry, so the timer
 * pauses the reconciler.
 */
@Injectable()
export class ReconcileTimer {
  private readonly graceMs: number;
  private notBefore = 0;

  constructor(
    @Inject(ReconcileService) private readonly reconciler: Pick<ReconcileService, 'settleOverdue'>,
    @Inject(CONFIG) config: Pick<MessagingConfig, 'RECONCILE_GRACE_SECONDS'>,
  ) {
    this.graceMs = config.RECONCILE_GRACE_SECONDS * 1_000;
  }

  @Every({ name: 'reconcile', everyMs: PERIOD_MS, restsWhenIdle: true })
  async settle(signal: AbortSignal): Promise<void> {
    if (performance.now() < this.notBefore) return activity.note();
    try {
      await this.reconciler.settleOverdue(signal);
    } catch (error) {
      this.notBefore = performance.now() + this.graceMs + LONGEST_RETRY_MS;
      throw error;
    }
  }
}
