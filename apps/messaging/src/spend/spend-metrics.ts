import { Injectable } from '@nestjs/common';
import { query } from '@switchboard/database';
import { COUNT_BACKLOG_EVERY_MS, Every, gauge } from '@switchboard/platform';
import { DataSource } from 'typeorm';
import { COUNT_USED_CAPS } from './spend.queries';
import { monthOf } from './spend-limiter';

const caps = gauge(
  'messaging_spend_caps',
  'Spend caps of accounts this month: near (at least 80 % used), reached (a message was rejected or would be)',
  ['state'],
);

/**
 * Publishes the number of accounts that are near or at their spend cap. Every process reports the same value, so alerts
 * use the maximum.
 */
@Injectable()
export class SpendMetrics {
  constructor(private readonly dataSource: DataSource) {}

  @Every({ name: 'spend-figures', everyMs: COUNT_BACKLOG_EVERY_MS })
  async count(): Promise<void> {
    const [found] = await query<Record<'near' | 'reached', number>>(this.dataSource, COUNT_USED_CAPS, [
      monthOf(new Date()),
    ]);
    for (const state of ['near', 'reached'] as const) caps.set({ state }, found?.[state] ?? 0);
  }
}
