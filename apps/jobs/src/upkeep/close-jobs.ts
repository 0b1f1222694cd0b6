import { Injectable } from '@nestjs/common';
import type { JobError, JobStatus, MessageError } from '@switchboard/contracts';
import { query, Transactions } from '@switchboard/database';
import { DataSource } from 'typeorm';
import { finishJobs } from '../outcomes/finish-jobs';
import { CLOSE_RECIPIENTS, FIND_CLOSING_JOBS, LOCK_CLOSING_JOB } from './upkeep.queries';

/** Recipients of one transaction, which holds their job meanwhile. */
const STEP_RECIPIENTS = 2_000;

/** Why recipients failed whom a job did not reach in time. */
export const JOB_EXPIRED: MessageError = {
  code: 0,
  title: 'Job expired',
  message: "the job's expireAt passed before this recipient was sent to",
  category: 'other',
  retriable: true,
};

/** Gives those their final state who will not be sent to any more: the job was cancelled, could not run, or has expired. */
@Injectable()
export class CloseJobs {
  constructor(
    private readonly dataSource: DataSource,
    private readonly transactions: Transactions,
  ) {}

  /** One step of each. @returns whether there may be more to do */
  async closeSome(): Promise<boolean> {
    const jobs = await query<{ accountId: string; jobId: string }>(this.dataSource, FIND_CLOSING_JOBS);
    for (const { accountId, jobId } of jobs) {
      await this.transactions.run(async (tx) => {
        const [job] = await tx.query<{ status: JobStatus; error: JobError | null }>(LOCK_CLOSING_JOB, [accountId, jobId]);
        if (!job) return;
        const outcome = job.status === 'cancelled' ? 'cancelled' : 'failed';
        const error = outcome === 'failed' ? JSON.stringify(reasonOf(job.error)) : null;
        await tx.query(CLOSE_RECIPIENTS, [accountId, jobId, outcome, error, STEP_RECIPIENTS]);
        await finishJobs(tx, [jobId]);
      });
    }
    return jobs.length > 0;
  }
}

function reasonOf(error: JobError | null): MessageError {
  return error ? { code: 0, title: 'Job failed', message: error.message, category: 'other', retriable: false } : JOB_EXPIRED;
}
