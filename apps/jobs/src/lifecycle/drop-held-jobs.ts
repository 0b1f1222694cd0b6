import { Injectable } from '@nestjs/common';
import { HELD_JOB_DAYS } from '@switchboard/contracts';
import { Transactions } from '@switchboard/database';
import { Every, CLEANUP_STATEMENT_MS } from '@switchboard/platform';
import { type FinishedJob, publishFinished } from '../jobs/job-events';
import { CANCEL_FORGOTTEN } from './lifecycle.queries';

const EVERY_MS = 600_000;

/**
 * Cancels held jobs that were never started, because they contain phone numbers. Retention then deletes them like other
 * finished jobs.
 */
@Injectable()
export class DropHeldJobs {
  constructor(private readonly transactions: Transactions) {}

  /** @returns true if there may be more jobs */
  @Every({ name: 'jobs.drop-held', everyMs: EVERY_MS, statementMs: CLEANUP_STATEMENT_MS })
  dropSome(): Promise<boolean> {
    return this.transactions.run(async (tx) => {
      const cancelled = await tx.query<FinishedJob>(CANCEL_FORGOTTEN, [HELD_JOB_DAYS]);
      for (const job of cancelled) publishFinished(tx, job);
      return cancelled.length > 0;
    });
  }
}
