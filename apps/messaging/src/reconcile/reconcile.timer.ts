import { type BeforeApplicationShutdown, Inject, Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { Broker } from '@switchboard/broker';
import { FAILURE_DELAYS_SECONDS } from '@switchboard/contracts';
import { CONFIG, LOGGER, type Logger } from '@switchboard/platform';
import { setMaxListeners } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import type { MessagingConfig } from '../config';
import { ReconcileService } from './reconcile.service';

const PERIOD_MS = 1_000;
/** A wait that lasted longer than this means that the process stood still. */
const STALL_MS = 3 * PERIOD_MS;
/** A callback that we failed to apply is tried again after this time at the latest. */
const LONGEST_RETRY_MS = Math.max(...FAILURE_DELAYS_SECONDS) * 1_000;

/**
 * Runs the reconciler every second while callbacks reach us. After an outage, of the broker, the database or this
 * process itself, callbacks that settle old messages still wait somewhere: they get a whole grace period before
 * anything is sent again.
 */
@Injectable()
export class ReconcileTimer implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly stopping = new AbortController();
  private readonly graceMs: number;
  private notBefore = Number.POSITIVE_INFINITY;
  private running: Promise<void> = Promise.resolve();

  constructor(
    @Inject(ReconcileService) private readonly reconciler: Pick<ReconcileService, 'settleOverdue'>,
    @Inject(Broker) private readonly broker: Pick<Broker, 'checkReady'>,
    @Inject(CONFIG) config: Pick<MessagingConfig, 'RECONCILE_GRACE_SECONDS'>,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {
    this.graceMs = config.RECONCILE_GRACE_SECONDS * 1_000;
    setMaxListeners(0, this.stopping.signal);
  }

  onApplicationBootstrap(): void {
    this.notBefore = performance.now() + this.graceMs;
    this.running = this.run();
  }

  async beforeApplicationShutdown(): Promise<void> {
    this.stopping.abort();
    await this.running;
  }

  private async run(): Promise<void> {
    const { signal } = this.stopping;
    while (!signal.aborted) {
      const waitedSince = performance.now();
      await delay(PERIOD_MS, undefined, { signal, ref: false }).catch(() => undefined);
      // The connection may come back right after this look, or up to one period later.
      if (performance.now() - waitedSince > STALL_MS || !this.isConnected()) this.holdOff(this.graceMs + PERIOD_MS);
      if (performance.now() < this.notBefore || signal.aborted) continue;
      try {
        await this.reconciler.settleOverdue(signal);
      } catch (error) {
        this.logger.error({ err: error }, 'reconcile.failed');
        this.holdOff(this.graceMs + LONGEST_RETRY_MS);
      }
    }
  }

  private holdOff(ms: number): void {
    this.notBefore = Math.max(this.notBefore, performance.now() + ms);
  }

  private isConnected(): boolean {
    try {
      this.broker.checkReady();
      return true;
    } catch {
      return false; // the readiness check tells the operator why
    }
  }
}
