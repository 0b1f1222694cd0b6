import { Type } from 'class-transformer';
import { IsIn, IsInt, IsObject, IsOptional, IsString, ValidateNested } from 'class-validator';
import { command } from '../message-contract';

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
  /** Whoever is not reached by then has failed; null for no such time. Each pause moves it by its length when it ends. */
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
