import {
  type FinalJobStatus,
  jobFinishedV1,
  jobPausedV1,
  type JobError,
  type PauseReason,
} from '@switchboard/contracts';
import type { Transaction } from '@switchboard/database';

export interface PausedJob {
  accountId: string;
  jobId: string;
  reason: PauseReason;
  pausedAt: Date;
}

export interface FinishedJob {
  accountId: string;
  jobId: string;
  status: FinalJobStatus;
  total: number;
  failed: number;
  completedAt: Date;
  /** Why the job could not run. */
  error?: JobError;
}

/** Publishes a pause when the transaction commits. */
export function publishPaused(tx: Transaction, { pausedAt, ...paused }: PausedJob): void {
  tx.publish(jobPausedV1, { ...paused, timestamp: pausedAt.toISOString() });
}

/** Publishes a job's end when the transaction commits. */
export function publishFinished(tx: Transaction, { completedAt, ...finished }: FinishedJob): void {
  tx.publish(jobFinishedV1, { ...finished, timestamp: completedAt.toISOString() });
}
