import type { MessageContent, SheetFormat, SheetWarning } from '@switchboard/contracts';
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
  /** It waits, paused, until somebody resumes it. */
  hold?: boolean;
  /** When the caller stops waiting, of `performance.now()`: a job that is not made by then is not made. */
  deadline?: number;
  /** File of the rows; its warnings are complete when all rows were pulled. */
  file?: { sheet: SheetFormat; warnings: SheetWarning[] };
  /** What `JobCheck.check` said, when it was asked already. */
  checked?: CheckedJob;
}

/** How a command wants its job to begin; its times are ISO 8601. */
export function beginningOf({
  scheduledAt,
  expireAt,
  hold,
}: {
  scheduledAt?: string;
  expireAt?: string;
  hold?: boolean;
}): Pick<NewJob, 'scheduledAt' | 'expireAt' | 'hold'> {
  return {
    ...(scheduledAt !== undefined && { scheduledAt: new Date(scheduledAt) }),
    ...(expireAt !== undefined && { expireAt: new Date(expireAt) }),
    ...(hold !== undefined && { hold }),
  };
}
