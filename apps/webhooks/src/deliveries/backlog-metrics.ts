import { Injectable } from '@nestjs/common';
import { query } from '@switchboard/database';
import { COUNT_BACKLOG_EVERY_MS, Every, gauge } from '@switchboard/platform';
import { DataSource } from 'typeorm';

/**
 * Maximum number of due deliveries to count per endpoint. It limits the cost of the query; the total still shows the
 * trend.
 */
const COUNT_OF_ENDPOINT_TO = 1_000;

const due = gauge('webhook_due', `Deliveries that are due now; of one endpoint ${COUNT_OF_ENDPOINT_TO} at most count`);
const oldest = gauge(
  'webhook_oldest_due_seconds',
  'How long the oldest delivery that is due has waited; 0 when none is',
);
const endpoints = gauge('webhook_endpoints', 'Endpoints that customers set: working, failing, degraded, paused', [
  'state',
]);

const STATES = ['working', 'failing', 'degraded', 'paused'] as const;

/** Excludes paused endpoints, whose due deliveries wait intentionally. */
const COUNT_DUE = `
  SELECT coalesce(sum(of_endpoint.due), 0)::int AS due,
    coalesce(extract(epoch FROM now() - min(of_endpoint.oldest)), 0)::float8 AS oldest
  FROM endpoints ep CROSS JOIN LATERAL (
    SELECT count(*) AS due, min(next_attempt_at) AS oldest FROM (
      SELECT next_attempt_at FROM pending_deliveries p
      WHERE p.endpoint_id = ep.id AND claimed_until IS NULL AND next_attempt_at <= now()
      ORDER BY next_attempt_at LIMIT $1
    ) AS first
  ) AS of_endpoint
  WHERE ep.paused_at IS NULL AND ep.deleted_at IS NULL`;

const COUNT_ENDPOINTS = `
  SELECT CASE WHEN paused_at IS NOT NULL THEN 'paused' WHEN degraded_at IS NOT NULL THEN 'degraded'
    WHEN failing_since IS NOT NULL THEN 'failing' ELSE 'working' END AS state, count(*)::int AS count
  FROM endpoints WHERE deleted_at IS NULL GROUP BY 1`;

/** Publishes how far the dispatchers are behind. Every process reports the same value, so alerts use the maximum. */
@Injectable()
export class BacklogMetrics {
  constructor(private readonly dataSource: DataSource) {}

  @Every({ name: 'backlog-figures', everyMs: COUNT_BACKLOG_EVERY_MS })
  async count(): Promise<void> {
    const [found] = await query<{ due: number; oldest: number }>(this.dataSource, COUNT_DUE, [COUNT_OF_ENDPOINT_TO]);
    due.set(found?.due ?? 0);
    oldest.set(found?.oldest ?? 0);
    const counts = await query<{ state: string; count: number }>(this.dataSource, COUNT_ENDPOINTS, []);
    for (const state of STATES) endpoints.set({ state }, counts.find((one) => one.state === state)?.count ?? 0);
  }
}
