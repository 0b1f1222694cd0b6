import { preparedQuery } from '@switchboard/database';
import type { DataSource } from 'typeorm';
import type { EventTrace } from '../deliveries/event-bodies';
import { type CustomerEvent, messageIdsOf } from './customer-event';

/** An event that is about to be stored. */
export interface NewEvent {
  id: string;
  /** The same for two reports of one fact (`eventKey`). */
  key: string;
  event: CustomerEvent;
  body: Buffer;
  trace: EventTrace;
}

export interface NewDelivery {
  id: string;
  accountId: string;
  endpointId: string;
  eventId: string;
  messageId: string | null;
}

const TAKERS = `
  SELECT id, account_id AS "accountId", kinds FROM endpoints
  WHERE account_id = ANY($1) AND deleted_at IS NULL ORDER BY id`;

/** An endpoint and what it takes; null is everything. */
export interface Taker {
  id: string;
  accountId: string;
  kinds: string[] | null;
}

/** The endpoints of accounts. Paused ones count, too: what comes meanwhile waits for them. */
export function findTakers(db: DataSource, accountIds: string[]): Promise<Taker[]> {
  return preparedQuery<Taker>(db, TAKERS, [accountIds]);
}

const INSERT = `
  WITH input AS (
    SELECT * FROM unnest($1::text[], $2::uuid[], $3::text[], $4::text[], $5::text[], $6::text[], $7::bytea[],
      $8::jsonb[], $9::timestamptz[], $16::text[])
      AS input (id, key, account_id, kind, message_id, subject, body, trace, occurred_at, record_id)
  ), fresh AS (
    INSERT INTO event_keys (key) SELECT key FROM input ON CONFLICT DO NOTHING RETURNING key
  ), stored AS (
    INSERT INTO events (id, account_id, kind, message_id, subject, body, trace, occurred_at, record_id)
    SELECT id, account_id, kind, message_id, subject, body, trace, occurred_at, record_id
    FROM input JOIN fresh USING (key)
    RETURNING id
  ), planned AS (
    INSERT INTO pending_deliveries (id, account_id, endpoint_id, event_id, message_id, claimed_by)
    SELECT delivery.*, $15::int FROM unnest($10::text[], $11::text[], $12::text[], $13::text[], $14::text[])
      AS delivery (id, account_id, endpoint_id, event_id, message_id)
    JOIN stored ON stored.id = delivery.event_id
  )
  SELECT id FROM stored`;

/**
 * Stores events with their deliveries, due at once; those whose fact is there already are left out.
 * @param holder the process that makes the first attempts (`claim-holder.ts`): when it dies before, others take them
 * over
 * @returns the ids of the events that were stored
 */
export async function insertEvents(
  db: DataSource,
  events: NewEvent[],
  deliveries: NewDelivery[],
  holder: number | null,
): Promise<Set<string>> {
  const rows = await preparedQuery<{ id: string }>(db, INSERT, [
    events.map(({ id }) => id),
    events.map(({ key }) => key),
    events.map(({ event }) => event.accountId),
    events.map(({ event }) => event.kind),
    events.map(({ event }) => event.messageId),
    events.map(({ event }) => event.subject),
    events.map(({ body }) => body),
    events.map(({ trace }) => JSON.stringify(trace)),
    events.map(({ event }) => event.occurredAt),
    deliveries.map(({ id }) => id),
    deliveries.map(({ accountId }) => accountId),
    deliveries.map(({ endpointId }) => endpointId),
    deliveries.map(({ eventId }) => eventId),
    deliveries.map(({ messageId }) => messageId),
    holder,
    events.map(({ event }) => messageIdsOf(event).messageId ?? null),
  ]);
  return new Set(rows.map(({ id }) => id));
}
