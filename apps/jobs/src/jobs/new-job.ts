import type { JobQuietHours, MessageContent, SheetFormat, SheetWarning, SpendLimit } from '@switchboard/contracts';
import type { CheckedJob } from './job-check';

/** A job to be created. */
export interface NewJob {
  accountId: string;
  /** Chosen by the caller, so that a repeated request creates only one job. */
  jobId: string;
  type: 'bulk' | 'excel';
  message: MessageContent;
  name?: string;
  /** Business numbers to send from; absent for a job with one number. */
  numbers?: readonly string[];
  /** Start time. Immediately when absent. */
  scheduledAt?: Date;
  /** Time after which recipients that were not reached fail. Never when absent. */
  expireAt?: Date;
  /** Creates the job paused, until it is resumed. */
  hold?: boolean;
  /** Spend cap of the job. */
  maxSpend?: SpendLimit;
  /** Hours of the recipients' day in which the job sends nothing. */
  quietHours?: JobQuietHours;
  /** Time at which the caller stops waiting, on the clock of `performance.now()`. No job is created after this time. */
  deadline?: number;
  /** File from which the rows are read. Its warnings are complete once all rows have been pulled. */
  file?: { sheet: SheetFormat; warnings: SheetWarning[] };
  /** Result of `JobCheck.check`, if the caller has already run it. */
  checked?: CheckedJob;
}

/** Converts the options of a command, which has times as ISO 8601 strings. */
export function beginningOf({
  name,
  scheduledAt,
  expireAt,
  hold,
  maxSpend,
  quietHours,
}: {
  name?: string;
  scheduledAt?: string;
  expireAt?: string;
  hold?: boolean;
  maxSpend?: SpendLimit;
  quietHours?: JobQuietHours;
}): Pick<NewJob, 'name' | 'scheduledAt' | 'expireAt' | 'hold' | 'maxSpend' | 'quietHours'> {
  return {
    ...(name !== undefined && { name }),
    ...(scheduledAt !== undefined && { scheduledAt: new Date(scheduledAt) }),
    ...(expireAt !== undefined && { expireAt: new Date(expireAt) }),
    ...(hold !== undefined && { hold }),
    ...(maxSpend && { maxSpend }),
    ...(quietHours && { quietHours }),
  };
}
