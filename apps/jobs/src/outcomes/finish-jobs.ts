import type { Transaction } from '@switchboard/database';
import { type FinishedJob, publishFinished } from '../jobs/job-events';
import { FINISH_JOBS } from './outcomes.queries';

/**
 * Ends the jobs of which nothing is left to do; call it wherever counts have changed. The others were told when they
 * were cancelled or failed.
 */
export async function finishJobs(tx: Transaction, jobIds: readonly string[]): Promise<void> {
  const finished = await tx.queryPrepared<FinishedJob>(FINISH_JOBS, [jobIds]);
  for (const job of finished) if (job.status === 'completed') publishFinished(tx, job);
}
