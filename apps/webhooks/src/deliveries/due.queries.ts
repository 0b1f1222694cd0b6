import { query } from '@switchboard/database';
import type { DataSource } from 'typeorm';
import type { EndpointRef } from '../endpoints/endpoint-ref';

/** Above the lateness of a wait queue (p99 74 ms), so that the sweep only finds what the broker has lost. */
const OVERDUE_MS = 250;

const ENDPOINTS_OF = `
  SELECT DISTINCT endpoint_id AS id, account_id AS "accountId" FROM pending_deliveries
  WHERE id = ANY($1) AND claimed_until IS NULL AND next_attempt_at <= now()`;

/** Where something of these deliveries is due. The one query without an account: a task only knows the delivery's id. */
export function findDueEndpoints(db: DataSource, deliveryIds: string[]): Promise<EndpointRef[]> {
  return query<EndpointRef>(db, ENDPOINTS_OF, [deliveryIds]);
}

const MAY_BE_CLAIMED = 'ep.paused_at IS NULL AND ep.deleted_at IS NULL';
/**
 * Where anything at all is overdue, for some endpoints in the order of their ids: one probe of an index for each that something waits for,
 * however long its backlog is. $1 seconds, $2 the endpoint to go on behind, $3 most endpoints
 */
export const OVERDUE_PAGE = `
  WITH RECURSIVE page AS (
    (SELECT endpoint_id, next_attempt_at, 1 AS place FROM pending_deliveries
     WHERE claimed_until IS NULL AND endpoint_id > $2 ORDER BY endpoint_id, next_attempt_at LIMIT 1)
    UNION ALL
    SELECT following.endpoint_id, following.next_attempt_at, page.place + 1 FROM page CROSS JOIN LATERAL (
      SELECT p.endpoint_id, p.next_attempt_at FROM pending_deliveries p
      WHERE p.claimed_until IS NULL AND p.endpoint_id > page.endpoint_id ORDER BY p.endpoint_id, p.next_attempt_at LIMIT 1
    ) AS following WHERE page.place < $3
  ), due AS (
    SELECT ep.id, ep.account_id FROM page JOIN endpoints ep ON ep.id = page.endpoint_id
    WHERE ${MAY_BE_CLAIMED} AND page.next_attempt_at < now() - make_interval(secs => $1)
    ORDER BY random()
  )
  SELECT (SELECT endpoint_id FROM page WHERE place = $3) AS "endsAt",
    COALESCE((SELECT json_agg(json_build_object('id', id, 'accountId', account_id)) FROM due), '[]') AS endpoints`;

export interface OverduePage {
  /** Where the next page begins; null after the last one. */
  endsAt: string | null;
  endpoints: EndpointRef[];
}

/** Endpoints, over all accounts, with a delivery that should have been attempted by now: a bounded number is looked at. @param behind the end of the page before; empty for the first */
export async function findOverduePage(db: DataSource, behind: string, most: number): Promise<OverduePage> {
  const [page] = await query<OverduePage>(db, OVERDUE_PAGE, [OVERDUE_MS / 1000, behind, most]);
  return page ?? { endsAt: null, endpoints: [] };
}
