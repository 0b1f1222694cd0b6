import { type MessageStatusChangedV1, REPORTED_STATUSES, type ReportedStatus } from '@switchboard/contracts';
import { isOvertaken, reportableStatuses } from '../messages/message-state';
import type { StatusOutcome } from './statuses.queries';

/**
 * The events about one message after statuses were applied to it: one per status that is new, in the order of states.
 */
export function statusEvents(outcome: StatusOutcome): MessageStatusChangedV1[] {
  const times: Record<ReportedStatus, Date | null> = {
    sent: outcome.sentAt,
    delivered: outcome.deliveredAt,
    read: outcome.readAt,
    failed: outcome.failedAt,
  };
  const given = REPORTED_STATUSES.filter((status) => times[status] !== null);
  return reportableStatuses(outcome.before, given, outcome.reported).map((status) => ({
    accountId: outcome.accountId,
    id: outcome.id,
    upstreamId: outcome.upstreamId,
    to: outcome.recipient,
    username: outcome.username,
    status,
    error: status === 'failed' ? outcome.error : null,
    clientRef: outcome.clientRef,
    jobId: outcome.jobId,
    ...(outcome.pricing && { pricing: outcome.pricing }),
    ...(isOvertaken(outcome.before, status) && { late: true }),
    timestamp: (times[status] ?? new Date(0)).toISOString(),
  }));
}
