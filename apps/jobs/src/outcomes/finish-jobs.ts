import type { Transaction } from '@switchboard/database';
import { type FinishedJob, publishFinished } from '../jobs/job-events';
import { FINISH_JOBS } from './outcomes.queries';

/**
 * Finishes jobs that have no recipients left to send to, and publishes their end. Call it after every change of counts.
 * The end of cancelled and failed jobs has already been published.
 */
export async function finishJobs(tx: Transaction, jobIds: readonly string[]): Promise<void> {
  const finished = await tx.queryPrepared<FinishedJob>(FINISH_JOBS, [jobIds]);
  for (const job of finished) if (job.status === 'completed') publishFinished(tx, job);
}
