import { type EndpointFigures, firstIdAt, MOST_FIGURE_DELIVERIES } from '@switchboard/contracts';
import { query } from '@switchboard/database';
import type { DataSource } from 'typeorm';

interface FigureRow {
  endpointId: string;
  delivered: number;
  dropped: number;
  pending: number;
  areAll: boolean;
  lastSuccessAt: Date | null;
  p95DurationMs: number | null;
}

/** Reads the newest deliveries of each endpoint and their last attempts by index. $1 account, $2 event, $3 maximum */
const FIGURES = `
  SELECT ep.id AS "endpointId", ended.*, waiting.pending FROM endpoints ep
  CROSS JOIN LATERAL (
    SELECT (count(*) FILTER (WHERE counts AND newest.state = 'delivered'))::int AS delivered,
      (count(*) FILTER (WHERE counts AND newest.state = 'dropped'))::int AS dropped, count(*) <= $3 AS "areAll",
      max(newest.finished_at) FILTER (WHERE counts AND newest.state = 'delivered') AS "lastSuccessAt",
      percentile_disc(0.95) WITHIN GROUP (ORDER BY a.duration_ms) FILTER (WHERE counts) AS "p95DurationMs"
    FROM (
      -- One more than the maximum shows whether these are all.
      SELECT d.id, d.state, d.attempts_made, d.finished_at, row_number() OVER (ORDER BY d.event_id DESC) <= $3 AS counts
      FROM deliveries d
      WHERE d.endpoint_id = ep.id AND d.account_id = $1 AND d.event_id >= $2 ORDER BY d.event_id DESC LIMIT $3 + 1
    ) AS newest
    LEFT JOIN LATERAL (
      SELECT duration_ms FROM attempts WHERE delivery_id = newest.id AND attempt = newest.attempts_made AND account_id = $1
    ) AS a ON true
  ) AS ended
  CROSS JOIN LATERAL (
    SELECT count(*)::int AS pending FROM (
      SELECT 1 FROM pending_deliveries p WHERE p.endpoint_id = ep.id AND p.account_id = $1 LIMIT $3
    ) AS found
  ) AS waiting
  WHERE ep.account_id = $1 AND ep.deleted_at IS NULL ORDER BY ep.id`;

/** Returns delivery statistics per endpoint. The cost does not depend on the number of deliveries. */
export async function endpointStatistics(db: DataSource, accountId: string, since: Date): Promise<EndpointFigures[]> {
  const rows = await query<FigureRow>(db, FIGURES, [accountId, firstIdAt('evt', since), MOST_FIGURE_DELIVERIES]);
  return rows.map((row) => ({ ...row, lastSuccessAt: row.lastSuccessAt?.toISOString() ?? null }));
}
