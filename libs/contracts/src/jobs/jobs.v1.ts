import {
  ArrayMaxSize,
  IsArray,
  IsIn,
  IsInt,
  IsObject,
  IsOptional,
  IsString,
  Matches,
  MaxLength,
  MinLength,
  ValidateIf,
} from 'class-validator';
import { AddedLater, Answer, BodySchema, Doc, IsTime, ListOf, Nested, OrNull } from '../body-docs';
import { PageReply, PageRequest } from '../lists';
import { command, SMALL_COMMAND_BYTES } from '../message-contract';
import { SpendLimit } from '../messaging/spend-caps.v1';
import { MONTH_PATTERN } from '../messaging/usage.v1';
import { NAME_PART } from '../templates/template-records';
import { JobCharges, PriceRange, SAMPLE_CHARGES, SAMPLE_STORED_ESTIMATE, StoredEstimate } from './job-prices.v1';
import { IsStorableText } from '../validation';
import { IsJobName, JOB_NAME_MAX } from './job-name';
import { JobWaiting } from './quiet-hours';

export const JOB_STATUSES = ['queued', 'processing', 'paused', 'completed', 'failed', 'cancelled'] as const;
export type JobStatus = (typeof JOB_STATUSES)[number];

/**
 * Reasons for pausing a job. `HELD` means that the job was created with `hold` and has not been started. `SPEND_CAP`
 * means that the next message would exceed a spend cap.
 */
export const PAUSE_REASONS = [
  'REQUESTED',
  'TEMPLATE_NOT_APPROVED',
  'NUMBER_STOPPED',
  'TOO_MANY_FAILURES',
  'HELD',
  'SPEND_CAP',
] as const;
export type PauseReason = (typeof PAUSE_REASONS)[number];

/** Number of days after which a held job is cancelled. */
export const HELD_JOB_DAYS = 35;

export class GetJobCommand {
  @IsString() accountId: string;
  @IsString() jobId: string;
}

/** Reason why a job could not run; `code` is an API error code. */
@BodySchema({ description: 'Reason why the job itself could not run' })
export class JobError {
  @IsString() code: string;
  @IsString() message: string;
}

export const SHEET_FORMATS = ['xlsx', 'csv'] as const;

/** Detected format of a job's file. */
@BodySchema({ description: "Detected format of the job's file" })
export class SheetFormat {
  @IsIn(SHEET_FORMATS) format: (typeof SHEET_FORMATS)[number];
  @Doc('Encoding of a CSV file: `utf-8`, `utf-16le`, `utf-16be` or `windows-1252`', { example: 'utf-8' })
  @OrNull()
  @IsString()
  encoding: string | null;
  @Doc('Delimiter of a CSV file: a comma, a semicolon or a tab', { example: ';' })
  @OrNull()
  @IsString()
  delimiter: string | null;
}

@BodySchema({ description: 'File content that may be sent differently than its author expects' })
export class SheetWarning {
  @Doc('Column header, or `customerExcel` for a warning about the whole file') @IsString() field: string;
  @Doc(undefined, { example: '3 hidden rows are included' }) @IsString() message: string;
}

/** API description of the warnings about a file. */
export const SHEET_WARNINGS_DOC = 'Warnings about the file; at most 10';

/** API descriptions of the counts of a job. */
export const COUNT_DOCS = {
  total: 'Number of recipients in the request: the sum of the following counts',
  rejected: 'Number of recipients rejected before anything was sent',
  duplicates: 'Number of repeated recipients, by number or by user id',
};

/** Reasons why a number sends nothing more for a job, while its other numbers may. */
export const NUMBER_STOP_REASONS = ['NUMBER_STOPPED', 'TEMPLATE_NOT_APPROVED'] as const;
export type NumberStopReason = (typeof NUMBER_STOP_REASONS)[number];

