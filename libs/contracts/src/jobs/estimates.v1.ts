import {
  ArrayMaxSize,
  IsArray,
  IsBoolean,
  IsIn,
  IsInt,
  IsObject,
  IsOptional,
  IsString,
  Max,
  Min,
} from 'class-validator';
import { AddedLater, Answer, BodySchema, Doc, IsTime, ListOf, Nested, OrNull } from '../body-docs';
import { command, CONTENT_BYTES, ROWS_COMMAND_BYTES } from '../message-contract';
import { JOB_NUMBERS_MAX } from '../messaging/job-messages.v1';
import {
  FREE_REASONS,
  type FreeReason,
  REJECTION_REASONS,
  type RejectionReason,
  SendingCapacity,
} from '../messaging/estimates.v1';
import { MessageContent } from '../messaging/sends.v1';
import { SpendLimit } from '../messaging/spend-caps.v1';
import { AreJobRows, JOB_ROWS_MAX, type JobRow } from './job-rows';
import { PriceRange } from './job-prices.v1';
import { COUNT_DOCS, SHEET_WARNINGS_DOC, SheetFormat, SheetWarning } from './jobs.v1';
import { JobQuietHours } from './quiet-hours';
import { JobAudience, JobRowError, NAMED_ROW_ERRORS_MAX, SHEET_ROWS_MAX } from './new-jobs.v1';

/** Maximum number of example recipients per expected failure. */
export const FAILURE_EXAMPLES_MAX = 5;

@BodySchema({
  example: () => ({
    category: 'utility',
    market: 'India',
    messages: 3,
    free: 0,
    lowest: '0.0042',
    highest: '0.0042',
    unrated: 0,
  }),
})
export class EstimateLine extends PriceRange {
  @Doc('Pricing category of the upstream platform, such as `marketing` or `service`') @IsString() category: string;
  @Doc('Market of the recipients') @IsString() market: string;
  @Doc('Number of messages, excluding those expected to fail') @IsInt() messages: number;
  @Doc('Number of messages in this group that are certain to be free') @IsInt() free: number;
}

/** Reasons why messages of an estimate are free. */
export const ESTIMATED_FREE_REASONS = [...FREE_REASONS, 'free_allowance'] as const;

@BodySchema({ example: () => ({ reason: 'free_entry_point', messages: 1 }) })
export class EstimatedFree {
  @Doc(
    '`free_customer_service`: within a service window, until 2026-09-30. `free_entry_point`: within 72 hours of the first reply to a contact who clicked an ad. `free_allowance`: within the monthly allowance of service messages',
  )
  @IsIn(ESTIMATED_FREE_REASONS)
  reason: FreeReason | 'free_allowance';
  @IsInt() messages: number;
}

@BodySchema({ example: () => ({ index: 7, phone: '919812345678' }) })
export class FailureExample {
  @Doc('Zero-based position of the recipient in the request, or row number in the spreadsheet') @IsInt() index: number;
  @Doc('Phone number or user id') @IsString() phone: string;
}

/** Reasons why recipients of an estimate get no message. */
export const FAILURE_REASONS = ['invalid', ...REJECTION_REASONS] as const;
export type FailureReason = 'invalid' | RejectionReason;

@BodySchema({
  example: () => ({
    reason: 'opted_out',
    code: 'RECIPIENT_OPTED_OUT',
    recipients: 1,
    examples: [{ index: 7, phone: '919812345678' }],
  }),
})
export class ExpectedFailure {
  @Doc('`invalid` for rejected rows') @IsIn(FAILURE_REASONS) reason: FailureReason;
  @Doc('Error code of the rejected rows, or of a send to these recipients')
  @IsString()
  code: string;
  @IsInt() recipients: number;
  @Doc(`First ${FAILURE_EXAMPLES_MAX} of the affected recipients`)
  @ListOf(() => FailureExample)
  examples: FailureExample[];
}

/** Maximum example rows of an estimate, and their maximum size as JSON in bytes. */
export const SAMPLE_ROWS_MAX = 20;
export const SAMPLE_ROWS_MAX_BYTES = 65_536;

