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
  Min,
  ValidateNested,
} from 'class-validator';
import { ListOf, Nested } from '../body-docs';
import { Type } from '../body-values';
import { command, CONTENT_BYTES, event, PART_BYTES, task } from '../message-contract';
import { IsRecipient } from '../validation';
import { MESSAGE_STATUSES, MessageError, TemplateComponent } from './message-types';
import { SendLabels } from './messages.v1';
import { MessageContent } from './sends.v1';
import { SpendLimit } from './spend-caps.v1';

/** Maximum recipients with their own components per call. */
export const CHECKED_RECIPIENTS_MAX = 500;

/** Components of one recipient, which override those of the job. */
export class RecipientComponents {
  @IsArray()
  @ArrayMaxSize(50)
  @ValidateNested({ each: true })
  @Type(() => TemplateComponent)
  components: TemplateComponent[];
}

/** Maximum next recipients of one `CheckJobCommand`. */
export const NEXT_RECIPIENTS_MAX = 100;

export class CheckJobCommand {
  @IsString() accountId: string;
  @IsObject() @Nested(() => MessageContent) message: MessageContent;
  /** Recipients whose own components are checked; if empty or absent, checks the components of the message itself. */
  @IsOptional()
  @IsArray()
  @ArrayMaxSize(CHECKED_RECIPIENTS_MAX)
  @ValidateNested({ each: true })
  @Type(() => RecipientComponents)
  recipients?: RecipientComponents[];
  /**
   * True to read the template from the templates service instead of the cache. Needed for a job that was paused because
   * its template changed, which the cache may not reflect yet.
   */
  @IsOptional() @IsBoolean() freshTemplate?: boolean;
  /** Spend cap of the job. INVALID_VALUE if the rate card has another currency. */
  @IsOptional() @IsObject() @Nested(() => SpendLimit) maxSpend?: SpendLimit;
  /** ID of the job to resume. SPEND_CAP_REACHED if a cap does not allow any of its messages. */
  @IsOptional() @IsString() jobId?: string;
  /** Next recipients of the job to be resumed: a cap must leave enough for one of them. */
  @IsOptional() @IsArray() @ArrayMaxSize(NEXT_RECIPIENTS_MAX) @IsRecipient({ each: true }) nextRecipients?: string[];
  /** Time of the sends of the job to be resumed, in ISO 8601; the present time if absent. */
  @IsOptional() @IsISO8601() at?: string;
}

/** Mismatch between a recipient's components and the template; `code` is an API error code (spec §6.2). */
export class RecipientFault {
  /** Zero-based position in the given list. */
  @IsInt() @Min(0) index: number;
  @IsString() code: string;
  @IsString() message: string;
}

export class CheckedTemplateFacts {
  @IsString() name: string;
  @IsString() language: string;
  /** Template category in upper case, for example MARKETING. */
  @IsString() category: string;
  /** Names of the body variables in order: `1`, `2`, … or named. For the previous version of the jobs service. */
  @IsArray() @IsString({ each: true }) bodyVariables: string[];
  /** Stored components, for `templateVariables`; the previous version did not send them. */
  @IsOptional() @IsArray() components?: object[];
}

export class CheckJobReply {
  @IsString() phoneNumber: string;
  /** Messages per second that the upstream platform accepts from the number. */
  @IsInt() throughput: number;
  @IsOptional() @Nested(() => CheckedTemplateFacts) template: CheckedTemplateFacts | null;
  /** True if the service enforces `maxSpend`; the previous version did not. */
  @IsOptional() @IsBoolean() hasSpendCaps?: boolean;
  @ListOf(() => RecipientFault) faults: RecipientFault[];
}

export const checkJobV1 = command({
  name: 'messaging.check-job.v1',
  owner: 'messaging',
  callers: ['jobs'],
  description:
    "Validates a bulk job before any recipient is stored: the number, the template, the recipients' variables.",
  request: CheckJobCommand,
  response: CheckJobReply,
  changes: false,
  timeoutMs: 10_000,
  maxBytes: CONTENT_BYTES + PART_BYTES,
  sample: {
    request: {
      accountId: 'acc_01jd0000000000000000000000',
      message: { type: 'template', template: { name: 'order_update', language: { code: 'en_US' } } },
      recipients: [{ components: [{ type: 'body', parameters: [{ type: 'text' as const, text: 'A-17' }] }] }],
    },
    response: {
      phoneNumber: '15550783881',
      throughput: 80,
      template: {
        name: 'order_update',
        language: 'en_US',
        category: 'UTILITY',
        bodyVariables: ['1', '2'],
        components: [{ type: 'BODY', text: 'Order {{1}} ships on {{2}}.' }],
      },
      faults: [
        {
          index: 0,
          code: 'TEMPLATE_PARAMS_MISMATCH',
          message: 'template parameters do not match the template: the body expects 2, 1 given',
        },
      ],
    },
  },
});

/** Maximum recipients of one task. */
export const JOB_MESSAGES_MAX = 100;

/** Recipient of a job and the message for it. */
export class JobRecipient extends SendLabels {
  /** Message id chosen by the job and stored with the recipient, so that a redelivered task sends the message once. */
  @IsString() messageId: string;
  @IsString() @IsRecipient() to: string;
  /** Overrides the components of the job's template for this recipient. */
  @IsOptional()
  @IsArray()
  @ArrayMaxSize(50)
  @ValidateNested({ each: true })
  @Type(() => TemplateComponent)
  components?: TemplateComponent[];
}

/** Maximum number of business numbers of a job. */
export const JOB_NUMBERS_MAX = 20;

