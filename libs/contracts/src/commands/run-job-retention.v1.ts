import { IsBoolean, IsInt, IsOptional, IsString } from 'class-validator';
import { command } from '../message-contract';

export class RunJobRetentionCommand {
  /** One account only; every account with jobs when absent. */
  @IsOptional() @IsString() accountId?: string;
  /** Counts what would go, and changes nothing. */
  @IsBoolean() dryRun: boolean;
}

export class RunJobRetentionReply {
  /** What went in this step, or what would go in all. */
  @IsInt() jobs: number;
  @IsInt() recipients: number;
  /** False: ask again, there is more that is too old. */
  @IsBoolean() done: boolean;
}

export const runJobRetentionV1 = command({
  name: 'jobs.run-job-retention.v1',
  owner: 'jobs',
  description: "Removes a bounded part of the jobs that ended longer ago than their accounts' messages are kept, with their recipients.",
  request: RunJobRetentionCommand,
  response: RunJobRetentionReply,
  changes: true,
  timeoutMs: 60_000,
  sample: { request: { dryRun: false }, response: { jobs: 3, recipients: 5000, done: true } },
});
