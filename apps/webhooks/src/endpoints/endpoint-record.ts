import { WEBHOOK_EVENT_KINDS, type WebhookEndpointRecord } from '@switchboard/contracts';
import type { EndpointRow } from './endpoints.queries';

/** An endpoint as its owner sees it. @param now decides whether a rotation is still under way */
export function endpointRecord(row: EndpointRow, now: Date): WebhookEndpointRecord {
  const rotating = row.rotation_ends_at !== null && row.rotation_ends_at > now;
  return {
    id: row.id,
    url: row.url,
    kinds: row.kinds && WEBHOOK_EVENT_KINDS.filter((kind) => row.kinds?.includes(kind)),
    maxInFlight: row.max_in_flight,
    acceptStatuses: row.accepts_any_2xx ? '2xx' : '200',
    retrySchedule: row.has_extended_retries ? 'extended' : 'standard',
    state: row.paused_at ? 'paused' : row.degraded_at ? 'degraded' : 'enabled',
    failingSince: row.failing_since?.toISOString() ?? null,
    rotationEndsAt: (rotating && row.rotation_ends_at?.toISOString()) || null,
    createdAt: row.created_at.toISOString(),
    updatedAt: row.updated_at.toISOString(),
  };
}
