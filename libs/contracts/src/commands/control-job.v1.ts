import { IsIn, IsString } from 'class-validator';
import { command } from '../message-contract';
import { GetJobReply, SAMPLE_JOB } from './get-job.v1';

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
  description: 'Pauses, resumes or cancels a job; what was done before changes nothing. A job resumes only when its number and template can send. Refused with JOB_STATE_CONFLICT once the job has ended.',
  request: ControlJobCommand,
  response: GetJobReply,
  changes: true,
  timeoutMs: 15_000,
  sample: {
    request: { accountId: 'acc_01jd0000000000000000000000', jobId: 'job_01jd0000000000000000000000', action: 'pause' as JobAction },
    response: { job: SAMPLE_JOB },
  },
});
