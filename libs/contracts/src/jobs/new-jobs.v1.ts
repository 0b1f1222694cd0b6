import {
  ArrayMaxSize,
  ArrayMinSize,
  IsArray,
  IsBoolean,
  IsIn,
  IsInt,
  IsISO8601,
  IsObject,
  IsOptional,
  IsString,
  Max,
  Min,
} from 'class-validator';
import { Answer, Doc, ListOf, Nested } from '../body-docs';
import { command, CONTENT_BYTES, ROWS_COMMAND_BYTES } from '../message-contract';
import { Audience } from '../messaging/audience.v1';
import { JOB_NUMBERS_MAX } from '../messaging/job-messages.v1';
import { MessageContent } from '../messaging/sends.v1';
import { SpendLimit } from '../messaging/spend-caps.v1';
import { AreJobRows, JOB_POSITIONS_MAX, JOB_ROWS_MAX, type JobRow } from './job-rows';
import { COUNT_DOCS, JOB_STATUSES, type JobStatus, SHEET_WARNINGS_DOC, SheetFormat, SheetWarning } from './jobs.v1';
import { IsJobName } from './job-name';
import { JobQuietHours } from './quiet-hours';

/** Maximum rejected recipients listed in the response. The list of recipients has all of them (spec §8.1.6). */
export const NAMED_ROW_ERRORS_MAX = 100;

/** Fields of every job that a list or an audience creates. */
export class NewJobCommand {
  @IsString() accountId: string;
  /** Business numbers to send from, if there are several. Otherwise `from` of the message names the number. */
  @IsOptional() @IsArray() @ArrayMaxSize(JOB_NUMBERS_MAX) @IsString({ each: true }) numbers?: string[];
  /** ID of the new job, chosen by the caller. Repeating the request with the same id returns the same response. */
  @IsString() jobId: string;
  @IsObject() @Nested(() => MessageContent) message: MessageContent;
  @IsOptional() @IsJobName() name?: string;
  /** Start time in ISO 8601; starts immediately if absent. */
  @IsOptional() @IsISO8601() scheduledAt?: string;
  /**
   * Expiry time in ISO 8601; recipients not reached by then fail. Extended by the length of pauses. No expiry if
   * absent.
   */
  @IsOptional() @IsISO8601() expireAt?: string;
  /** True to hold the job until it is resumed; otherwise it starts automatically. */
  @IsOptional() @IsBoolean() hold?: boolean;
  /** Spend cap of the job; only in `jobs.create-capped-job.v1` and `jobs.create-audience-job.v1`. */
  @IsOptional() @IsObject() @Nested(() => SpendLimit) maxSpend?: SpendLimit;
  /** Quiet hours of the recipients; only in `jobs.create-capped-job.v1` and `jobs.create-audience-job.v1`. */
  @IsOptional() @IsObject() @Nested(() => JobQuietHours) quietHours?: JobQuietHours;
}

export class CreateJobCommand extends NewJobCommand {
  /** Number of parts staged earlier with `jobs.stage-rows.v1`; defaults to 0. */
  @IsOptional() @IsInt() @Min(0) parts?: number;
  /** All recipients, or those that follow the staged parts. */
  @ArrayMaxSize(JOB_ROWS_MAX) @AreJobRows() rows: JobRow[];
}

/** Maximum template variables that get the contact's name. */
export const NAME_VARIABLES_MAX = 10;

/** Contacts that are the recipients of a job. */
export class JobAudience extends Audience {
  /** Maximum recipients that the account's plan allows. */
  @IsInt() @Min(0) @Max(JOB_POSITIONS_MAX) maxRecipients: number;
  /** Variables that get the contact's name. Contacts without a name use the values of the message's template. */
  @IsOptional() @IsArray() @ArrayMaxSize(NAME_VARIABLES_MAX) @IsString({ each: true }) nameVariables?: string[];
}

export class CreateAudienceJobCommand extends NewJobCommand {
  @IsObject() @Nested(() => JobAudience) audience: JobAudience;
}

/** Rejected recipient; `code` is an API error code. */
export class JobRowError {
  @Doc('Zero-based position of the recipient in the request, or row number in the spreadsheet') @IsInt() index: number;
  @IsString() phone: string;
  @IsString() code: string;
  @IsString() message: string;
}

