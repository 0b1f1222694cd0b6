import {
  ArrayMaxSize,
  ArrayMinSize,
  IsArray,
  IsBoolean,
  IsIn,
  IsInt,
  IsObject,
  IsOptional,
  IsString,
} from 'class-validator';
import { ListOf, Nested } from '../body-docs';
import { PageReply, PageRequest } from '../lists';
import { command } from '../message-contract';
import { MessageError } from '../messaging/message-types';
import { MessageLabels } from '../messaging/messages.v1';
import { IsRecipient } from '../validation';

export const RECIPIENT_STATUSES = [
  'pending',
  'accepted',
  'sent',
  'delivered',
  'read',
  'failed',
  'rejected',
  'cancelled',
] as const;
export type RecipientStatus = (typeof RECIPIENT_STATUSES)[number];

export class ListRecipientsCommand extends PageRequest {
  @IsString() jobId: string;
  @IsOptional() @IsIn(RECIPIENT_STATUSES) status?: RecipientStatus;
  /** Returns only recipients with this number, with or without a leading plus, or with this user id. */
  @IsOptional() @IsRecipient() phone?: string;
  /** True to return the template values of each recipient. */
  @IsOptional() @IsBoolean() withValues?: boolean;
}

/** Reason why a recipient was rejected before sending; `code` is an API error code (spec §6.2). */
export class RecipientRefusal {
  @IsString() code: string;
  @IsString() message: string;
}

/** Recipient of a job. Times are ISO 8601 UTC with milliseconds. */
export class RecipientRecord extends MessageLabels {
  /** Zero-based position in the request, or row number in the spreadsheet. */
  @IsInt() index: number;
  /** Phone number as given by the caller; null after erasure. */
  @IsOptional() @IsString() phone: string | null;
  @IsIn(RECIPIENT_STATUSES) status: RecipientStatus;
  /** Internal id of the message; null before the first send. */
  @IsOptional() @IsString() id: string | null;
  @IsOptional() @IsString() upstreamId: string | null;
  /** Business number that sent the message; null before the first send. */
  @IsOptional() @IsString() from?: string | null;
  /** Present if the status is `failed`. */
  @IsOptional() @Nested(() => MessageError) error: MessageError | null;
  /** Present if the status is `rejected`. */
  @IsOptional() @Nested(() => RecipientRefusal) refusal: RecipientRefusal | null;
  @IsOptional() @IsString() acceptedAt: string | null;
  @IsOptional() @IsString() sentAt: string | null;
  @IsOptional() @IsString() deliveredAt: string | null;
  @IsOptional() @IsString() readAt: string | null;
  @IsOptional() @IsString() failedAt: string | null;
  /** Own template values by spreadsheet column, truncated; only with `withValues`. */
  @IsOptional() @IsObject() values?: Record<string, string>;
}

export class ListRecipientsReply extends PageReply {
  @ListOf(() => RecipientRecord) recipients: RecipientRecord[];
}

export const listRecipientsV1 = command({
  name: 'jobs.list-recipients.v1',
  owner: 'jobs',
  description:
    "Returns one page of a job's recipients, in the order of the request. NOT_FOUND if the account has no such job.",
  request: ListRecipientsCommand,
  response: ListRecipientsReply,
  changes: false,
  timeoutMs: 5_000,
  sample: {
    request: {
      accountId: 'acc_01jd0000000000000000000000',
      jobId: 'job_01jd0000000000000000000000',
      page: 1,
      limit: 20,
    },
    response: {
      recipients: [
        {
          index: 0,
          phone: '919812345678',
          status: 'delivered',
          id: 'msg_01jd0000000000000000000000',
          upstreamId: 'wamid.HBgMOTE5ODEyMzQ1Njc4FQIAERgSQUJD',
          from: '15550783881',
          clientRef: 'order-7781',
          error: null,
          refusal: null,
          acceptedAt: '2026-03-02T10:15:00.000Z',
          sentAt: '2026-03-02T10:15:01.000Z',
          deliveredAt: '2026-03-02T10:15:02.000Z',
          readAt: null,
          failedAt: null,
        },
      ],
      total: 1,
      totalIsExact: true,
      hasNext: false,
      nextCursor: null,
    },
  },
});

export class JobsErasePersonCommand {
  @IsString() accountId: string;
  /** All equivalent formats of the contact's numbers, and the contact's user ids. */
  @IsArray() @ArrayMinSize(1) @ArrayMaxSize(100) @IsRecipient({ each: true }) phones: string[];
  /** True for a dry run, which only counts. */
  @IsBoolean() dryRun: boolean;
}

export class JobsErasePersonReply {
  /** Number of rows whose personal data was deleted in this step; on a dry run, the number in all. */
  @IsInt() recipients: number;
  /** False if there is more to erase: repeat the command. */
  @IsBoolean() done: boolean;
}

export const jobsErasePersonV1 = command({
  name: 'jobs.erase-person.v1',
  owner: 'jobs',
  description:
    "Erases a contact from an account's jobs, in bounded steps. Deletes number, variables and reference; the row remains counted. Recipients not reached yet are no longer sent to.",
  request: JobsErasePersonCommand,
  response: JobsErasePersonReply,
  changes: true,
  timeoutMs: 30_000,
  sample: {
    request: { accountId: 'acc_01jd0000000000000000000000', phones: ['919812345678'], dryRun: false },
    response: { recipients: 3, done: true },
  },
});

export class RunJobRetentionCommand {
  /** Account whose jobs are deleted; all accounts with jobs if absent. */
  @IsOptional() @IsString() accountId?: string;
  /** True for a dry run, which only counts. */
  @IsBoolean() dryRun: boolean;
}

export class RunJobRetentionReply {
  /** Number of jobs deleted in this step; on a dry run, the number in all. */
  @IsInt() jobs: number;
  @IsInt() recipients: number;
  /** False if there is more to delete: repeat the command. */
  @IsBoolean() done: boolean;
}

export const runJobRetentionV1 = command({
  name: 'jobs.run-job-retention.v1',
  owner: 'jobs',
  description:
    'Deletes a bounded number of ended jobs, with their recipients, that exceed the message retention of their accounts.',
  request: RunJobRetentionCommand,
  response: RunJobRetentionReply,
  changes: true,
  timeoutMs: 60_000,
  sample: { request: { dryRun: false }, response: { jobs: 3, recipients: 5000, done: true } },
});
