import type { Schemas } from '../../../api/client';
import { countText } from '../../../lib/formats';

export type Job = Schemas['Job'];
export type Outcome = NonNullable<Schemas['JobRecipient']['status']>;

export const isHeld = ({ status, pauseReason }: Job): boolean => status === 'paused' && pauseReason === 'HELD';
export const hasEnded = ({ status }: Job): boolean => ['completed', 'failed', 'cancelled'].includes(status);

export const countOf = (job: Job, outcome: Outcome): number => job[outcome] ?? 0;

/** Returns the number of rows with a final outcome for the job. */
export const doneOf = (job: Job): number => job.total - (job.duplicates ?? 0) - countOf(job, 'pending');

/** Returns the number of rows whose message was submitted to the platform. */
export const sentOf = (job: Job): number =>
  countOf(job, 'accepted') + countOf(job, 'sent') + countOf(job, 'delivered') + countOf(job, 'read');

/** Returns the number of rows that are not sent: failed, rejected or cancelled. */
export const notSentOf = (job: Job): number =>
  countOf(job, 'failed') + countOf(job, 'rejected') + countOf(job, 'cancelled');

/** Progress of the rows, such as `301 of 303 rows done`. Cancelled rows are not counted as done. */
export function progressText(job: Job): string {
  const cancelled = countOf(job, 'cancelled');
  const done = `${countText(doneOf(job) - cancelled)} of ${countText(job.total - (job.duplicates ?? 0))} rows done`;
  return cancelled > 0 ? `${done}, ${countText(cancelled)} cancelled` : done;
}

/** Returns whether the job is started and waits for its scheduled start. */
export const isScheduled = ({ status, scheduledAt }: Job): boolean =>
  status === 'queued' && scheduledAt !== null && new Date(scheduledAt).getTime() > Date.now();
