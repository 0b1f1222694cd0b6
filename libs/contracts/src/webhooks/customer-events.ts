import { Equals, IsBoolean, IsIn, IsInt, IsObject, IsOptional, IsString, Min } from 'class-validator';
import {
  BodySchema,
  Doc,
  IntersectionType,
  IsTime,
  ListOf,
  Nested,
  OrNull,
  pascalCase,
  PHONE_SCHEMA,
} from '../body-docs';
import { Failure } from '../failure';
import { JobError, PAUSE_REASONS, type PauseReason } from '../jobs/jobs.v1';
import { INBOUND_TYPES } from '../messaging/inbound-content';
import { MessagePricing } from '../messaging/message-pricing';
import { REPORTED_STATUSES, type ReportedStatus } from '../messaging/message-types';
import { labelsOf, MessageLabels } from '../messaging/messages.v1';
import { ReportedError } from '../messaging/reported-errors';
import { TEMPLATE_STATUSES, type TemplateStatus } from '../templates/template-records';
import {
  InteractiveReply,
  PressedButton,
  Referral,
  REFERRAL_DOC,
  ReferredProduct,
  ShownCard,
  ShownInteractive,
  ShownLocation,
  ShownMedia,
  ShownOrder,
  ShownReaction,
  ShownText,
  ShownUnsupported,
} from './shown-contents';

const JOB_NAME = 'Order updates, Monday';
const [JOB, MESSAGE, EVENT, AT] = [
  'job_01jd0000000000000000000000',
  'msg_01jd0000000000000000000000',
  'evt_01jd0000000000000000000000',
  '2026-03-02T10:15:04.120Z',
];
export const MESSAGE_ID_DOC = 'ID of the message in the service, the same in every event about the message';
export const GROUP_DOC = 'ID of the group at the upstream platform; absent for a message sent to you directly';
const JOB_ID_DOC = 'Job ID from the response to the bulk request';

export const ERRORS_DOC = 'Reasons why the upstream platform could not deliver the full message; usually absent';

/** Message content, keyed by message type (spec §5.1.3). */
export class ShownContents {
  @IsOptional() @Nested(() => ShownText) text?: ShownText;
  @IsOptional() @Nested(() => ShownMedia) image?: ShownMedia;
  @IsOptional() @Nested(() => ShownMedia) video?: ShownMedia;
  @IsOptional() @Nested(() => ShownMedia) audio?: ShownMedia;
  @IsOptional() @Nested(() => ShownMedia) document?: ShownMedia;
  @IsOptional() @Nested(() => ShownMedia) sticker?: ShownMedia;
  @IsOptional() @Nested(() => ShownLocation) location?: ShownLocation;
  @IsOptional() @Nested(() => PressedButton) button?: PressedButton;
  @IsOptional() @Nested(() => ShownInteractive) interactive?: ShownInteractive;
  @IsOptional() @Nested(() => ShownReaction) reaction?: ShownReaction;
  @IsOptional() @Nested(() => ShownOrder) order?: ShownOrder;
  @IsOptional() @ListOf(() => ShownCard) contacts?: ShownCard[];
  @IsOptional() @Nested(() => ShownUnsupported) unsupported?: ShownUnsupported;
}

export class EventEnvelope {
  @Doc('ID of the event, the same on every delivery attempt; use it to discard duplicates', { example: EVENT })
  @IsString()
  eventId: string;
}

@BodySchema({ description: 'Message being replied to, or forwarding details' })
export class MessageContext {
  @IsOptional() @IsString() messageId?: string;
  @IsOptional() @IsString() from?: string;
  @IsOptional() @IsBoolean() forwarded?: boolean;
  @IsOptional() @IsBoolean() frequentlyForwarded?: boolean;
  @IsOptional() @IsObject() @Nested(() => ReferredProduct) referredProduct?: ReferredProduct;
}

const PARENT_USER_ID_DOC =
  'Portfolio-wide ID of the contact, the same for all businesses in your portfolio; absent if the platform reports none';
const PARENT_USER_ID_EXAMPLE = { example: 'IN.ENT.20000000000000000001' };

/** Message types that may lack content, because nothing is known about it. */
export const WITHOUT_CONTENT = ['unsupported'];

