import type { Transaction } from '@switchboard/database';
import { type FinishedJob, publishFinished } from '../jobs/job-events';
import { FINISH_JOBS } from './outcomes.queries';

/**
 * Finishes jobs with nothing left to do and publishes their end. Call it wherever counts have changed. Cancelled and
 * failed jobs have already been reported.
 */
export async function finishJobs(tx: Transaction, jobIds: readonly string[]): Promise<void> {
  const finished = await tx.queryPrepared<FinishedJob>(FINISH_JOBS, [jobIds]);
  for (const job of finished) if (job.status === 'completed') publishFinished(tx, job);
}
