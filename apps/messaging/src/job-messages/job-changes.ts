import {
  inParts,
  type JobMessageChange,
  jobMessagesChangedV1,
  type MessageStatusChangedV1,
  PART_BYTES,
} from '@switchboard/contracts';
import type { Transaction } from '@switchboard/database';

/** Maximum number of changes per event. A consumer would take long to process larger events. */
const CHANGES_PER_EVENT = 500;

/** A change of a message. `jobId` is absent if the message belongs to no job. */
export interface MessageNews {
  accountId: string;
  jobId: string | null | undefined;
  change: JobMessageChange;
}

/**
 * Publishes the changes of messages to their jobs when the transaction commits. One event per job, unless it gets too
 * large; none for messages without a job.
 */
export function publishJobChanges(tx: Pick<Transaction, 'publish'>, news: readonly MessageNews[]): void {
  const byJob = new Map<string, { accountId: string; jobId: string; changes: JobMessageChange[] }>();
  for (const { accountId, jobId, change } of news) {
    if (!jobId) continue;
    const known = byJob.get(jobId) ?? { accountId, jobId, changes: [] };
    known.changes.push(change);
    byJob.set(jobId, known);
  }
  for (const { changes, ...job } of byJob.values()) {
    for (const part of inParts(changes, { items: CHANGES_PER_EVENT, bytes: PART_BYTES }))
      tx.publish(jobMessagesChangedV1, { ...job, changes: part });
  }
}

/** Converts a published status event to the change for the job. */
export function newsOf({
  accountId,
  jobId,
  id,
  status,
  upstreamId,
  error,
  timestamp,
}: MessageStatusChangedV1): MessageNews {
  // Status events contain the internal id if upstream assigned none.
  return {
    accountId,
    jobId,
    change: { messageId: id, status, upstreamId: upstreamId === id ? null : upstreamId, error, at: timestamp },
  };
}
