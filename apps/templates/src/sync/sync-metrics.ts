import { Injectable } from '@nestjs/common';
import { query } from '@switchboard/database';
import { COUNT_BACKLOG_EVERY_MS, Every, gauge } from '@switchboard/platform';
import { DataSource } from 'typeorm';

const age = gauge(
  'template_sync_age_seconds',
  'How long ago the templates of the business that waits longest were read from the platform; 0 without a business',
);
const failing = gauge('template_sync_failing', 'Businesses whose last reading failed');

/**
 * A business that was never synced counts from the time its token was stored, because each failed sync postpones the
 * next. If that time was not recorded, it counts from when its sync was due.
 */
const READ = `
  SELECT coalesce(max(extract(epoch FROM now() - coalesce(last_synced_at, token_stored_at, least(next_sync_at, now())))), 0)::float8 AS age,
    count(*) FILTER (WHERE failures > 0)::int AS failing
  FROM upstream_accounts WHERE left_at IS NULL`;

/** Publishes the age of the stored templates. Every process reports the same value, so alerts use the maximum. */
@Injectable()
export class SyncMetrics {
  constructor(private readonly dataSource: DataSource) {}

  @Every({ name: 'sync-figures', everyMs: COUNT_BACKLOG_EVERY_MS })
  async look(): Promise<void> {
    const [found] = await query<{ age: number; failing: number }>(this.dataSource, READ, []);
    age.set(found?.age ?? 0);
    failing.set(found?.failing ?? 0);
  }
}
