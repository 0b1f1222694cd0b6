import {
  dataChangedV1,
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
  name: string | null;
  reason: PauseReason;
  pausedAt: Date;
}

export interface FinishedJob {
  accountId: string;
  jobId: string;
  name: string | null;
  status: FinalJobStatus;
  total: number;
  failed: number;
  completedAt: Date;
  /** Why the job could not run. */
  error?: JobError;
}

/** Publishes a pause when the transaction commits. */
export function publishPaused(tx: Transaction, { pausedAt, name, ...paused }: PausedJob): void {
  tx.publish(jobPausedV1, { ...paused, ...(name !== null && { name }), timestamp: pausedAt.toISOString() });
  publishProgress(tx, [paused]);
}

/** Publishes a job's end when the transaction commits. */
export function publishFinished(tx: Transaction, { completedAt, name, ...finished }: FinishedJob): void {
  tx.publish(jobFinishedV1, { ...finished, ...(name !== null && { name }), timestamp: completedAt.toISOString() });
  publishProgress(tx, [finished]);
}

/** Notifies the dashboard of changed jobs when the transaction commits. */
export function publishProgress(tx: Transaction, jobs: readonly { accountId: string; jobId: string }[]): void {
  const each = new Map(jobs.map(({ accountId, jobId }) => [jobId, { accountId, kind: 'job' as const, ids: [jobId] }]));
  tx.publish(dataChangedV1, { changes: [...each.values()] });
}
