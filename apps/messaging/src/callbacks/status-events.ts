import {
  inParts,
  type MessageStatusChangedV1,
  messageStatusChangedV1,
  messageStatusChangedV2,
  REPORTED_STATUSES,
  type ReportedStatus,
  STATUS_CHANGES_BYTES,
} from '@switchboard/contracts';
import type { Transaction } from '@switchboard/database';
import { statusEvent } from '../messages/message-events';
import { isOvertaken, reportableStatuses } from '../messages/message-state';
import type { StatusOutcome } from './statuses.queries';

/** Small enough to delay other events of the webhooks service only briefly. */
const CHANGES_PER_EVENT = 25;

/**
 * Publishes new statuses when the transaction commits.
 * @param together true to combine statuses into one event, which services of release 0.1.0 do not support
 */
export function publishStatusChanges(
  tx: Pick<Transaction, 'publish'>,
  changes: readonly MessageStatusChangedV1[],
  together: boolean,
): void {
  if (!together) for (const change of changes) tx.publish(messageStatusChangedV1, change);
  else
    for (const part of inParts(changes, { items: CHANGES_PER_EVENT, bytes: STATUS_CHANGES_BYTES }))
      tx.publish(messageStatusChangedV2, { changes: part });
}

/** Returns the events of one message after statuses were applied: one per new status, in the order of states. */
export function statusEvents(outcome: StatusOutcome): MessageStatusChangedV1[] {
  const times: Record<ReportedStatus, Date | null> = {
    sent: outcome.sentAt,
    delivered: outcome.deliveredAt,
    read: outcome.readAt,
    failed: outcome.failedAt,
  };
  const given = REPORTED_STATUSES.filter((status) => times[status] !== null);
  return reportableStatuses(outcome.before, given, outcome.reported).map((status) =>
    statusEvent(outcome, {
      status,
      error: status === 'failed' ? outcome.error : null,
      ...(outcome.pricing && { pricing: outcome.pricing }),
      ...(outcome.sendTrace !== null && { sendTrace: outcome.sendTrace }),
      ...(isOvertaken(outcome.before, status) && { late: true }),
      at: times[status] ?? new Date(0),
    }),
  );
}