/** Accepted recipient with the values of its message. */
@BodySchema({ example: () => ({ index: 0, phone: '919812345678', values: { '1': 'A-17', '2': 'Monday' } }) })
export class SampleRow {
  @Doc('Zero-based position of the recipient in the request, or row number in the spreadsheet') @IsInt() index: number;
  @Doc('Phone number or user id') @IsString() phone: string;
  @Doc('Values of the recipient by variable name. Variables that are not listed use the values of the `template`')
  @IsObject()
  values: Record<string, string>;
}

/** Effect of a spend cap on the messages of a job. */
@BodySchema({
  name: 'EstimatedCap',
  example: () => ({ amount: '0.0020', currency: 'USD', messagesAtHighest: 1, messagesAtLowest: 1, wouldPause: true }),
})
export class EstimatedCap extends SpendLimit {
  @Doc(
    'Minimum number of messages that the cap allows. Assumes that each message reserves its highest possible rate and that the most expensive messages are sent first',
  )
  @IsInt()
  messagesAtHighest: number;
  @Doc(
    'Maximum number of messages that the cap allows. Assumes that each message costs its lowest expected price and that the cheapest messages are sent first',
  )
  @IsInt()
  messagesAtLowest: number;
  @Doc('Whether the job would pause with `SPEND_CAP`, because the cap does not cover the reservations of all messages')
  @IsBoolean()
  wouldPause: boolean;
}

/** Effect of the account's spend cap on the messages of a job. */
@BodySchema({
  name: 'EstimatedAccountCap',
  example: () => ({
    amount: '500.00',
    currency: 'USD',
    month: '2026-11',
    spent: '412.3350',
    reserved: '1.2060',
    messagesAtHighest: 2,
    messagesAtLowest: 2,
    wouldPause: false,
  }),
})
export class EstimatedAccountCap extends EstimatedCap {
  @Doc('Month of `sendAt` in UTC', { example: '2026-11' }) @IsString() month: string;
  @Doc('Amount already spent in that month') @IsString() spent: string;
  @Doc('Amount reserved in that month by messages whose pricing the platform has not reported yet')
  @IsString()
  reserved: string;
}

const SAMPLE_ESTIMATE: JobEstimate = {
  dryRun: true,
  total: 5,
  accepted: 3,
  rejected: 1,
  duplicates: 1,
  errors: [
    {
      index: 4,
      phone: '12',
      code: 'INVALID_PHONE',
      message: 'phone number format is invalid: digits only, with country code, without +',
    },
  ],
  sampleRows: [{ index: 0, phone: '919812345678', values: { '1': 'A-17', '2': 'Monday' } }],
  sendAt: '2026-11-28T10:15:00.000Z',
  messages: 2,
  currency: 'USD',
  price: { lowest: '0.0028', highest: '0.0028', unrated: 0 },
  lines: [
    { category: 'utility', market: 'India', messages: 2, free: 0, lowest: '0.0028', highest: '0.0028', unrated: 0 },
  ],
  free: [],
  failures: [
    { reason: 'invalid', code: 'INVALID_PHONE', recipients: 1, examples: [{ index: 4, phone: '12' }] },
    { reason: 'blocked', code: 'RECIPIENT_BLOCKED', recipients: 1, examples: [{ index: 2, phone: '919812345680' }] },
  ],
  spendCap: null,
  accountSpendCap: null,
  durationSeconds: 1,
  waitingRecipients: null,
  waitingUntil: null,
  numbers: [
    {
      phoneNumber: '15550783881',
      throughput: 80,
      messagingLimit: 10_000,
      remaining: 9_880,
      portfolio: '300000000000001',
    },
  ],
};

