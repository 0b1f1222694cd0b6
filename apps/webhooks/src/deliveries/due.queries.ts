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

// One probe of the index per endpoint, however long the backlog of one of them is.
const OVERDUE = `
  SELECT ep.id, ep.account_id AS "accountId"
  FROM endpoints ep
  WHERE ep.paused_at IS NULL AND ep.deleted_at IS NULL AND EXISTS (
    SELECT 1 FROM pending_deliveries p
    WHERE p.endpoint_id = ep.id AND p.claimed_until IS NULL AND p.next_attempt_at < now() - make_interval(secs => $1)
  )
  ORDER BY random()`;

/** Endpoints, over all accounts, with a delivery that should have been attempted by now. */
export function findOverdueEndpoints(db: DataSource): Promise<EndpointRef[]> {
  return query<EndpointRef>(db, OVERDUE, [OVERDUE_MS / 1000]);
}
