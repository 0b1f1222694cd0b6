import {
  WEBHOOK_EVENT_KINDS,
  type WebhookAttemptRecord,
  type WebhookDeliveryRecord,
  type WebhookEventKind,
  type WebhookEventRecord,
} from '@switchboard/contracts';
import { plainHeaders } from '@switchboard/platform';
import type { AttemptRow, DeliveryRow, EventRow } from './log.queries';

/** Returns the public view of an event and its deliveries. */
export function eventRecord(row: EventRow, deliveries: DeliveryRow[]): WebhookEventRecord {
  return {
    id: row.id,
    kind: kindOf(row.kind),
    messageId: row.message_id,
    subject: row.subject,
    status: row.status,
    occurredAt: row.occurred_at.toISOString(),
    createdAt: row.created_at.toISOString(),
    deliveries: deliveries.filter(({ event_id }) => event_id === row.id).map(deliveryRecord),
  };
}

export function deliveryRecord(row: DeliveryRow): WebhookDeliveryRecord {
  return {
    id: row.id,
    endpointId: row.endpoint_id,
    state: row.state,
    attemptsMade: row.attempts_made,
    nextAttemptAt: row.next_attempt_at?.toISOString() ?? null,
    createdAt: row.created_at.toISOString(),
    finishedAt: row.finished_at?.toISOString() ?? null,
    replayId: row.replay_id,
    replayedAs: row.replayed_as,
    lastStatusCode: row.last_status_code,
    lastErrorClass: row.last_error_class,
  };
}

export function attemptRecord(row: AttemptRow, eventId: string): WebhookAttemptRecord {
  const timestamp = Math.floor(row.started_at.getTime() / 1000);
  return {
    attempt: row.attempt,
    url: row.url,
    requestHeaders: plainHeaders({ eventId, attempt: row.attempt, timestamp }),
    startedAt: row.started_at.toISOString(),
    finishedAt: row.finished_at?.toISOString() ?? null,
    durationMs: row.duration_ms,
    statusCode: row.status_code,
    errorClass: row.error_class,
    answer: row.answer_head?.toString('utf8') ?? null,
  };
}

function kindOf(kind: string): WebhookEventKind {
  const known = WEBHOOK_EVENT_KINDS.find((candidate) => candidate === kind);
  if (!known) throw new Error('the database holds an event of an unknown kind');
  return known;
}