export class SendJobMessagesV1 {
  @IsString() accountId: string;
  @IsString() jobId: string;
  /** Message to send; `from` is the business number that sends to these recipients. */
  @IsObject() @Nested(() => MessageContent) message: MessageContent;
  @IsArray()
  @ArrayMinSize(1)
  @ArrayMaxSize(JOB_MESSAGES_MAX)
  @ValidateNested({ each: true })
  @Type(() => JobRecipient)
  recipients: JobRecipient[];
  /**
   * Numbers that send for the job. Present if it has several and its message is not a template. If only another of them
   * has an open window with a recipient, the recipient is returned to the job as `throttled`, with that number.
   */
  @IsOptional() @IsArray() @ArrayMaxSize(JOB_NUMBERS_MAX) @IsString({ each: true }) numbers?: string[];
  /** Spend cap of the job; absent if it has none. */
  @IsOptional() @IsObject() @Nested(() => SpendLimit) maxSpend?: SpendLimit;
}

export const sendJobMessagesV1 = task({
  name: 'messaging.send-job-messages.v1',
  owner: 'messaging',
  senders: ['jobs'],
  description:
    'Sends one message to some recipients of a bulk job. `messaging.job-messages.changed.v1` reports the outcomes.',
  body: SendJobMessagesV1,
  delaysSeconds: [],
  // Each task covers many recipients and uses one of the few database connections at its start and end.
  prefetch: 8,
  maxBytes: CONTENT_BYTES + PART_BYTES,
  sample: {
    accountId: 'acc_01jd0000000000000000000000',
    jobId: 'job_01jd0000000000000000000000',
    message: { type: 'template', from: '15550783881', template: { name: 'order_update', language: { code: 'en_US' } } },
    recipients: [{ messageId: 'msg_01jd0000000000000000000000', to: '919812345678', clientRef: 'order-7781' }],
  },
});

export class FailJobMessagesV1 extends SendJobMessagesV1 {
  /** Reason why none of the messages was sent. */
  @IsObject() @Nested(() => MessageError) error: MessageError;
}

export const failJobMessagesV1 = task({
  name: 'messaging.fail-job-messages.v1',
  owner: 'messaging',
  senders: ['jobs'],
  description:
    'Records that messages of a bulk job failed before they were sent, and notifies the customer. The job already has the failures.',
  body: FailJobMessagesV1,
  delaysSeconds: [],
  prefetch: 4,
  maxBytes: CONTENT_BYTES + PART_BYTES,
  sample: {
    accountId: 'acc_01jd0000000000000000000000',
    jobId: 'job_01jd0000000000000000000000',
    message: { type: 'template', from: '15550783881', template: { name: 'order_update', language: { code: 'en_US' } } },
    recipients: [{ messageId: 'msg_01jd0000000000000000000000', to: '919812345678', clientRef: 'order-7781' }],
    error: {
      reason: 'JOB_EXPIRED',
      code: 0,
      title: 'Job expired',
      message: "the job's expireAt passed before this recipient was sent to",
      category: 'other',
      retriable: true,
    },
  },
});

/**
 * Outcomes of a job's message: a message status, or a message that was certainly not sent and must wait. `throttled`:
 * the upstream platform's rate limit was reached. `held`: no message of the job can be sent now, because the number is
 * stopped, the template is not approved, or a spend cap is reached.
 */
export const JOB_MESSAGE_STATUSES = [...MESSAGE_STATUSES, 'throttled', 'held'] as const;
export type JobMessageStatus = (typeof JOB_MESSAGE_STATUSES)[number];

/** What a throttling applies to: the whole number or one recipient. */
export const THROTTLE_SCOPES = ['number', 'recipient'] as const;
export type ThrottleScope = (typeof THROTTLE_SCOPES)[number];

/** Reasons why a job's messages are held. */
export const HOLD_REASONS = ['NUMBER_STOPPED', 'TEMPLATE_NOT_APPROVED', 'SPEND_CAP'] as const;
export type HoldReason = (typeof HOLD_REASONS)[number];

export class JobMessageChange {
  @IsString() messageId: string;
  @IsIn(JOB_MESSAGE_STATUSES) status: JobMessageStatus;
  /** Upstream id, once the platform has assigned one. */
  @IsOptional() @IsString() upstreamId?: string | null;
  /** Failure reason; present if the status is `failed`. */
  @IsOptional() @Nested(() => MessageError) error?: MessageError | null;
  /** Reason for holding; present if the status is `held`. */
  @IsOptional() @IsIn(HOLD_REASONS) reason?: HoldReason;
  /** Number that can send no more; present if the status is `held`, unless an earlier version reports it. */
  @IsOptional() @IsString() heldNumber?: string;
  /** Milliseconds during which nothing should be sent within the scope; present if the status is `throttled`. */
  @IsOptional() @IsInt() @Min(0) retryAfterMs?: number;
  /** Scope of the throttling; defaults to the number. */
  @IsOptional() @IsIn(THROTTLE_SCOPES) scope?: ThrottleScope;
  /** Number that sent the message of a repeated task. If `throttled`, the number that must send the message. */
  @IsOptional() @IsString() from?: string;
  /** Time of the outcome in ISO 8601 UTC. */
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
  description:
    'Outcomes of the messages of a bulk job: many changes per event, each published at least once. Apply them in order of their time.',
  body: JobMessagesChangedV1,
  sample: {
    accountId: 'acc_01jd0000000000000000000000',
    jobId: 'job_01jd0000000000000000000000',
    changes: [
      {
        messageId: 'msg_01jd0000000000000000000000',
        status: 'accepted',
        upstreamId: 'wamid.OUT',
        at: '2026-03-02T10:15:04.120Z',
      },
    ],
  },
});