/** Validation result of the recipients of a new job: `total` = `accepted` + `rejected` + `duplicates`. */
@Answer({ example: () => ({ success: true, ...createJobV1.sample.response }) })
export class CreatedJob {
  @IsString() jobId: string;
  @IsIn(JOB_STATUSES) status: JobStatus;
  @Doc(COUNT_DOCS.total) @IsInt() total: number;
  @Doc('Number of accepted recipients') @IsInt() accepted: number;
  @Doc(COUNT_DOCS.rejected) @IsInt() rejected: number;
  @Doc(COUNT_DOCS.duplicates) @IsInt() duplicates: number;
  @Doc(
    `Errors of the first ${NAMED_ROW_ERRORS_MAX} rejected recipients; \`GET /v1/jobs/{jobId}/recipients\` returns all rejected recipients`,
  )
  @ListOf(() => JobRowError)
  errors: JobRowError[];
  @Doc('Detected format of the uploaded file; absent for a job without a file')
  @IsOptional()
  @Nested(() => SheetFormat)
  sheet?: SheetFormat;
  @Doc(SHEET_WARNINGS_DOC) @IsOptional() @ListOf(() => SheetWarning) warnings?: SheetWarning[];
}

export const createJobV1 = command({
  name: 'jobs.create-job.v1',
  owner: 'jobs',
  description: 'Validates a bulk job and creates it with all its recipients, or not at all.',
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
      errors: [
        {
          index: 1,
          phone: '12',
          code: 'INVALID_PHONE',
          message: 'phone number format is invalid: digits only, with country code, without +',
        },
      ],
    },
  },
});

/**
 * Separate command for held jobs. An older service would ignore a `hold` field and send immediately, but it rejects an
 * unknown command.
 */
export const createHeldJobV1 = command({
  ...createJobV1,
  name: 'jobs.create-held-job.v1',
  description: 'Same as `jobs.create-job.v1`, but the job waits until it is resumed.',
  sample: {
    request: { ...createJobV1.sample.request, hold: true },
    response: { ...createJobV1.sample.response, status: 'paused' as JobStatus },
  },
});

/**
 * Separate command for jobs with a spend cap, several numbers or quiet hours, held or not, for the same reason as
 * `jobs.create-held-job.v1`.
 */
export const createCappedJobV1 = command({
  ...createJobV1,
  name: 'jobs.create-capped-job.v1',
  description:
    'Same as `jobs.create-job.v1`, but the job has a spend cap, several numbers or quiet hours, and may be created on hold.',
  sample: {
    request: { ...createJobV1.sample.request, maxSpend: { amount: '500.00', currency: 'USD' } },
    response: createJobV1.sample.response,
  },
});

/**
 * Separate command, because the recipients are read from messaging. The read and the creation are one transaction, so a
 * job has either all contacts of the audience or does not exist.
 */
export const createAudienceJobV1 = command({
  name: 'jobs.create-audience-job.v1',
  owner: 'jobs',
  description:
    'Same as `jobs.create-job.v1`, but the recipients are contacts. BULK_LIMIT_EXCEEDED if more contacts match than the plan allows.',
  request: CreateAudienceJobCommand,
  response: CreatedJob,
  changes: true,
  timeoutMs: 60_000,
  maxBytes: CONTENT_BYTES,
  sample: {
    request: {
      accountId: 'acc_01jd0000000000000000000000',
      jobId: 'job_01jd0000000000000000000000',
      message: { type: 'template', template: { name: 'order_update', language: { code: 'en_US' } } },
      hold: true,
      audience: { labelId: 'lbl_01jd0000000000000000000000', optedIn: true, maxRecipients: 10_000 },
    },
    response: { ...createJobV1.sample.response, status: 'paused' as JobStatus },
  },
});

export class StageJobRowsCommand {
  @IsString() accountId: string;
  /** ID of the job that the rows belong to. */
  @IsString() jobId: string;
  /** Zero-based index of the part. Staging the same part again has no effect. */
  @IsInt() @Min(0) part: number;
  @ArrayMinSize(1) @ArrayMaxSize(JOB_ROWS_MAX) @AreJobRows() rows: JobRow[];
}

export class StageJobRowsReply {
  @IsInt() part: number;
}

export const stageJobRowsV1 = command({
  name: 'jobs.stage-rows.v1',
  owner: 'jobs',
  description:
    'Stores part of a long list of recipients for up to an hour, until `jobs.create-job.v1` or `jobs.create-held-job.v1` creates a job from all parts.',
  request: StageJobRowsCommand,
  response: StageJobRowsReply,
  changes: false,
  timeoutMs: 15_000,
  maxBytes: ROWS_COMMAND_BYTES,
  sample: {
    request: {
      accountId: 'acc_01jd0000000000000000000000',
      jobId: 'job_01jd0000000000000000000000',
      part: 0,
      rows: [{ position: 0, phone: '919812345678', variables: ['A-17'], clientRef: 'order-7781' }],
    },
    response: { part: 0 },
  },
});

