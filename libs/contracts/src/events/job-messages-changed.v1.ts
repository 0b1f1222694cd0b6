import { Type } from 'class-transformer';
import { ArrayMinSize, IsArray, IsIn, IsInt, IsOptional, IsString, Min, ValidateNested } from 'class-validator';
import { event, PART_BYTES } from '../message-contract';
import { MESSAGE_STATUSES, MessageError } from '../message-types';

/**
 * What may become of a recipient's message: a status, or that it was certainly not sent and waits: `throttled` by the upstream
 * platform, `held` because nothing of its kind can be sent now (number stopped, template not approved).
 */
export const JOB_MESSAGE_STATUSES = [...MESSAGE_STATUSES, 'throttled', 'held'] as const;
export type JobMessageStatus = (typeof JOB_MESSAGE_STATUSES)[number];

/** Who has to rest when upstream throttles: the number, or the recipient alone. */
export const THROTTLE_SCOPES = ['number', 'recipient'] as const;
export type ThrottleScope = (typeof THROTTLE_SCOPES)[number];

/** Why nothing of a job can be sent now. */
export const HOLD_REASONS = ['NUMBER_STOPPED', 'TEMPLATE_NOT_APPROVED'] as const;
export type HoldReason = (typeof HOLD_REASONS)[number];

export class JobMessageChange {
  @IsString() messageId: string;
  @IsIn(JOB_MESSAGE_STATUSES) status: JobMessageStatus;
  /** The upstream platform's identifier, once it gave one. */
  @IsOptional() @IsString() upstreamId?: string | null;
  /** With `failed`, whoever failed it. */
  @IsOptional() @ValidateNested() @Type(() => MessageError) error?: MessageError | null;
  /** With `held`. */
  @IsOptional() @IsIn(HOLD_REASONS) reason?: HoldReason;
  /** With `throttled`: how long nothing should be sent within the scope. */
  @IsOptional() @IsInt() @Min(0) retryAfterMs?: number;
  /** With `throttled`; the number when absent. */
  @IsOptional() @IsIn(THROTTLE_SCOPES) scope?: ThrottleScope;
  /** ISO 8601 UTC. */
  @IsString() at: string;
}

export class JobMessagesChangedV1 {
  @IsString() accountId: string;
  @IsString() jobId: string;
  @IsArray() @ArrayMinSize(1) @ValidateNested({ each: true }) @Type(() => JobMessageChange) changes: JobMessageChange[];
}

export const jobMessagesChangedV1 = event({
  name: 'messaging.job-messages.changed.v1',
  producer: 'messaging',
  consumers: ['jobs'],
  maxBytes: PART_BYTES + 4_096,
  description: 'What became of messages of a bulk job: many changes in one event, each at least once, forward only by their order in time.',
  body: JobMessagesChangedV1,
  sample: {
    accountId: 'acc_01jd0000000000000000000000',
    jobId: 'job_01jd0000000000000000000000',
    changes: [{ messageId: 'msg_01jd0000000000000000000000', status: 'accepted', upstreamId: 'wamid.OUT', at: '2026-03-02T10:15:04.120Z' }],
  },
});
