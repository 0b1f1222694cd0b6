import { Type } from 'class-transformer';
import { IsArray, IsIn, IsInt, IsISO8601, IsObject, IsOptional, IsString, ValidateNested } from 'class-validator';
import { PageReply, PageRequest } from '../lists';
import { command, event } from '../message-contract';

export const JOB_STATUSES = ['queued', 'processing', 'paused', 'completed', 'failed', 'cancelled'] as const;
export type JobStatus = (typeof JOB_STATUSES)[number];

/** Why a job is paused; null while it is not. */
export const PAUSE_REASONS = ['REQUESTED', 'TEMPLATE_NOT_APPROVED', 'NUMBER_STOPPED', 'TOO_MANY_FAILURES'] as const;
export type PauseReason = (typeof PAUSE_REASONS)[number];

export class GetJobCommand {
  @IsString() accountId: string;
  @IsString() jobId: string;
}

/** Why a job itself could not run; `code` is one of the API's. */
export class JobError {
  @IsString() code: string;
  @IsString() message: string;
}

/**
 * A bulk job as the API shows it (spec §8.5). Each recipient counts where it stands now, so that
 * `total` is the sum of the counts from `pending` to `duplicates`.
 */
export class JobRecord {
  @IsString() jobId: string;
  @IsIn(['bulk', 'excel']) type: 'bulk' | 'excel';
  @IsIn(JOB_STATUSES) status: JobStatus;
  @IsOptional() @IsString() template: string | null;
  @IsInt() total: number;
  /** Not sent yet, or sent without a known outcome. */
  @IsOptional() @IsInt() pending?: number;
  @IsOptional() @IsInt() accepted?: number;
  @IsOptional() @IsInt() sent?: number;
  @IsOptional() @IsInt() delivered?: number;
  @IsOptional() @IsInt() read?: number;
  @IsOptional() @IsInt() failed?: number;
  @IsOptional() @IsInt() cancelled?: number;
  @IsOptional() @IsInt() rejected?: number;
  @IsOptional() @IsInt() duplicates?: number;
  @IsOptional() @IsIn(PAUSE_REASONS) pauseReason?: PauseReason | null;
  @IsOptional() @IsObject() @ValidateNested() @Type(() => JobError) error?: JobError | null;
  /** The number that sends. */
  @IsOptional() @IsString() from?: string | null;
  /** The job whose failed recipients this one tries again. */
  @IsOptional() @IsString() retryOf?: string | null;
  @IsString() createdAt: string;
  @IsOptional() @IsString() scheduledAt?: string | null;
  @IsOptional() @IsString() startedAt?: string | null;
  @IsOptional() @IsString() completedAt?: string | null;
  /**
   * Whoever is not reached by then has failed; null for no such time. Each pause moves it by its length when it ends.
   */
  @IsOptional() @IsString() expireAt?: string | null;
}

/** For the samples of all contracts that hold a job. */
export const SAMPLE_JOB: JobRecord = {
  jobId: 'job_01jd0000000000000000000000',
  type: 'bulk',
  status: 'processing',
  template: 'order_update',
  total: 4,
  pending: 1,
  accepted: 0,
  sent: 0,
  delivered: 1,
  read: 0,
  failed: 0,
  cancelled: 0,
  rejected: 1,
  duplicates: 1,
  pauseReason: null,
  error: null,
  from: '15550783881',
  retryOf: null,
  createdAt: '2026-03-02T10:15:00.000Z',
  scheduledAt: null,
  startedAt: '2026-03-02T10:15:00.120Z',
  completedAt: null,
  expireAt: '2026-03-03T10:15:00.000Z',
};

export class GetJobReply {
  @ValidateNested() @Type(() => JobRecord) job: JobRecord;
}

export const getJobV1 = command({
  name: 'jobs.get-job.v1',
  owner: 'jobs',
  description: 'One bulk job of the account; NOT_FOUND when it has none of this id.',
  request: GetJobCommand,
  response: GetJobReply,
  changes: false,
  timeoutMs: 5_000,
  sample: {
    request: { accountId: 'acc_01jd0000000000000000000000', jobId: 'job_01jd0000000000000000000000' },
    response: { job: SAMPLE_JOB },
  },
});

export class ListJobsCommand extends PageRequest {
  @IsOptional() @IsIn(JOB_STATUSES) status?: JobStatus;
}

export class ListJobsReply extends PageReply {
  @IsArray() @ValidateNested({ each: true }) @Type(() => JobRecord) jobs: JobRecord[];
}

export const listJobsV1 = command({
  name: 'jobs.list-jobs.v1',
  owner: 'jobs',
  description: "One page of an account's bulk jobs, newest first.",
  request: ListJobsCommand,
  response: ListJobsReply,
  changes: false,
  timeoutMs: 5_000,
  sample: {
    request: { accountId: 'acc_01jd0000000000000000000000', page: 1, limit: 20 },
    response: { jobs: [SAMPLE_JOB], total: 1, totalIsExact: true, hasNext: false, nextCursor: null },
  },
});

export const JOB_ACTIONS = ['pause', 'resume', 'cancel'] as const;
export type JobAction = (typeof JOB_ACTIONS)[number];

export class ControlJobCommand {
  @IsString() accountId: string;
  @IsString() jobId: string;
  @IsIn(JOB_ACTIONS) action: JobAction;
}

export const controlJobV1 = command({
  name: 'jobs.control-job.v1',
  owner: 'jobs',
  description:
    'Pauses, resumes or cancels a job; what was done before changes nothing. A job resumes only when its number and template can send. Refused with JOB_STATE_CONFLICT once the job has ended.',
  request: ControlJobCommand,
  response: GetJobReply,
  changes: true,
  timeoutMs: 15_000,
  sample: {
    request: {
      accountId: 'acc_01jd0000000000000000000000',
      jobId: 'job_01jd0000000000000000000000',
      action: 'pause' as JobAction,
    },
    response: { job: SAMPLE_JOB },
  },
});

export class JobPausedV1 {
  @IsString() accountId: string;
  @IsString() jobId: string;
  @IsIn(PAUSE_REASONS) reason: PauseReason;
  /** When; the version before this one did not tell. */
  @IsOptional() @IsISO8601() timestamp?: string;
}

export const jobPausedV1 = event({
  name: 'jobs.job.paused.v1',
  producer: 'jobs',
  consumers: ['gateway', 'webhooks'],
  description: 'A bulk job was paused, by request or by itself: its owner should know why.',
  body: JobPausedV1,
  sample: {
    accountId: 'acc_01jd0000000000000000000000',
    jobId: 'job_01jd0000000000000000000000',
    reason: 'TEMPLATE_NOT_APPROVED' as PauseReason,
    timestamp: '2026-03-02T10:15:04.120Z',
  },
});

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
  sample: {
    accountId: 'acc_01jd0000000000000000000000',
    jobId: 'job_01jd0000000000000000000000',
    status: 'completed' as FinalJobStatus,
    total: 50_000,
    failed: 12,
    timestamp: '2026-03-02T10:15:04.120Z',
  },
});
