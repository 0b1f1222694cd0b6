import type { Transaction } from '@switchboard/database';
import type { CustomerEvent } from './customer-event';

export interface NewEvent {
  id: string;
  event: CustomerEvent;
  body: Buffer;
  trace: Record<string, string>;
}

const INSERT_EVENT = `
  WITH event AS (
    INSERT INTO events (id, account_id, kind, dedup_key, message_id, body, trace, occurred_at)
    VALUES ($1, $2, $3, $4, $5, $6, $7::jsonb, $8)
    ON CONFLICT (account_id, dedup_key) DO NOTHING
    RETURNING account_id
  )
  SELECT ep.id AS "endpointId" FROM event LEFT JOIN endpoints ep ON ep.account_id = event.account_id AND ep.enabled`;

/**
 * Stores an event unless the same fact is there already.
 * @returns the endpoints it goes to; undefined when it was there
 */
export async function insertEvent(tx: Transaction, { id, event, body, trace }: NewEvent): Promise<string[] | undefined> {
  const { accountId, kind, dedupKey, messageId, occurredAt } = event;
  const params = [id, accountId, kind, dedupKey, messageId, body, JSON.stringify(trace), occurredAt];
  const rows = await tx.query<{ endpointId: string | null }>(INSERT_EVENT, params);
  return rows.length === 0 ? undefined : rows.flatMap(({ endpointId }) => endpointId ?? []);
}

export interface NewDelivery {
  id: string;
  endpointId: string;
}

/** Stores deliveries that are due at once. */
export async function insertDeliveries(tx: Transaction, event: { id: string; accountId: string }, deliveries: NewDelivery[]): Promise<void> {
  const sql = `
    INSERT INTO deliveries (id, event_id, endpoint_id, account_id)
    SELECT id, $3, endpoint_id, $4 FROM unnest($1::text[], $2::text[]) AS delivery (id, endpoint_id)`;
  await tx.query(sql, [deliveries.map(({ id }) => id), deliveries.map(({ endpointId }) => endpointId), event.id, event.accountId]);
}
