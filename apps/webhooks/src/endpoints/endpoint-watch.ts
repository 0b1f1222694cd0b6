import { Inject, Injectable } from '@nestjs/common';
import { endpointDegradedV1 } from '@switchboard/contracts';
import { Transactions } from '@switchboard/database';
import { CONFIG, Every, type Logger, LOGGER } from '@switchboard/platform';
import type { WebhooksConfig } from '../config';
import type { EndpointRef } from '../deliveries/fair-queue';

const LOOK_EVERY_MS = 10_000;

const DEGRADE = `
  UPDATE endpoints SET degraded_at = now()
  WHERE failing_since < now() - make_interval(mins => $1) AND degraded_at IS NULL AND paused_at IS NULL
    AND deleted_at IS NULL
  RETURNING id, account_id AS "accountId", failing_since AS since`;

/**
 * Marks endpoints without any success for a long time as degraded. A degraded endpoint gets one request at a time until
 * one succeeds; its retry schedule does not change. Any number of processes may run this: only one marks an endpoint
 * and notifies its owner.
 */
@Injectable()
export class EndpointWatch {
  constructor(
    @Inject(CONFIG) private readonly config: WebhooksConfig,
    @Inject(LOGGER) private readonly logger: Logger,
    private readonly transactions: Transactions,
  ) {}

  @Every({ name: 'endpoint-watch', everyMs: LOOK_EVERY_MS })
  async look(): Promise<void> {
    if (this.config.WEBHOOK_DEGRADED_AFTER_MINUTES === 0) return;
    await this.transactions.run(async (tx) => {
      const degraded = await tx.query<EndpointRef & { since: Date }>(DEGRADE, [
        this.config.WEBHOOK_DEGRADED_AFTER_MINUTES,
      ]);
      for (const { id: endpointId, accountId, since } of degraded) {
        tx.publish(endpointDegradedV1, { accountId, endpointId, reason: 'failing', since: since.toISOString() });
        this.logger.warn({ accountId, endpointId, since }, 'endpoint.degraded');
      }
    });
  }
}