/** Maximum size of a spreadsheet, in bytes (spec §8.2.2). */
export const SHEET_MAX_BYTES = 10_485_760;
/** Maximum rows of a spreadsheet, whatever the plan (spec §8.2.3). */
export const SHEET_ROWS_MAX = 100_000;

export class CreateExcelJobCommand {
  @IsString() accountId: string;
  /** Business numbers to send from, if there are several. Otherwise `from` of the message names the number. */
  @IsOptional() @IsArray() @ArrayMaxSize(JOB_NUMBERS_MAX) @IsString({ each: true }) numbers?: string[];
  /** ID of the new job, chosen by the caller. Repeating the request with the same id returns the same response. */
  @IsString() jobId: string;
  /** Blob key of the .xlsx or .csv file. The jobs service deletes the file after accepting or rejecting the job. */
  @IsString() blobKey: string;
  /** Maximum rows that the account's plan allows. */
  @IsInt() @Min(0) @Max(SHEET_ROWS_MAX) maxRows: number;
  /** Message whose template variables are filled from the spreadsheet's columns. */
  @IsObject() @Nested(() => MessageContent) message: MessageContent;
  @IsOptional() @IsJobName() name?: string;
  /** Start time in ISO 8601; starts immediately if absent. */
  @IsOptional() @IsISO8601() scheduledAt?: string;
  /**
   * Expiry time in ISO 8601; recipients not reached by then fail. Extended by the length of pauses. No expiry if
   * absent.
   */
  @IsOptional() @IsISO8601() expireAt?: string;
  /** True to hold the job until it is resumed; otherwise it starts automatically. */
  @IsOptional() @IsBoolean() hold?: boolean;
  /** Spend cap of the job; only in `jobs.create-capped-excel-job.v1`. */
  @IsOptional() @IsObject() @Nested(() => SpendLimit) maxSpend?: SpendLimit;
  /** Quiet hours of the recipients; only in `jobs.create-capped-excel-job.v1`. */
  @IsOptional() @IsObject() @Nested(() => JobQuietHours) quietHours?: JobQuietHours;
}

export const createExcelJobV1 = command({
  name: 'jobs.create-excel-job.v1',
  owner: 'jobs',
  description: 'Creates a bulk job from a spreadsheet of recipients, or none. FILE_INVALID if the file cannot be read.',
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
      errors: [
        {
          index: 4,
          phone: '45718',
          code: 'INVALID_PHONE',
          message: 'phone number format is invalid: the cell holds a date: write it as text',
        },
      ],
      sheet: { format: 'csv' as const, encoding: 'utf-8', delimiter: ';' },
    },
  },
});

/** Separate command for held jobs, for the same reason as `jobs.create-held-job.v1`. */
export const createHeldExcelJobV1 = command({
  ...createExcelJobV1,
  name: 'jobs.create-held-excel-job.v1',
  description: 'Same as `jobs.create-excel-job.v1`, but the job waits until it is resumed.',
  sample: {
    request: { ...createExcelJobV1.sample.request, hold: true },
    response: { ...createExcelJobV1.sample.response, status: 'paused' as const },
  },
});

/** Separate command for jobs with a spend cap, several numbers or quiet hours, like `jobs.create-capped-job.v1`. */
export const createCappedExcelJobV1 = command({
  ...createExcelJobV1,
  name: 'jobs.create-capped-excel-job.v1',
  description:
    'Same as `jobs.create-excel-job.v1`, but the job has a spend cap, several numbers or quiet hours, and may be created on hold.',
  sample: {
    request: { ...createExcelJobV1.sample.request, maxSpend: { amount: '500.00', currency: 'USD' } },
    response: createExcelJobV1.sample.response,
  },
});

export class RetryFailedCommand {
  @IsString() accountId: string;
  /** ID of the job whose failed recipients are retried. */
  @IsString() jobId: string;
  /** ID of the new job, chosen by the caller. */
  @IsString() newJobId: string;
}

export const retryFailedV1 = command({
  name: 'jobs.retry-failed.v1',
  owner: 'jobs',
  description:
    'Creates a job from the recipients of another job that have failed so far. INVALID_VALUE if there are none.',
  request: RetryFailedCommand,
  response: CreatedJob,
  changes: true,
  timeoutMs: 60_000,
  sample: {
    request: {
      accountId: 'acc_01jd0000000000000000000000',
      jobId: 'job_01jd0000000000000000000000',
      newJobId: 'job_01jd0000000000000000000001',
    },
    response: createJobV1.sample.response,
  },
});
