import { Type } from 'class-transformer';
import { IsInt, IsISO8601, IsObject, IsOptional, IsString, Max, Min, ValidateNested } from 'class-validator';
import { command, CONTENT_BYTES } from '../message-contract';
import { CreatedJob } from './create-job.v1';
import { MessageContent } from './send-message.v1';

/** The largest spreadsheet, in bytes (spec §8.2.2). */
export const SHEET_MAX_BYTES = 10_485_760;
/** The most rows that any plan allows a spreadsheet (spec §8.2.3). */
export const SHEET_ROWS_MAX = 100_000;

export class CreateExcelJobCommand {
  @IsString() accountId: string;
  /** Chosen by the caller: the same job again is answered as the first time, and made once. */
  @IsString() jobId: string;
  /** Where the .xlsx file lies; it is deleted from the blob store once the job is decided. */
  @IsString() blobKey: string;
  /** Rows that the account's plan allows. */
  @IsInt() @Min(0) @Max(SHEET_ROWS_MAX) maxRows: number;
  /** A template, whose body's variables the sheet's columns fill. */
  @IsObject() @ValidateNested() @Type(() => MessageContent) message: MessageContent;
  /** ISO 8601; begins at once when absent. */
  @IsOptional() @IsISO8601() scheduledAt?: string;
  /** ISO 8601: who is not reached by then fails. There is no such time when absent; paused time does not count. */
  @IsOptional() @IsISO8601() expireAt?: string;
}

export const createExcelJobV1 = command({
  name: 'jobs.create-excel-job.v1',
  owner: 'jobs',
  description: 'Reads a spreadsheet of recipients and makes a bulk job of it, or none; FILE_INVALID when it cannot be read.',
  request: CreateExcelJobCommand,
  response: CreatedJob,
  changes: true,
  timeoutMs: 60_000,
  maxBytes: CONTENT_BYTES,
  sample: {
    request: {
      accountId: 'acc_01jd0000000000000000000000',
      jobId: 'job_01jd0000000000000000000000',
      blobKey: 'sheets/acc_01jd0000000000000000000000/req_01jd0000000000000000000000',
      maxRows: 10_000,
      message: { type: 'template', template: { name: 'order_update', language: { code: 'en_US' } } },
    },
    response: {
      jobId: 'job_01jd0000000000000000000000',
      status: 'queued' as const,
      total: 3,
      accepted: 2,
      rejected: 1,
      duplicates: 0,
      errors: [{ index: 4, phone: '45718', code: 'INVALID_PHONE', message: 'phone number format is invalid: the cell holds a date: write it as text' }],
    },
  },
});
