import { Injectable } from '@nestjs/common';
import { query } from '@switchboard/database';
import { COUNT_BACKLOG_EVERY_MS, Every, gauge } from '@switchboard/platform';
import { DataSource } from 'typeorm';

const recipients = gauge(
  'jobs_recipients',
  'Recipients of open jobs: pending (not released yet), released (a message is on its way), paused (of jobs that are paused)',
  ['state'],
);
const jobs = gauge('jobs_open', 'Jobs that are not over');

/** Uses the counts stored with the jobs instead of reading recipients. */
const COUNT = `
  SELECT count(*)::int AS jobs,
    coalesce(sum(pending) FILTER (WHERE status <> 'paused'), 0)::int AS pending,
    coalesce(sum(pending) FILTER (WHERE status = 'paused'), 0)::int AS paused,
    coalesce(sum(released), 0)::int AS released
  FROM jobs WHERE is_open`;

/** Publishes the remaining work of all jobs. Every process reports the same value, so alerts use the maximum. */
@Injectable()
export class BacklogMetrics {
  constructor(private readonly dataSource: DataSource) {}

  @Every({ name: 'backlog-figures', everyMs: COUNT_BACKLOG_EVERY_MS })
  async count(): Promise<void> {
    const [found] = await query<Record<'jobs' | 'pending' | 'paused' | 'released', number>>(this.dataSource, COUNT, []);
    for (const state of ['pending', 'paused', 'released'] as const) recipients.set({ state }, found?.[state] ?? 0);
    jobs.set(found?.jobs ?? 0);
  }
}