/** Result of a dry run: the messages that a job would send, and their expected price (spec §8.6). */
@Answer({ example: () => ({ success: true, ...SAMPLE_ESTIMATE }) })
export class JobEstimate {
  @Doc('Always true') @IsIn([true]) dryRun: true;
  @Doc(COUNT_DOCS.total) @IsInt() total: number;
  @Doc('Number of recipients that a job would accept') @IsInt() accepted: number;
  @Doc(COUNT_DOCS.rejected) @IsInt() rejected: number;
  @Doc(COUNT_DOCS.duplicates) @IsInt() duplicates: number;
  @Doc(`Errors of the first ${NAMED_ROW_ERRORS_MAX} rejected recipients`)
  @ListOf(() => JobRowError)
  errors: JobRowError[];
  @Doc(`First accepted recipients with their values, for a preview; at most ${SAMPLE_ROWS_MAX}`)
  @AddedLater()
  @ListOf(() => SampleRow)
  sampleRows?: SampleRow[];
  @Doc('Assumed sending time: `scheduledAt`, or the time of the request')
  @IsTime()
  sendAt: string;
  @Doc('Number of messages that the job would send') @IsInt() messages: number;
  @Doc('Currency of all prices; null without a rate card') @OrNull() @IsString() currency: string | null;
  @Doc('Expected price of all messages, at the rates of `sendAt`')
  @Nested(() => PriceRange)
  price: PriceRange;
  @Doc('Messages by category and market, largest group first') @ListOf(() => EstimateLine) lines: EstimateLine[];
  @Doc('Messages that are certain to be free, by reason') @ListOf(() => EstimatedFree) free: EstimatedFree[];
  @Doc('Recipients that would receive no message, by reason. Includes rejected rows and sends that would fail')
  @ListOf(() => ExpectedFailure)
  failures: ExpectedFailure[];
  @Doc('Effect of the spend cap in `maxSpend`; null if the request has no `maxSpend`')
  @OrNull()
  @IsObject()
  @Nested(() => EstimatedCap)
  spendCap?: EstimatedCap | null;
  @Doc("Effect of the account's spend cap on what the job would send; null if the account has no cap")
  @OrNull()
  @IsObject()
  @Nested(() => EstimatedAccountCap)
  accountSpendCap?: EstimatedAccountCap | null;
  @Doc(
    'Expected duration in seconds, based on the throughput, the quiet hours and, if known, the remaining messaging limits of the numbers; null if no message can be sent',
  )
  @OrNull()
  @IsInt()
  durationSeconds: number | null;
  @Doc('Number of accepted recipients that have quiet hours at `sendAt`; null if the request has no `quietHours`')
  @OrNull()
  @IsInt()
  waitingRecipients?: number | null;
  @Doc('Time at which the quiet hours of the first of these recipients end; null if no recipient waits')
  @OrNull()
  @IsTime()
  waitingUntil?: string | null;
  @Doc('Sending limits of the business numbers') @ListOf(() => SendingCapacity) numbers: SendingCapacity[];
  @Doc('Detected format of the uploaded file; absent if the request has none')
  @IsOptional()
  @Nested(() => SheetFormat)
  sheet?: SheetFormat;
  @Doc(SHEET_WARNINGS_DOC) @IsOptional() @ListOf(() => SheetWarning) warnings?: SheetWarning[];
}

/** Fields of every dry run of a job that a list or an audience would create. */
class EstimatedJobCommand {
  @IsString() accountId: string;
  /** Business numbers to send from, if there are several. */
  @IsOptional() @IsArray() @ArrayMaxSize(JOB_NUMBERS_MAX) @IsString({ each: true }) numbers?: string[];
  @IsObject() @Nested(() => MessageContent) message: MessageContent;
  /** Start time in ISO 8601; the present time if absent. */
  @IsOptional() @IsTime() scheduledAt?: string;
  @IsOptional() @IsObject() @Nested(() => SpendLimit) maxSpend?: SpendLimit;
  @IsOptional() @IsObject() @Nested(() => JobQuietHours) quietHours?: JobQuietHours;
}

