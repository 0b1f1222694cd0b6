import { Type } from 'class-transformer';
import { IsIn, IsInt, IsOptional, IsString, ValidateNested } from 'class-validator';
import { command } from '../message-contract';

export const JOB_STATUSES = ['queued', 'processing', 'paused', 'completed', 'failed', 'cancelled'] as const;
export type JobStatus = (typeof JOB_STATUSES)[number];

export class GetJobCommand {
  @IsString() accountId: string;
  @IsString() jobId: string;
}

/** A bulk job as the API shows it (decisions 7). */
export class JobRecord {
  @IsString() jobId: string;
  @IsIn(['bulk', 'excel']) type: 'bulk' | 'excel';
  @IsIn(JOB_STATUSES) status: JobStatus;
  @IsOptional() @IsString() template: string | null;
  @IsInt() total: number;
  @IsString() createdAt: string;
}

export class GetJobReply {
  @ValidateNested() @Type(() => JobRecord) job: JobRecord;
}

export const getJobV1 = command({
  name: 'jobs.get-job.v1',
  owner: 'jobs',
  description: 'One bulk job of the account; NOT_FOUND when it has none of this id.',
  request: GetJobCommand,
  response: GetJobReply,
  timeoutMs: 5_000,
  sample: {
    request: { accountId: 'acc_01jd0000000000000000000000', jobId: 'job_01jd0000000000000000000000' },
    response: {
      job: {
        jobId: 'job_01jd0000000000000000000000',
        type: 'bulk',
        status: 'queued',
        template: 'order_update',
        total: 2,
        createdAt: '2026-03-02T10:15:00.000Z',
      },
    },
  },
});
