import { type QueueState, timeOfId } from '@switchboard/contracts';

export interface QueueRow {
  assigneeId: string | null;
  done: boolean;
  /** First inbound message since the newest answer. */
  waitingId: string | null;
}

/** Converts the columns of a conversation to its queue state. */
export function queueStateOf({ assigneeId, done, waitingId }: QueueRow): QueueState {
  const waitingSince = waitingId === null ? null : timeOfId('msg', waitingId);
  return { assigneeId, done, waitingSince: waitingSince?.toISOString() ?? null };
}
