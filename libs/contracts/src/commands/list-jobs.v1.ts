import { Type } from 'class-transformer';
import { IsArray, IsIn, IsOptional, ValidateNested } from 'class-validator';
import { PageReply, PageRequest } from '../lists';
import { command } from '../message-contract';
import { JOB_STATUSES, JobRecord, type JobStatus, SAMPLE_JOB } from './get-job.v1';

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
