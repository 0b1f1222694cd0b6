import { IsString } from 'class-validator';
import { command } from '../message-contract';
import { CreatedJob, createJobV1 } from './create-job.v1';

export class RetryFailedCommand {
  @IsString() accountId: string;
  /** The job whose failed recipients are tried again. */
  @IsString() jobId: string;
  /** The new job's, chosen by the caller. */
  @IsString() newJobId: string;
}

export const retryFailedV1 = command({
  name: 'jobs.retry-failed.v1',
  owner: 'jobs',
  description: 'Makes a new job of the recipients of a job that have failed so far; INVALID_VALUE when there is none.',
  request: RetryFailedCommand,
  response: CreatedJob,
  changes: true,
  timeoutMs: 60_000,
  sample: {
    request: { accountId: 'acc_01jd0000000000000000000000', jobId: 'job_01jd0000000000000000000000', newJobId: 'job_01jd0000000000000000000001' },
    response: createJobV1.sample.response,
  },
});
