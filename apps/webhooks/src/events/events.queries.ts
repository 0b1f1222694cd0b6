import { batchOf, type BatchRow, columnNames, columnsOf, preparedQuery } from '@switchboard/database';
import type { DataSource } from 'typeorm';
import type { EventTrace } from '../deliveries/event-bodies';
import { PendingDelivery } from '../deliveries/pending-delivery.entity';
import { type CustomerEvent, messageIdsOf, reportedStatusOf } from './customer-event';
import { Event } from './event.entity';
import { EventKey } from './event-key.entity';

export interface NewEvent {
  id: string;
  /** Equal for all reports of the same fact (`eventKey`). */
  key: string;
  event: CustomerEvent;
  body: Buffer;
  trace: EventTrace;
}

const SUBSCRIBERS = `
  SELECT id, account_id AS "accountId", kinds FROM endpoints
  WHERE account_id = ANY($1) AND deleted_at IS NULL ORDER BY id`;

/** An endpoint and the kinds to which it subscribes. Null means all kinds. */
export interface Subscriber {
  id: string;
  accountId: string;
  kinds: string[] | null;
}

/** Finds the endpoints of the accounts. Includes paused endpoints, because their events wait. */
export function findSubscribedEndpoints(db: DataSource, accountIds: string[]): Promise<Subscriber[]> {
  return preparedQuery<Subscriber>(db, SUBSCRIBERS, [accountIds]);
}

const EVENT = columnsOf(Event, [
  'id',
  'accountId',
  'kind',
  'messageId',
  'subject',
  'body',
  'trace',
  'occurredAt',
  'recordId',
  'status',
]);
const EVENTS = batchOf({ ...EVENT, ...columnsOf(EventKey, ['key']) }, { from: 2 });
const DELIVERIES = batchOf(columnsOf(PendingDelivery, ['id', 'accountId', 'endpointId', 'eventId', 'messageId']), {
  from: EVENTS.next,
});

export type NewDelivery = BatchRow<typeof DELIVERIES>;

/** $1 holder, then `EVENTS` and `DELIVERIES` */
const INSERT = `
  WITH input AS (
    SELECT * FROM ${EVENTS.unnest('input')}
  ), fresh AS (
    INSERT INTO event_keys (key) SELECT key FROM input ON CONFLICT DO NOTHING RETURNING key
  ), stored AS (
    INSERT INTO events (${columnNames(EVENT)})
    SELECT ${columnNames(EVENT)} FROM input JOIN fresh USING (key)
    RETURNING id AS event_id
  ), planned AS (
    INSERT INTO pending_deliveries (${DELIVERIES.names}, claimed_by)
    SELECT ${DELIVERIES.names}, $1::int FROM ${DELIVERIES.unnest('delivery')} JOIN stored USING (event_id)
  )
  SELECT event_id AS id FROM stored`;

/**
 * Stores events with deliveries that are due immediately. Skips events whose fact is already stored.
 * @param holder the process that makes the first attempts (`claim-holder.ts`); if it dies before, other processes take
 * over
 * @returns the ids of the stored events
 */
export async function insertEvents(
  db: DataSource,
  events: NewEvent[],
  deliveries: NewDelivery[],
  holder: number | null,
): Promise<Set<string>> {
  const rows = await preparedQuery<{ id: string }>(db, INSERT, [
    holder,
    ...EVENTS.parameters(events, {
      accountId: ({ event }) => event.accountId,
      kind: ({ event }) => event.kind,
      messageId: ({ event }) => event.messageId,
      subject: ({ event }) => event.subject,
      occurredAt: ({ event }) => event.occurredAt,
      recordId: ({ event }) => messageIdsOf(event).messageId ?? null,
      status: ({ event }) => reportedStatusOf(event),
    }),
    ...DELIVERIES.parameters(deliveries),
  ]);
  return new Set(rows.map(({ id }) => id));
}
