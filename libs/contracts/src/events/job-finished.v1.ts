import { IsIn, IsInt, IsString } from 'class-validator';
import type { JobStatus } from '../commands/get-job.v1';
import { event } from '../message-contract';

export const FINAL_JOB_STATUSES = ['completed', 'failed', 'cancelled'] as const satisfies JobStatus[];
export type FinalJobStatus = (typeof FINAL_JOB_STATUSES)[number];

export class JobFinishedV1 {
  @IsString() accountId: string;
  @IsString() jobId: string;
  @IsIn(FINAL_JOB_STATUSES) status: FinalJobStatus;
  @IsInt() total: number;
  /** So far: later callbacks may add some. */
  @IsInt() failed: number;
}

export const jobFinishedV1 = event({
  name: 'jobs.job.finished.v1',
  producer: 'jobs',
  consumers: ['gateway'],
  description: 'A bulk job has ended: every recipient was attempted, or it was cancelled, or it could not run.',
  body: JobFinishedV1,
  sample: { accountId: 'acc_01jd0000000000000000000000', jobId: 'job_01jd0000000000000000000000', status: 'completed' as FinalJobStatus, total: 50_000, failed: 12 },
});