/** Business number of a job, with its share of the recipients (spec §8.7). */
@BodySchema({ description: 'Business number of a job, with its share of the recipients' })
export class JobNumber {
  @Doc(undefined, { example: '15550783881' }) @IsString() phoneNumber: string;
  @Doc(
    'Reason why this number has stopped sending for the job while other numbers continue: `NUMBER_STOPPED` or `TEMPLATE_NOT_APPROVED`. Null while the number sends',
  )
  @OrNull()
  @IsIn(NUMBER_STOP_REASONS)
  stoppedReason: NumberStopReason | null;
  @Doc('Number of recipients submitted to this business number') @IsInt() recipients: number;
  @Doc('Number of recipients of this business number that failed') @IsInt() failed: number;
}

/**
 * Bulk job in the format of the API (spec §8.5). Each recipient is counted once, in its current state, so `total` is
 * the sum of the counts from `pending` to `duplicates`.
 */
@BodySchema({ name: 'Job' })
export class JobRecord extends JobWaiting {
  @IsString() jobId: string;
  @Doc('Name from the request, or from a user who renamed the job; null without a name')
  @OrNull()
  @IsString()
  name?: string | null;
  @IsIn(['bulk', 'excel']) type: 'bulk' | 'excel';
  @IsIn(JOB_STATUSES) status: JobStatus;
  @OrNull() @IsString() template: string | null;
  @Doc(COUNT_DOCS.total) @IsInt() total: number;
  @Doc('Number of recipients that have not been sent to, or whose send has an unknown outcome')
  @AddedLater()
  @IsInt()
  pending?: number;
  @AddedLater() @IsInt() accepted?: number;
  @AddedLater() @IsInt() sent?: number;
  @AddedLater() @IsInt() delivered?: number;
  @AddedLater() @IsInt() read?: number;
  @AddedLater() @IsInt() failed?: number;
  @AddedLater() @IsInt() cancelled?: number;
  @Doc(COUNT_DOCS.rejected) @AddedLater() @IsInt() rejected?: number;
  @Doc(COUNT_DOCS.duplicates) @AddedLater() @IsInt() duplicates?: number;
  @Doc(
    'Reason why the job is paused; null if it is not paused. `HELD`: the job was created with `hold` and has not been started. `SPEND_CAP`: the next message would exceed the spend cap of the job or the account',
  )
  @OrNull()
  @IsIn(PAUSE_REASONS)
  pauseReason?: PauseReason | null;
  @OrNull() @IsObject() @Nested(() => JobError) error?: JobError | null;
  @Doc('Business number that sends the messages; null if the job has several numbers, which `numbers` lists')
  @OrNull()
  @IsString()
  from?: string | null;
  @Doc('Business numbers that send the messages, with the recipients of each number')
  @AddedLater()
  @ListOf(() => JobNumber)
  numbers?: JobNumber[];
  @Doc(
    'Estimated seconds until the last pending send, based on the throughput and messaging limits of the numbers and the quiet hours. For a held job, it assumes that the job is started now, or at its `scheduledAt` if that is later. Null if the job is neither running nor held, or the limits do not allow an estimate',
  )
  @OrNull()
  @IsInt()
  expectedSeconds?: number | null;
  @Doc('Estimated time of the last send; null if `expectedSeconds` is null')
  @OrNull()
  @IsTime()
  expectedEndAt?: string | null;
  @Doc('ID of the job whose failed recipients this job retries') @OrNull() @IsString() retryOf?: string | null;
  @IsTime() createdAt: string;
  @OrNull() @IsTime() scheduledAt?: string | null;
  @OrNull() @IsTime() startedAt?: string | null;
  @OrNull() @IsTime() completedAt?: string | null;
  @Doc(
    'Expiry time of the job. Recipients not reached by then fail. When a pause ends, the expiry time is extended by the length of the pause. Null for a job that does not expire',
  )
  @OrNull()
  @IsTime()
  expireAt?: string | null;
  @Doc('Detected format of the uploaded file; null for a job without a file')
  @OrNull()
  @Nested(() => SheetFormat)
  sheet?: SheetFormat | null;
  @Doc(SHEET_WARNINGS_DOC) @AddedLater() @ListOf(() => SheetWarning) warnings?: SheetWarning[];
  @Doc('Spend cap of the job; null if the job has none')
  @OrNull()
  @Nested(() => SpendLimit)
  maxSpend?: SpendLimit | null;
  @Doc('Price estimate at job creation. Available within seconds; null until then, or if no rate is known')
  @OrNull()
  @Nested(() => StoredEstimate)
  estimate?: StoredEstimate | null;
  @Doc('Charges that the platform has reported so far; null if temporarily unavailable')
  @OrNull()
  @Nested(() => JobCharges)
  reported?: JobCharges | null;
}

