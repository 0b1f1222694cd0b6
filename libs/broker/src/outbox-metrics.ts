import { Injectable } from '@nestjs/common';
import { query } from '@switchboard/database';
import { COUNT_BACKLOG_EVERY_MS, COUNT_BACKLOG_TO, Every, gauge } from '@switchboard/platform';
import { DataSource } from 'typeorm';

const pending = gauge('outbox_pending', `Messages that wait in the outbox; ${COUNT_BACKLOG_TO} stands for more, too`);
const oldest = gauge(
  'outbox_oldest_seconds',
  'How long the oldest message has waited in the outbox; 0 when none waits',
);

const COUNT = `
  SELECT count(*)::int AS pending, coalesce(extract(epoch FROM now() - min(created_at)), 0)::float8 AS oldest
  FROM (SELECT created_at FROM outbox ORDER BY id LIMIT $1) AS waiting`;

/**
 * Exports the size of the outbox as metrics. Every process of a service reports the same values, so alerts use the
 * maximum.
 */
@Injectable()
export class OutboxMetrics {
  constructor(private readonly dataSource: DataSource) {}

  @Every({ name: 'outbox-figures', everyMs: COUNT_BACKLOG_EVERY_MS })
  async count(): Promise<void> {
    const [found] = await query<{ pending: number; oldest: number }>(this.dataSource, COUNT, [COUNT_BACKLOG_TO]);
    pending.set(found?.pending ?? 0);
    oldest.set(found?.oldest ?? 0);
  }
}
