import {
  inParts,
  type JobMessageChange,
  jobMessagesChangedV1,
  type MessageStatusChangedV1,
  PART_BYTES,
} from '@switchboard/contracts';
import type { Transaction } from '@switchboard/database';

/** More would make one event that takes a consumer long. */
const CHANGES_PER_EVENT = 500;

/** News of a message; null instead of a job when it belongs to none. */
export interface MessageNews {
  accountId: string;
  jobId: string | null | undefined;
  change: JobMessageChange;
}

/**
 * Tells the jobs of their messages when the transaction commits: one event for all of a job, none for messages without
 * a job.
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

/** What customers are told of a message, as its job is told. */
export function newsOf({
  accountId,
  jobId,
  id,
  status,
  upstreamId,
  error,
  timestamp,
}: MessageStatusChangedV1): MessageNews {
  // Where upstream gave no identifier, customers are given ours.
  return {
    accountId,
    jobId,
    change: { messageId: id, status, upstreamId: upstreamId === id ? null : upstreamId, error, at: timestamp },
  };
}