/** Sample job for all contracts that contain one. */
export const SAMPLE_JOB: JobRecord = {
  jobId: 'job_01jd0000000000000000000000',
  name: 'Order updates, Monday',
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
  numbers: [{ phoneNumber: '15550783881', stoppedReason: null, recipients: 1, failed: 0 }],
  expectedSeconds: 1,
  expectedEndAt: '2026-03-02T10:15:01.120Z',
  retryOf: null,
  createdAt: '2026-03-02T10:15:00.000Z',
  scheduledAt: null,
  startedAt: '2026-03-02T10:15:00.120Z',
  completedAt: null,
  expireAt: '2026-03-03T10:15:00.000Z',
  sheet: null,
  warnings: [],
  maxSpend: null,
  quietHours: null,
  waitingRecipients: null,
  waitingUntil: null,
  estimate: SAMPLE_STORED_ESTIMATE,
  reported: SAMPLE_CHARGES,
};

@Answer({ name: 'JobAnswer', example: () => ({ success: true, job: SAMPLE_JOB }) })
export class GetJobReply {
  @Nested(() => JobRecord) job: JobRecord;
}

export const getJobV1 = command({
  name: 'jobs.get-job.v1',
  owner: 'jobs',
  description: 'Returns a bulk job of the account. NOT_FOUND if the account has no job with this id.',
  request: GetJobCommand,
  response: GetJobReply,
  changes: false,
  timeoutMs: 5_000,
  sample: {
    request: { accountId: 'acc_01jd0000000000000000000000', jobId: 'job_01jd0000000000000000000000' },
    response: { job: SAMPLE_JOB },
  },
});

export class ListJobsCommand extends PageRequest {
  @IsOptional() @IsIn(JOB_STATUSES) status?: JobStatus;
  /** Month (UTC) in which the jobs were created. */
  @IsOptional() @IsString() @Matches(MONTH_PATTERN) month?: string;
  /**
   * Part of the template's name, without underscores. Ignored with `search`, which the previous version does not know.
   */
  @IsOptional() @Matches(NAME_PART) partOfName?: string;
  /** Part of the job's name, or of its template's name without blanks, hyphens and underscores. Ignores case. */
  @IsOptional() @IsString() @IsStorableText() @MinLength(1) @MaxLength(JOB_NAME_MAX) search?: string;
}

export class ListJobsReply extends PageReply {
  @ListOf(() => JobRecord) jobs: JobRecord[];
}

export const listJobsV1 = command({
  name: 'jobs.list-jobs.v1',
  owner: 'jobs',
  description: "Returns one page of an account's bulk jobs, newest first.",
  request: ListJobsCommand,
  response: ListJobsReply,
  changes: false,
  timeoutMs: 5_000,
  sample: {
    request: { accountId: 'acc_01jd0000000000000000000000', page: 1, limit: 20 },
    response: { jobs: [SAMPLE_JOB], total: 1, totalIsExact: true, hasNext: false, nextCursor: null },
  },
});

export class SumEstimatesCommand {
  @IsString() accountId: string;
  /** Month (UTC) in which the jobs were created. */
  @IsString() @Matches(MONTH_PATTERN) month: string;
  @IsString() currency: string;
}

