import { Type } from 'class-transformer';
import { IsIn, IsInt, IsISO8601, IsOptional, IsString, ValidateNested } from 'class-validator';
import { JobError, type JobStatus } from '../commands/get-job.v1';
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
  /** Why it could not run; absent unless it failed. */
  @IsOptional() @ValidateNested() @Type(() => JobError) error?: JobError;
  /** The record's `completedAt`; the version before this one did not tell. */
  @IsOptional() @IsISO8601() timestamp?: string;
}

export const jobFinishedV1 = event({
  name: 'jobs.job.finished.v1',
  producer: 'jobs',
  consumers: ['gateway', 'webhooks'],
  description: 'A bulk job has ended: every recipient was attempted, or it was cancelled, or it could not run.',
  body: JobFinishedV1,
  sample: { accountId: 'acc_01jd0000000000000000000000', jobId: 'job_01jd0000000000000000000000', status: 'completed' as FinalJobStatus, total: 50_000, failed: 12, timestamp: '2026-03-02T10:15:04.120Z' },
});
