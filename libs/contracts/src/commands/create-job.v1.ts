import { Type } from 'class-transformer';
import { ArrayMaxSize, IsArray, IsIn, IsInt, IsISO8601, IsObject, IsOptional, IsString, Min, ValidateNested } from 'class-validator';
import { AreJobRows, JOB_ROWS_MAX, type JobRow } from '../job-rows';
import { command, ROWS_COMMAND_BYTES } from '../message-contract';
import { JOB_STATUSES, type JobStatus } from './get-job.v1';
import { MessageContent } from './send-message.v1';

/** Refused recipients that the answer names at most; the list of recipients has all (spec §8.1.6). */
export const NAMED_ROW_ERRORS_MAX = 100;

export class CreateJobCommand {
  @IsString() accountId: string;
  /** Chosen by the caller: the same job again is answered as the first time, and made once. */
  @IsString() jobId: string;
  @IsObject() @ValidateNested() @Type(() => MessageContent) message: MessageContent;
  /** ISO 8601; begins at once when absent. */
  @IsOptional() @IsISO8601() scheduledAt?: string;
  /** ISO 8601: who is not reached by then fails. There is no such time when absent; paused time does not count. */
  @IsOptional() @IsISO8601() expireAt?: string;
  /** How many parts were staged before (`jobs.stage-rows.v1`); none when absent. */
  @IsOptional() @IsInt() @Min(0) parts?: number;
  /** The recipients, or what follows the staged ones. */
  @ArrayMaxSize(JOB_ROWS_MAX) @AreJobRows() rows: JobRow[];
}

/** A recipient that was refused; `code` is one of the API's. */
export class JobRowError {
  @IsInt() index: number;
  @IsString() phone: string;
  @IsString() code: string;
  @IsString() message: string;
}

/** What became of the recipients that were given: `total` = `accepted` + `rejected` + `duplicates`. */
export class CreatedJob {
  @IsString() jobId: string;
  @IsIn(JOB_STATUSES) status: JobStatus;
  @IsInt() total: number;
  @IsInt() accepted: number;
  @IsInt() rejected: number;
  @IsInt() duplicates: number;
  @IsArray() @ValidateNested({ each: true }) @Type(() => JobRowError) errors: JobRowError[];
}

export const createJobV1 = command({
  name: 'jobs.create-job.v1',
  owner: 'jobs',
  description: 'Checks what a bulk job wants to send and makes it with all its recipients, or not at all.',
  request: CreateJobCommand,
  response: CreatedJob,
  changes: true,
  timeoutMs: 60_000,
  maxBytes: ROWS_COMMAND_BYTES,
  sample: {
    request: {
      accountId: 'acc_01jd0000000000000000000000',
      jobId: 'job_01jd0000000000000000000000',
      message: { type: 'template', template: { name: 'order_update', language: { code: 'en_US' } } },
      rows: [
        { position: 0, phone: '919812345678' },
        { position: 1, phone: '12' },
      ],
    },
    response: {
      jobId: 'job_01jd0000000000000000000000',
      status: 'queued' as JobStatus,
      total: 2,
      accepted: 1,
      rejected: 1,
      duplicates: 0,
      errors: [{ index: 1, phone: '12', code: 'INVALID_PHONE', message: 'phone number format is invalid: digits only, with country code, without +' }],
    },
  },
});
