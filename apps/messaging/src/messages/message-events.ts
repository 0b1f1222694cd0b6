import {
  LABELS,
  labelsOf,
  type MessageError,
  type MessageHeldV1,
  type MessageLabels,
  type MessageStatusChangedV1,
  messageStatusChangedV1,
} from '@switchboard/contracts';
import { columnsOf, selectList, type Transaction } from '@switchboard/database';
import { Message } from './message.entity';

const REPORTED = columnsOf(Message, ['id', 'accountId', 'upstreamId', 'recipient', 'jobId', ...LABELS]);

/** SQL: what the events of a message have of its row, for `ReportedMessage`. */
export const REPORTED_COLUMNS = selectList(REPORTED, 'messages');

/** A message of ours, as its events name it. */
export interface ReportedMessage extends MessageLabels {
  id: string;
  accountId: string;
  upstreamId: string | null;
  recipient: string;
  jobId: string | null;
  /** Of a recipient whom a user id names, where it is known. */
  username?: string | null;
}

/** A message that failed permanently, not by a callback. */
export interface FailedMessage extends ReportedMessage {
  failedAt: Date;
}

type NewStatus = Pick<MessageStatusChangedV1, 'status' | 'error' | 'pricing' | 'sendTrace' | 'late'> & { at: Date };

/** Returns the event of a new status. */
export function statusEvent(message: ReportedMessage, { at, ...status }: NewStatus): MessageStatusChangedV1 {
  const { upstreamId, username } = message;
  // Upstream may never have named it: the internal id lets the customer find the message.
  return {
    ...namesOf(message),
    upstreamId: upstreamId ?? message.id,
    username,
    ...status,
    timestamp: at.toISOString(),
  };
}

/** Publishes the failure of a message whose send got no reply that says so. */
export function publishFailure(tx: Pick<Transaction, 'publish'>, failed: FailedMessage, error: MessageError): void {
  tx.publish(messageStatusChangedV1, statusEvent(failed, { status: 'failed', error, at: failed.failedAt }));
}

/** Returns the event of a message that the platform accepted and holds back. */
export function heldEvent(
  message: ReportedMessage & { upstreamId: string },
  { reason, timestamp }: Pick<MessageHeldV1, 'reason' | 'timestamp'>,
): MessageHeldV1 {
  return { ...namesOf(message), upstreamId: message.upstreamId, reason, timestamp };
}

type Names = Pick<MessageHeldV1, 'id' | 'accountId' | 'to' | 'jobId'> & Required<MessageLabels>;

/** Fields that all events of a message have. */
function namesOf(message: ReportedMessage): Names {
  const { id, accountId, recipient: to, jobId } = message;
  return { id, accountId, to, jobId, ...labelsOf(message) };
}