/** Message received from a contact (spec §11.3.4). */
@BodySchema({
  description: 'Message from a customer, with its content in the field named by `type`',
  kinds: { by: 'type', nameOf: (type) => `${pascalCase(type)}MessageEvent`, mayLack: WITHOUT_CONTENT },
  example: () => ({
    event: 'message',
    from: '919812345678',
    name: 'Asha R',
    messageId: 'wamid.HBg',
    type: 'text',
    text: { body: 'Where is my order?' },
    timestamp: '2026-03-02T10:16:00.000Z',
    to: '15550783881',
    id: MESSAGE,
    userId: null,
    username: null,
    eventId: EVENT,
  }),
})
export class MessageEvent extends ShownContents {
  @Equals('message') event: 'message';
  @Doc('Phone number of the sender; null if the number is hidden') @OrNull() @IsString() from: string | null;
  @Doc('Profile name of the sender; empty if unknown') @IsString() name: string;
  @Doc('ID of the message at the upstream platform') @IsString() messageId: string;
  @IsIn([...INBOUND_TYPES, 'unsupported']) type: string;
  @IsOptional() @Nested(() => InteractiveReply) override interactive?: InteractiveReply;
  @IsOptional() @Nested(() => MessageContext) context?: MessageContext;
  @Doc(REFERRAL_DOC) @IsOptional() @Nested(() => Referral) referral?: Referral;
  @Doc(ERRORS_DOC) @IsOptional() @ListOf(() => ReportedError) errors?: ReportedError[];
  @Doc(GROUP_DOC) @IsOptional() @IsString() groupId?: string;
  @IsTime() timestamp: string;
  @IsString() to: string;
  @Doc(MESSAGE_ID_DOC, { example: MESSAGE }) @IsString() id: string;
  @Doc('ID of the sender at the upstream platform, if known; never null when `from` is')
  @OrNull()
  @IsString()
  userId: string | null;
  @Doc('User name of the sender on the platform, without the @; null if unknown', { example: 'asha.rao' })
  @OrNull()
  @IsString()
  username: string | null;
  @Doc(PARENT_USER_ID_DOC, PARENT_USER_ID_EXAMPLE) @IsOptional() @IsString() parentUserId?: string;
  @Doc('ID of the event, the same on every delivery attempt; use it to discard duplicates', { example: EVENT })
  @IsString()
  eventId: string;
}

/** Status change of an outbound message: sent, delivered, read or failed (spec §11.3.10). */
@BodySchema({
  example: () => ({
    event: 'message_status',
    messageId: 'wamid.HBg',
    to: '919812345678',
    status: 'failed',
    timestamp: AT,
    error: {
      reason: 'WINDOW_CLOSED',
      code: 131047,
      title: 'Re-engagement message',
      message: 'the 24-hour window is closed',
      category: 'window',
      retriable: false,
    },
    jobId: null,
    ...labelsOf({ clientRef: 'order-7781' }),
    id: MESSAGE,
    userId: null,
    username: null,
    eventId: EVENT,
  }),
})
export class MessageStatusEvent extends IntersectionType(EventEnvelope, MessageLabels) {
  @Equals('message_status') event: 'message_status';
  @Doc(
    "ID of the message at the upstream platform, as in the `message_id` of the send's response; null if the response had none",
  )
  @OrNull()
  @IsString()
  messageId: string | null;
  @Doc('Phone number of the recipient; null for a send to a user id') @OrNull() @IsString() to: string | null;
  @IsIn(REPORTED_STATUSES) status: ReportedStatus;
  @IsTime() timestamp: string;
  @OrNull() @Nested(() => Failure) error: Failure | null;
  @OrNull() @IsString() jobId: string | null;
  @Doc(MESSAGE_ID_DOC, { example: MESSAGE }) @IsString() id: string;
  @Doc('User id of the recipient; null for a send to a phone number') @OrNull() @IsString() userId: string | null;
  @Doc('User name of the recipient on the platform, if addressed by user id; null if unknown')
  @OrNull()
  @IsString()
  username: string | null;
  @Doc(`${PARENT_USER_ID_DOC}, or the message was sent to a phone number`, PARENT_USER_ID_EXAMPLE)
  @IsOptional()
  @IsString()
  parentUserId?: string;
  @Doc('Message pricing as reported by the platform; absent if not reported')
  @IsOptional()
  @Nested(() => MessagePricing)
  pricing?: MessagePricing;
  @Doc('True if a later status had already superseded this status; absent otherwise')
  @IsOptional()
  @Equals(true)
  late?: true;
}

