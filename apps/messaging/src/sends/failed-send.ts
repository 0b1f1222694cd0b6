import { type MessageError, messageStatusChangedV1 } from '@switchboard/contracts';
import type { Transaction } from '@switchboard/database';

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

/** Tells the customer of a failure that no call of theirs was answered with. */
export function publishFailure(tx: Pick<Transaction, 'publish'>, failed: FailedSend, error: MessageError): void {
  const { id, accountId, upstreamId, recipient, username, clientRef, jobId, failedAt } = failed;
  tx.publish(messageStatusChangedV1, {
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
  });
}
