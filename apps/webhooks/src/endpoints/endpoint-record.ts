import { WEBHOOK_EVENT_KINDS, type WebhookEndpointRecord } from '@switchboard/contracts';
import type { Endpoint } from './endpoint.entity';

/**
 * Returns the public view of an endpoint.
 * @param now determines whether a rotation is still in progress
 */
export function endpointRecord(row: Endpoint, now: Date): WebhookEndpointRecord {
  const rotating = row.rotationEndsAt !== null && row.rotationEndsAt > now;
  return {
    id: row.id,
    url: row.url,
    kinds: row.kinds && WEBHOOK_EVENT_KINDS.filter((kind) => row.kinds?.includes(kind)),
    maxInFlight: row.maxInFlight,
    acceptStatuses: row.acceptsAny2xx ? '2xx' : '200',
    retrySchedule: row.hasExtendedRetries ? 'extended' : 'standard',
    state: row.pausedAt ? 'paused' : row.degradedAt ? 'degraded' : 'enabled',
    failingSince: row.failingSince?.toISOString() ?? null,
    rotationEndsAt: (rotating && row.rotationEndsAt?.toISOString()) || null,
    createdAt: row.createdAt.toISOString(),
    updatedAt: row.updatedAt.toISOString(),
  };
}
