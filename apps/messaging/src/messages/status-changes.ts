import {
  inParts,
  type MessageError,
  messageStatusChangedV2,
  type MessageStatusChangedV1,
  PART_BYTES,
} from '@switchboard/contracts';
import type { Transaction } from '@switchboard/database';

/** About as many as the webhooks service stores in one statement. */
const CHANGES_PER_EVENT = 100;

/** A message that failed for good here, not by a callback. */
export interface FailedSend {
  id: string;
  accountId: string;
  upstreamId: string | null;
  recipient: string;
  /** Of a recipient whom a user id names, where it is known. */
  username?: string | null;
  clientRef: string | null;
  jobId: string | null;
  failedAt: Date;
}

/** Tells customers of new statuses when the transaction commits: together, as each message of the broker costs. */
export function publishStatusChanges(
  tx: Pick<Transaction, 'publish'>,
  changes: readonly MessageStatusChangedV1[],
): void {
  for (const part of inParts(changes, { items: CHANGES_PER_EVENT, bytes: PART_BYTES }))
    tx.publish(messageStatusChangedV2, { changes: part });
}

/** What customers are told of a failure that no call of theirs was answered with. */
export function failureOf(failed: FailedSend, error: MessageError): MessageStatusChangedV1 {
  const { id, accountId, upstreamId, recipient, username, clientRef, jobId, failedAt } = failed;
  return {
    accountId,
    id,
    // Upstream never named it: our own id lets the customer find the message.
    upstreamId: upstreamId ?? id,
    to: recipient,
    username,
    status: 'failed',
    error,
    clientRef,
    jobId,
    timestamp: failedAt.toISOString(),
  };
}
