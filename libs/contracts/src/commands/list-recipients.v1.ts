import { Type } from 'class-transformer';
import { IsArray, IsIn, IsInt, IsOptional, IsString, ValidateNested } from 'class-validator';
import { PageReply, PageRequest } from '../lists';
import { command } from '../message-contract';
import { MessageError } from '../message-types';

/** Where a recipient of a job stands. */
export const RECIPIENT_STATUSES = ['pending', 'accepted', 'sent', 'delivered', 'read', 'failed', 'rejected', 'cancelled'] as const;
export type RecipientStatus = (typeof RECIPIENT_STATUSES)[number];

export class ListRecipientsCommand extends PageRequest {
  @IsString() jobId: string;
  @IsOptional() @IsIn(RECIPIENT_STATUSES) status?: RecipientStatus;
}

/** Why a recipient was refused before anything was sent; an error code of the API (spec §6.2). */
export class RecipientRefusal {
  @IsString() code: string;
  @IsString() message: string;
}

/** One recipient of a job. Times are ISO 8601 UTC with milliseconds. */
export class RecipientRecord {
  /** Index in the request, or the sheet's row. */
  @IsInt() index: number;
  /** As it was given; null once the person was erased. */
  @IsOptional() @IsString() phone: string | null;
  @IsIn(RECIPIENT_STATUSES) status: RecipientStatus;
  /** Ours; null before it was first sent. */
  @IsOptional() @IsString() id: string | null;
  @IsOptional() @IsString() upstreamId: string | null;
  @IsOptional() @IsString() clientRef: string | null;
  /** With `failed`. */
  @IsOptional() @ValidateNested() @Type(() => MessageError) error: MessageError | null;
  /** With `rejected`. */
  @IsOptional() @ValidateNested() @Type(() => RecipientRefusal) refusal: RecipientRefusal | null;
  @IsOptional() @IsString() acceptedAt: string | null;
  @IsOptional() @IsString() sentAt: string | null;
  @IsOptional() @IsString() deliveredAt: string | null;
  @IsOptional() @IsString() readAt: string | null;
  @IsOptional() @IsString() failedAt: string | null;
}

export class ListRecipientsReply extends PageReply {
  @IsArray() @ValidateNested({ each: true }) @Type(() => RecipientRecord) recipients: RecipientRecord[];
}

export const listRecipientsV1 = command({
  name: 'jobs.list-recipients.v1',
  owner: 'jobs',
  description: "One page of a job's recipients, in the order in which they were given; NOT_FOUND when the account has no such job.",
  request: ListRecipientsCommand,
  response: ListRecipientsReply,
  changes: false,
  timeoutMs: 5_000,
  sample: {
    request: { accountId: 'acc_01jd0000000000000000000000', jobId: 'job_01jd0000000000000000000000', page: 1, limit: 20 },
    response: {
      recipients: [
        {
          index: 0,
          phone: '919812345678',
          status: 'delivered',
          id: 'msg_01jd0000000000000000000000',
          upstreamId: 'wamid.HBgMOTE5ODEyMzQ1Njc4FQIAERgSQUJD',
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
