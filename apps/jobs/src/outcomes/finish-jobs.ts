import { jobFinishedV1 } from '@switchboard/contracts';
import type { Transaction } from '@switchboard/database';
import { FINISH_JOBS } from './outcomes.queries';

interface FinishedJob {
  accountId: string;
  jobId: string;
  status: 'completed' | 'failed' | 'cancelled';
  total: number;
  failed: number;
}

/** Ends the jobs of which nothing is left to do; call it wherever counts have changed. The others were told when they were cancelled or failed. */
export async function finishJobs(tx: Transaction, jobIds: readonly string[]): Promise<void> {
  const finished = await tx.queryPrepared<FinishedJob>(FINISH_JOBS, [jobIds]);
  for (const job of finished) if (job.status === 'completed') tx.publish(jobFinishedV1, job);
}
