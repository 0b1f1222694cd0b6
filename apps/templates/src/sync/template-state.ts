import type { TemplateStatus } from '@switchboard/contracts';

/** Maps upstream states to the published status (spec §10.1.3). Only APPROVED can be sent (spec §10.1.2). */
const STATUS_OF: Record<string, TemplateStatus> = {
  APPROVED: 'APPROVED',
  REINSTATED: 'APPROVED',
  PENDING: 'PENDING',
  IN_APPEAL: 'PENDING',
  REJECTED: 'REJECTED',
  FLAGGED: 'FLAGGED',
  PAUSED: 'FLAGGED',
  LOCKED: 'FLAGGED',
  DISABLED: 'DISABLED',
  LIMIT_EXCEEDED: 'DISABLED',
  DELETED: 'DISABLED',
  PENDING_DELETION: 'DISABLED',
  ARCHIVED: 'DISABLED',
};

/**
 * Returns the published status of an upstream state. An unknown state becomes FLAGGED, because it must not be sent and
 * may be temporary.
 */
export function statusOf(upstreamStatus: string): TemplateStatus {
  return STATUS_OF[upstreamStatus.toUpperCase()] ?? 'FLAGGED';
}