export class EstimateJobCommand extends EstimatedJobCommand {
  /** ID under which the parts were staged. No job with this id is created. */
  @IsString() jobId: string;
  /** Number of parts staged earlier with `jobs.stage-rows.v1`, which are deleted afterwards; defaults to 0. */
  @IsOptional() @IsInt() @Min(0) parts?: number;
  /** All recipients, or those that follow the staged parts. */
  @ArrayMaxSize(JOB_ROWS_MAX) @AreJobRows() rows: JobRow[];
}

export class EstimateAudienceJobCommand extends EstimatedJobCommand {
  @IsObject() @Nested(() => JobAudience) audience: JobAudience;
}

/**
 * Separate command, because an older service rejects an unknown command. It would ignore a `dryRun` field of
 * `jobs.create-job.v1` and create the job.
 */
export const estimateJobV1 = command({
  name: 'jobs.estimate-job.v1',
  owner: 'jobs',
  description: 'Validates a bulk job like `jobs.create-job.v1` and returns its expected price. Creates nothing.',
  request: EstimateJobCommand,
  response: JobEstimate,
  changes: false,
  timeoutMs: 60_000,
  maxBytes: ROWS_COMMAND_BYTES,
  sample: {
    request: {
      accountId: 'acc_01jd0000000000000000000000',
      jobId: 'job_01jd0000000000000000000000',
      message: { type: 'template', template: { name: 'order_update', language: { code: 'en_US' } } },
      rows: [{ position: 0, phone: '919812345678' }],
    },
    response: SAMPLE_ESTIMATE,
  },
});

/** Separate command, like `jobs.create-audience-job.v1`. */
export const estimateAudienceJobV1 = command({
  name: 'jobs.estimate-audience-job.v1',
  owner: 'jobs',
  description: 'Reads an audience like `jobs.create-audience-job.v1` and returns the expected price. Creates nothing.',
  request: EstimateAudienceJobCommand,
  response: JobEstimate,
  changes: false,
  timeoutMs: 60_000,
  maxBytes: CONTENT_BYTES,
  sample: {
    request: {
      accountId: 'acc_01jd0000000000000000000000',
      message: { type: 'template', template: { name: 'order_update', language: { code: 'en_US' } } },
      audience: { optedIn: true, maxRecipients: 10_000 },
    },
    response: SAMPLE_ESTIMATE,
  },
});

export class EstimateExcelJobCommand {
  @IsString() accountId: string;
  /** Business numbers to send from, if there are several. */
  @IsOptional() @IsArray() @ArrayMaxSize(JOB_NUMBERS_MAX) @IsString({ each: true }) numbers?: string[];
  /** Blob key of the .xlsx or .csv file. The jobs service deletes the file afterwards. */
  @IsString() blobKey: string;
  /** Maximum rows that the account's plan allows. */
  @IsInt() @Min(0) @Max(SHEET_ROWS_MAX) maxRows: number;
  @IsObject() @Nested(() => MessageContent) message: MessageContent;
  @IsOptional() @IsTime() scheduledAt?: string;
  @IsOptional() @IsObject() @Nested(() => SpendLimit) maxSpend?: SpendLimit;
  @IsOptional() @IsObject() @Nested(() => JobQuietHours) quietHours?: JobQuietHours;
}

/** Separate command, for the same reason as `jobs.estimate-job.v1`. */
export const estimateExcelJobV1 = command({
  name: 'jobs.estimate-excel-job.v1',
  owner: 'jobs',
  description:
    'Reads a spreadsheet like `jobs.create-excel-job.v1` and returns the expected price of its job. Creates nothing.',
  request: EstimateExcelJobCommand,
  response: JobEstimate,
  changes: false,
  timeoutMs: 60_000,
  maxBytes: CONTENT_BYTES,
  sample: {
    request: {
      accountId: 'acc_01jd0000000000000000000000',
      blobKey: 'sheets/acc_01jd0000000000000000000000/req_01jd0000000000000000000000',
      maxRows: 10_000,
      message: { type: 'template', template: { name: 'order_update', language: { code: 'en_US' } } },
    },
    response: { ...SAMPLE_ESTIMATE, sheet: { format: 'csv' as const, encoding: 'utf-8', delimiter: ';' } },
  },
});
