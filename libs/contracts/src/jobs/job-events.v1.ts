import { IsIn, IsInt, IsISO8601, IsOptional, IsString } from 'class-validator';
import { Nested } from '../body-docs';
import { event } from '../message-contract';
import { JobError, type JobStatus, PAUSE_REASONS, type PauseReason } from './jobs.v1';

export class JobPausedV1 {
  @IsString() accountId: string;
  @IsString() jobId: string;
  /** Name of the job; absent without one. */
  @IsOptional() @IsString() name?: string;
  @IsIn(PAUSE_REASONS) reason: PauseReason;
  /** Time of the pause; absent if the previous version published the event. */
  @IsOptional() @IsISO8601() timestamp?: string;
}

export const jobPausedV1 = event({
  name: 'jobs.job.paused.v1',
  producer: 'jobs',
  consumers: ['gateway', 'webhooks'],
  description: 'A bulk job was paused, by request or automatically. Its owner should be notified.',
  body: JobPausedV1,
  sample: {
    accountId: 'acc_01jd0000000000000000000000',
    jobId: 'job_01jd0000000000000000000000',
    name: 'Order updates, Monday',
    reason: 'TEMPLATE_NOT_APPROVED' as PauseReason,
    timestamp: '2026-03-02T10:15:04.120Z',
  },
});

export const FINAL_JOB_STATUSES = ['completed', 'failed', 'cancelled'] as const satisfies JobStatus[];
export type FinalJobStatus = (typeof FINAL_JOB_STATUSES)[number];

export class JobFinishedV1 {
  @IsString() accountId: string;
  @IsString() jobId: string;
  /** Name of the job; absent without one. */
  @IsOptional() @IsString() name?: string;
  @IsIn(FINAL_JOB_STATUSES) status: FinalJobStatus;
  @IsInt() total: number;
  /** Failures known so far; later status callbacks may add more. */
  @IsInt() failed: number;
  /** Reason why the job failed; present only if it did. */
  @IsOptional() @Nested(() => JobError) error?: JobError;
  /** `completedAt` of the job; absent if the previous version published the event. */
  @IsOptional() @IsISO8601() timestamp?: string;
}

export const jobFinishedV1 = event({
  name: 'jobs.job.finished.v1',
  producer: 'jobs',
  consumers: ['gateway', 'webhooks'],
  description: 'A bulk job ended: every recipient was attempted, it was cancelled, or it could not run.',
  body: JobFinishedV1,
  sample: {
    accountId: 'acc_01jd0000000000000000000000',
    jobId: 'job_01jd0000000000000000000000',
    name: 'Order updates, Monday',
    status: 'completed' as FinalJobStatus,
    total: 50_000,
    failed: 12,
    timestamp: '2026-03-02T10:15:04.120Z',
  },
});
