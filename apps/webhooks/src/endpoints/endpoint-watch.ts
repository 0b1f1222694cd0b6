import { Inject, Injectable, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import { endpointDegradedV1 } from '@switchboard/contracts';
import { Transactions } from '@switchboard/database';
import { CONFIG, type Logger, LOGGER, type Loop, startLoop } from '@switchboard/platform';
import type { WebhooksConfig } from '../config';
import { degradeFailing } from './endpoint-health.queries';

const LOOK_EVERY_MS = 10_000;

/**
 * Marks endpoints as degraded that have failed everything for long: from then on one request at a time finds out
 * whether that is over; events keep their schedule. Any number of processes may look: one of them finds it and tells
 * the owner.
 */
@Injectable()
export class EndpointWatch implements OnApplicationBootstrap, OnApplicationShutdown {
  private loop?: Loop;

  constructor(
    @Inject(CONFIG) private readonly config: WebhooksConfig,
    @Inject(LOGGER) private readonly logger: Logger,
    private readonly transactions: Transactions,
  ) {}

  onApplicationBootstrap(): void {
    if (this.config.WEBHOOK_DEGRADED_AFTER_MINUTES === 0) return;
    this.loop = startLoop({
      name: 'endpoint-watch',
      everyMs: LOOK_EVERY_MS,
      logger: this.logger,
      turn: () => this.look(),
    });
  }

  async onApplicationShutdown(): Promise<void> {
    await this.loop?.stop();
  }

  async look(): Promise<void> {
    await this.transactions.run(async (tx) => {
      for (const { id: endpointId, accountId, since } of await degradeFailing(
        tx,
        this.config.WEBHOOK_DEGRADED_AFTER_MINUTES,
      )) {
        tx.publish(endpointDegradedV1, { accountId, endpointId, reason: 'failing', since: since.toISOString() });
        this.logger.warn({ accountId, endpointId, since }, 'endpoint.degraded');
      }
    });
  }
}
