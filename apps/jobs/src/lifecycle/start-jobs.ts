import { Injectable } from '@nestjs/common';
import { AppError, type MessageContent, type SpendLimit } from '@switchboard/contracts';
import { dueIn, query, Transactions } from '@switchboard/database';
import { activity, Every } from '@switchboard/platform';
import { DataSource } from 'typeorm';
import { openLanes } from '../jobs/create-job.service';
import { JobCheck } from '../jobs/job-check';
import { type FinishedJob, type PausedJob, publishFinished, publishPaused } from '../jobs/job-events';
import { pauseReasonOf, setNumbers } from '../jobs/job-numbers';
import { FAIL_DUE_JOB, FIND_DUE_JOBS, NEXT_DUE_JOB, PAUSE_DUE_JOB, START_JOB } from './lifecycle.queries';

/** Maximum delay of a job's start. */
const START_EVERY_MS = 200;

interface DueJob {
  accountId: string;
  jobId: string;
  message: MessageContent;
  /** Numbers of the job if it has several. */
  numbers: string[];
  maxSpend: SpendLimit | null;
  isScheduled: boolean;
}

/** Starts due jobs. Safe to run in several processes concurrently. */
@Injectable()
export class StartJobs {
  constructor(
    private readonly dataSource: DataSource,
    private readonly transactions: Transactions,
    private readonly jobCheck: JobCheck,
  ) {}

  /** @returns true if jobs were started, or the time until the next one is due */
  @Every({ name: 'jobs.start', everyMs: START_EVERY_MS, restsWhenIdle: true })
  async startDue(): Promise<boolean | number> {
    let hasStarted = false;
    for (const job of await query<DueJob>(this.dataSource, FIND_DUE_JOBS)) {
      if (job.isScheduled && !(await this.mayBegin(job))) continue;
      // The other processes release the recipients if this one is killed after the statement.
      activity.note();
      await query(this.dataSource, START_JOB, [job.accountId, job.jobId]);
      hasStarted = true;
    }
    return hasStarted || dueIn(this.dataSource, NEXT_DUE_JOB, START_EVERY_MS);
  }

  /** Checks a scheduled job in the same way as a new job. */
  private async mayBegin({ accountId, jobId, message, numbers, maxSpend }: DueJob): Promise<boolean> {
    try {
      const checks =
        numbers.length > 0
          ? await this.jobCheck.checkEach(accountId, message, numbers, { maxSpend })
          : {
              checked: await this.jobCheck.check(accountId, message, { maxSpend }),
              faults: new Map<string, AppError>(),
            };
      await this.transactions.run((tx) => setNumbers(tx, { accountId, jobId }, checks));
      await openLanes(this.dataSource, accountId, checks.checked);
      return true;
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      // Messaging did not respond. The next run tries again.
      if (error.code === 'UNAVAILABLE') return false;
      await this.stop({ accountId, jobId }, error);
      return false;
    }
  }

  private async stop({ accountId, jobId }: { accountId: string; jobId: string }, refusal: AppError): Promise<void> {
    const reason = pauseReasonOf(refusal);
    await this.transactions.run(async (tx) => {
      if (reason !== undefined) {
        const [paused] = await tx.query<Pick<PausedJob, 'pausedAt' | 'name'>>(PAUSE_DUE_JOB, [
          accountId,
          jobId,
          reason,
        ]);
        if (paused) publishPaused(tx, { accountId, jobId, reason, ...paused });
        return;
      }
      const error = { code: refusal.code, message: refusal.message };
      const [job] = await tx.query<
        Pick<FinishedJob, 'name' | 'total' | 'failed' | 'completedAt'> & { pending: number }
      >(FAIL_DUE_JOB, [accountId, jobId, JSON.stringify(error)]);
      if (!job) return;
      const { name, total, failed, pending, completedAt } = job;
      const ended = { accountId, jobId, name, status: 'failed' as const, completedAt, error };
      publishFinished(tx, { ...ended, total, failed: failed + pending });
    });
  }
}
