import type { MessageContent } from '@switchboard/contracts';
import type { CheckedJob } from './job-check';

/** A job that is to be made. */
export interface NewJob {
  accountId: string;
  /** Chosen by the caller: the same job again is made once. */
  jobId: string;
  type: 'bulk' | 'excel';
  message: MessageContent;
  /** At once when absent. */
  scheduledAt?: Date;
  /** Who is not reached by then fails; there is no such time when absent. */
  expireAt?: Date;
  /** When the caller stops waiting, of `performance.now()`: a job that is not made by then is not made. */
  deadline?: number;
  /** What `JobCheck.check` said, when it was asked already. */
  checked?: CheckedJob;
}

/** The times that a command gives for its job, as ISO 8601. */
export function timesOf({
  scheduledAt,
  expireAt,
}: {
  scheduledAt?: string;
  expireAt?: string;
}): Pick<NewJob, 'scheduledAt' | 'expireAt'> {
  return {
    ...(scheduledAt !== undefined && { scheduledAt: new Date(scheduledAt) }),
    ...(expireAt !== undefined && { expireAt: new Date(expireAt) }),
  };
}
