import type { TemplateStatus } from '@switchboard/contracts';

/** Upstream states and what they are to a customer (spec §10.1.3). Only APPROVED can be sent (spec §10.1.2). */
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

/** Our status of an upstream state. A state we do not know must not be sent, and may pass: FLAGGED. */
export function statusOf(upstreamStatus: string): TemplateStatus {
  return STATUS_OF[upstreamStatus.toUpperCase()] ?? 'FLAGGED';
}
