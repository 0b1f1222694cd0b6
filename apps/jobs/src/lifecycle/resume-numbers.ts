import { Injectable } from '@nestjs/common';
import { AppError, type MessageContent } from '@switchboard/contracts';
import { query, Transactions } from '@switchboard/database';
import { activity, Every } from '@switchboard/platform';
import { DataSource } from 'typeorm';
import { openLanes } from '../jobs/create-job.service';
import { JobCheck } from '../jobs/job-check';
import { setNumbers } from '../jobs/job-numbers';
import { FIND_STOPPED_NUMBERS } from './lifecycle.queries';

const EVERY_MS = 10_000;
/** Maximum number of jobs per run. The next run continues after the last of them. */
const JOBS_AT_A_TIME = 50;

/**
 * Resumes stopped numbers of running jobs once the cause is fixed. Paused jobs wait for a resume request, and jobs in
 * quiet hours for their end.
 */
@Injectable()
export class ResumeNumbers {
  /** Last job that was checked, or empty to start with the oldest. */
  private lastJobId = '';

  constructor(
    private readonly dataSource: DataSource,
    private readonly transactions: Transactions,
    private readonly jobCheck: JobCheck,
  ) {}

  @Every({ name: 'jobs.resume-numbers', everyMs: EVERY_MS, restsWhenIdle: true })
  async resumeSome(): Promise<void> {
    const jobs = await query<{
      accountId: string;
      jobId: string;
      message: MessageContent;
      stopped: string[];
      sending: string[];
    }>(this.dataSource, FIND_STOPPED_NUMBERS, [this.lastJobId, JOBS_AT_A_TIME]);
    if (jobs.length > 0) activity.note();
    this.lastJobId = jobs.length === JOBS_AT_A_TIME ? (jobs.at(-1)?.jobId ?? '') : '';
    for (const { accountId, jobId, message, stopped, sending } of jobs) {
      try {
        // The first template determines the variables, so numbers that already send come first.
        const each = await this.jobCheck.checkEach(accountId, message, [...sending, ...stopped], {
          freshTemplate: true,
        });
        const checked = {
          ...each.checked,
          numbers: each.checked.numbers?.filter(({ phoneNumber }) => stopped.includes(phoneNumber)),
        };
        const faults = new Map([...each.faults].filter(([number]) => stopped.includes(number)));
        await openLanes(this.dataSource, accountId, checked);
        await this.transactions.run((tx) => setNumbers(tx, { accountId, jobId }, { checked, faults }));
      } catch (error) {
        // No number can send yet, or messaging did not respond.
        if (!(error instanceof AppError)) throw error;
      }
    }
  }
}