/** Status change of a template: approved, rejected, flagged or disabled (spec §11.3.15). */
@BodySchema({
  example: () => ({
    event: 'template_status',
    templateName: 'order_update',
    templateId: '1407',
    status: 'REJECTED',
    timestamp: AT,
    language: 'en_US',
    category: 'UTILITY',
    previousStatus: 'PENDING',
    reason: 'INVALID_FORMAT',
    sendable: false,
    eventId: EVENT,
  }),
})
export class TemplateStatusEvent extends EventEnvelope {
  @Equals('template_status') event: 'template_status';
  @IsString() templateName: string;
  @IsString() templateId: string;
  @IsIn(TEMPLATE_STATUSES) status: TemplateStatus;
  @IsTime() timestamp: string;
  @IsString() language: string;
  @OrNull() @IsString() category: string | null;
  @OrNull() @IsString() previousStatus: string | null;
  @OrNull() @IsString() reason: string | null;
  @Doc('Whether the template can be sent. If true for a `FLAGGED` template, the flag is only a warning by the platform')
  @IsBoolean()
  sendable: boolean;
}

/** Change in the quality rating of a business number (spec §11.3.17). */
@BodySchema({
  example: () => ({
    event: 'phone_number_quality',
    phoneNumber: '15550783881',
    qualityRating: 'YELLOW',
    previousQualityRating: 'GREEN',
    messagingLimit: 'TIER_10K',
    timestamp: AT,
    eventId: EVENT,
  }),
})
export class PhoneNumberQualityEvent extends EventEnvelope {
  @Equals('phone_number_quality') event: 'phone_number_quality';
  @Doc(undefined, PHONE_SCHEMA) @IsString() phoneNumber: string;
  @Doc(undefined, { enum: ['GREEN', 'YELLOW', 'RED', 'UNKNOWN'] }) @IsString() qualityRating: string;
  @OrNull() @IsString() previousQualityRating: string | null;
  @OrNull() @IsString() messagingLimit: string | null;
  @IsTime() timestamp: string;
}

class JobEvent extends EventEnvelope {
  @Doc(JOB_ID_DOC, { example: JOB }) @IsString() jobId: string;
  @Doc('Name of the job; null without a name') @OrNull() @IsString() name: string | null;
}

/** Bulk job that has attempted all its recipients (spec §11.3.18). */
@BodySchema({
  example: () => ({
    event: 'job_completed',
    jobId: JOB,
    timestamp: AT,
    total: 50_000,
    failed: 12,
    name: JOB_NAME,
    eventId: EVENT,
  }),
})
export class JobCompletedEvent extends JobEvent {
  @Equals('job_completed') event: 'job_completed';
  @Doc("The job's `completedAt`") @IsTime() timestamp: string;
  @IsInt() @Min(0) total: number;
  @Doc('Number of failed messages so far; a sent message may still fail') @IsInt() @Min(0) failed: number;
}

/** Bulk job that was paused by request or automatically (spec §11.3.18). */
@BodySchema({
  example: () => ({
    event: 'job_paused',
    jobId: JOB,
    timestamp: AT,
    pauseReason: 'TEMPLATE_NOT_APPROVED',
    name: JOB_NAME,
    eventId: EVENT,
  }),
})
export class JobPausedEvent extends JobEvent {
  @Equals('job_paused') event: 'job_paused';
  @IsTime() timestamp: string;
  @IsIn(PAUSE_REASONS) pauseReason: PauseReason;
}

/** Bulk job that could not run (spec §11.3.18). */
@BodySchema({
  example: () => ({
    event: 'job_failed',
    jobId: JOB,
    timestamp: AT,
    total: 3,
    failed: 3,
    error: { code: 'INVALID_VALUE', message: 'the account has no such number' },
    name: null,
    eventId: EVENT,
  }),
})
export class JobFailedEvent extends JobEvent {
  @Equals('job_failed') event: 'job_failed';
  @Doc("The job's `completedAt`") @IsTime() timestamp: string;
  @IsInt() @Min(0) total: number;
  @IsInt() @Min(0) failed: number;
  @OrNull() @Nested(() => JobError) error: JobError | null;
}
