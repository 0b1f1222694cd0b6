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

/** SQL for the columns of a `ReportedMessage`. */
export const REPORTED_COLUMNS = selectList(REPORTED, 'messages');

/** An outbound message as its events identify it. */
export interface ReportedMessage extends MessageLabels {
  id: string;
  accountId: string;
  upstreamId: string | null;
  recipient: string;
  jobId: string | null;
  /** Known only for recipients with a user id. */
  username?: string | null;
  /** Known only for recipients with a user id. */
  parentUserId?: string | null;
}

/** A message that failed permanently without a callback. */
export interface FailedMessage extends ReportedMessage {
  failedAt: Date;
}

type NewStatus = Pick<MessageStatusChangedV1, 'status' | 'error' | 'pricing' | 'sendTrace' | 'late'> & { at: Date };

export function statusEvent(message: ReportedMessage, { at, ...status }: NewStatus): MessageStatusChangedV1 {
  const { upstreamId, username, parentUserId } = message;
  // Use the internal id if upstream assigned none.
  return {
    ...namesOf(message),
    upstreamId: upstreamId ?? message.id,
    username,
    ...(parentUserId && { parentUserId }),
    ...status,
    timestamp: at.toISOString(),
  };
}

/** Publishes a permanent failure that no reply to the send has reported. */
export function publishFailure(tx: Pick<Transaction, 'publish'>, failed: FailedMessage, error: MessageError): void {
  tx.publish(messageStatusChangedV1, statusEvent(failed, { status: 'failed', error, at: failed.failedAt }));
}

/** Returns the event of a message that the platform accepted but is holding back. */
export function heldEvent(
  message: ReportedMessage & { upstreamId: string },
  { reason, timestamp }: Pick<MessageHeldV1, 'reason' | 'timestamp'>,
): MessageHeldV1 {
  return { ...namesOf(message), upstreamId: message.upstreamId, reason, timestamp };
}

type Names = Pick<MessageHeldV1, 'id' | 'accountId' | 'to' | 'jobId'> & Required<MessageLabels>;

function namesOf(message: ReportedMessage): Names {
  const { id, accountId, recipient: to, jobId } = message;
  return { id, accountId, to, jobId, ...labelsOf(message) };
}
