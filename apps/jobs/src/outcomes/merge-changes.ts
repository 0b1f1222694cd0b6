import type { JobMessageChange, JobMessageStatus, MessageError } from '@switchboard/contracts';
import { positionOf } from '../recipients/message-ids';
import { rankOf, type RecipientState } from '../recipients/recipient-states';

/** A change of a message: either an event, or the result of a query to messaging (`none`, `unknown`). */
export type Change = Omit<JobMessageChange, 'status'> & { status: JobMessageStatus | 'none' | 'unknown' };

/** Changes of one job. */
export interface JobChanges {
  accountId: string;
  jobId: string;
  changes: readonly Change[];
}

/** Merged changes of one recipient. */
export interface RecipientChange {
  jobId: string;
  position: number;
  messageId: string;
  /** Furthest state. Null if the message was not sent and waits for another release. */
  state: RecipientState | null;
  /** Pause of this recipient in milliseconds. Used only if the state is null. */
  restMs: number;
  upstreamId: string | null;
  error: MessageError | null;
  acceptedAt: string | null;
  sentAt: string | null;
  deliveredAt: string | null;
  readAt: string | null;
  failedAt: string | null;
  /** Number that sent the message or that must send it; null if messaging reported none. */
  businessNumber: string | null;
}

const TIME_OF = {
  accepted: 'acceptedAt',
  sent: 'sentAt',
  delivered: 'deliveredAt',
  read: 'readAt',
  failed: 'failedAt',
} as const;
const NOT_SENT: readonly string[] = ['throttled', 'held', 'none'];

/** Merges changes into one per recipient, whatever their order. Skips changes that identify no recipient. */
export function mergeChanges(jobs: readonly JobChanges[]): RecipientChange[] {
  const merged = new Map<string, RecipientChange>();
  for (const { jobId, changes } of jobs) {
    for (const change of changes) {
      const position = positionOf(change.messageId);
      if (position === null) continue;
      const key = `${jobId} ${change.messageId}`;
      merged.set(key, add(merged.get(key) ?? nothingOf(jobId, position, change.messageId), change));
    }
  }
  return [...merged.values()];
}

function nothingOf(jobId: string, position: number, messageId: string): RecipientChange {
  const times = { acceptedAt: null, sentAt: null, deliveredAt: null, readAt: null, failedAt: null };
  return {
    jobId,
    position,
    messageId,
    state: null,
    restMs: 0,
    upstreamId: null,
    error: null,
    businessNumber: null,
    ...times,
  };
}

function add(
  known: RecipientChange,
  { status, upstreamId, error, scope, retryAfterMs, from, at }: Change & { scope?: string },
): RecipientChange {
  if (NOT_SENT.includes(status)) {
    const restMs = status === 'throttled' && scope === 'recipient' ? (retryAfterMs ?? 0) : 0;
    return { ...known, restMs: Math.max(known.restMs, restMs), businessNumber: from ?? known.businessNumber };
  }
  const state = status as RecipientState;
  const isFurther = known.state === null || rankOf(state) > rankOf(known.state);
  const time = TIME_OF[state as keyof typeof TIME_OF] as (typeof TIME_OF)[keyof typeof TIME_OF] | undefined;
  return {
    ...known,
    ...(time && { [time]: known[time] ?? at }),
    upstreamId: known.upstreamId ?? upstreamId ?? null,
    businessNumber: from ?? known.businessNumber,
    ...(isFurther && { state, error: state === 'failed' ? (error ?? null) : null }),
  };
}
