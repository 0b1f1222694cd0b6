import { Injectable } from '@nestjs/common';
import { Broker } from '@switchboard/broker';
import { DATA_CHANGES_MAX, dataChangedV1 } from '@switchboard/contracts';
import { Every } from '@switchboard/platform';

/** Interval between two notices, in milliseconds. It bounds their number, however many deliveries are attempted. */
const NOTICE_EVERY_MS = 400;

/**
 * Notifies the gateways of accounts whose webhook log changed, so that open dashboards read it again. Notices are not
 * durable: the dashboard also polls.
 */
@Injectable()
export class AttemptNotices {
  private readonly accountIds = new Set<string>();

  constructor(private readonly broker: Broker) {}

  note(accountId: string): void {
    this.accountIds.add(accountId);
  }

  @Every({ name: 'webhooks.attempt-notices', everyMs: NOTICE_EVERY_MS })
  async publishNoted(): Promise<void> {
    const noted = [...this.accountIds];
    this.accountIds.clear();
    for (let from = 0; from < noted.length; from += DATA_CHANGES_MAX)
      await this.broker.publish(dataChangedV1, {
        changes: noted.slice(from, from + DATA_CHANGES_MAX).map((accountId) => ({ accountId, kind: 'webhook' })),
      });
  }
}