/** Sum of the stored estimates of jobs. */
@BodySchema({
  name: 'EstimateSum',
  example: () => ({ lowest: '0.0028', highest: '0.0042', unrated: 0, jobs: 2, messages: 3, withoutEstimate: 0 }),
})
export class EstimateSum extends PriceRange {
  @Doc('Jobs with an estimate') @IsInt() jobs: number;
  @Doc('Messages that were expected not to fail') @IsInt() messages: number;
  @Doc('Jobs without an estimate in the currency') @IsInt() withoutEstimate: number;
}

export const sumEstimatesV1 = command({
  name: 'jobs.sum-estimates.v1',
  owner: 'jobs',
  description: "Returns the sum of the stored estimates of an account's jobs of a month.",
  request: SumEstimatesCommand,
  response: EstimateSum,
  changes: false,
  timeoutMs: 5_000,
  sample: {
    request: { accountId: 'acc_01jd0000000000000000000000', month: '2026-11', currency: 'USD' },
    response: { lowest: '0.0028', highest: '0.0042', unrated: 0, jobs: 2, messages: 3, withoutEstimate: 0 },
  },
});

export const JOB_ACTIONS = ['pause', 'resume', 'cancel'] as const;
export type JobAction = (typeof JOB_ACTIONS)[number];

export class ControlJobCommand {
  @IsString() accountId: string;
  @IsString() jobId: string;
  @IsIn(JOB_ACTIONS) action: JobAction;
  /** With `resume`: new spend cap of the job, stored only if the job is resumed. */
  @IsOptional() @IsObject() @Nested(() => SpendLimit) maxSpend?: SpendLimit;
}

export const controlJobV1 = command({
  name: 'jobs.control-job.v1',
  owner: 'jobs',
  description:
    'Pauses, resumes or cancels a job. Repeating an action has no effect. A job resumes only if its number and template can send, with a new spend cap if one is given. JOB_STATE_CONFLICT once the job has ended.',
  request: ControlJobCommand,
  response: GetJobReply,
  changes: true,
  timeoutMs: 15_000,
  sample: {
    request: {
      accountId: 'acc_01jd0000000000000000000000',
      jobId: 'job_01jd0000000000000000000000',
      action: 'pause' as JobAction,
    },
    response: { job: SAMPLE_JOB },
  },
});

export class RenameJobCommand {
  @IsString() accountId: string;
  @IsString() jobId: string;
  /** New name; null removes the name. */
  @ValidateIf(({ name }: RenameJobCommand) => name !== null) @IsJobName() name: string | null;
}

export const renameJobV1 = command({
  name: 'jobs.rename-job.v1',
  owner: 'jobs',
  description: 'Changes the name of a job in any state. NOT_FOUND if the account has no job with this id.',
  request: RenameJobCommand,
  response: GetJobReply,
  changes: true,
  timeoutMs: 5_000,
  maxBytes: SMALL_COMMAND_BYTES,
  sample: {
    request: {
      accountId: 'acc_01jd0000000000000000000000',
      jobId: 'job_01jd0000000000000000000000',
      name: 'Order updates, Monday',
    },
    response: { job: SAMPLE_JOB },
  },
});

/** Maximum ids of one `ListUsedMediaCommand`. */
export const USED_MEDIA_MAX = 100;

export class ListUsedMediaCommand {
  @IsString() accountId: string;
  @IsArray() @ArrayMaxSize(USED_MEDIA_MAX) @IsString({ each: true }) mediaIds: string[];
}

export class ListUsedMediaReply {
  /** Those of the given files that an unfinished job uses. */
  @IsArray() @IsString({ each: true }) mediaIds: string[];
}

export const listUsedMediaV1 = command({
  name: 'jobs.list-used-media.v1',
  owner: 'jobs',
  callers: ['messaging'],
  description: 'Returns which of the given uploaded files unfinished jobs of the account use.',
  request: ListUsedMediaCommand,
  response: ListUsedMediaReply,
  changes: false,
  timeoutMs: 5_000,
  sample: {
    request: { accountId: 'acc_01jd0000000000000000000000', mediaIds: ['med_01jd0000000000000000000000'] },
    response: { mediaIds: ['med_01jd0000000000000000000000'] },
  },
});
