import { IsIn, IsISO8601, IsOptional, IsString } from 'class-validator';
import { PAUSE_REASONS, type PauseReason } from '../commands/get-job.v1';
import { event } from '../message-contract';

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
  sample: { accountId: 'acc_01jd0000000000000000000000', jobId: 'job_01jd0000000000000000000000', reason: 'TEMPLATE_NOT_APPROVED' as PauseReason, timestamp: '2026-03-02T10:15:04.120Z' },
});
