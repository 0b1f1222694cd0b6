import {
  ArrayMinSize,
  IsArray,
  IsBoolean,
  IsIn,
  IsISO8601,
  IsObject,
  IsOptional,
  IsString,
  MaxLength,
} from 'class-validator';
import { propertiesOf } from '../body-class';
import { AddedLater, Doc, IsTime, ListOf, Nested, OrNull } from '../body-docs';
import type { ErrorCode } from '../errors';
import { PageReply, PageRequest } from '../lists';
import { command, event, UPDATES_EVENT_BYTES } from '../message-contract';
import { firstFaultOf, IsObjectOrList, IsStorableText } from '../validation';
import { MessagePricing } from './message-pricing';
import { MessageError, REPORTED_STATUSES, type ReportedStatus } from './message-types';

/** Maximum length of `clientRef`, counted as `MaxLength` does. */
export const CLIENT_REF_MAX_CHARACTERS = 128;

/**
 * Labels that a client attaches to a send (spec §3.1.9). They are stored with the message and returned in its record
 * and events, but do not affect what is sent.
 */
export class SendLabels {
  @Doc('Your own reference; returned in records and events', { example: 'order-7781' })
  @IsOptional()
  @IsString()
  @IsStorableText()
  @MaxLength(CLIENT_REF_MAX_CHARACTERS)
  clientRef?: string;
}

/**
 * Labels in records and events, named as in `SendLabels`; null if the send had none. Declare a new label as optional
 * here, because messages from the previous release lack it.
 */
export class MessageLabels {
  @OrNull() @IsString() clientRef: string | null;
}

type Label = keyof MessageLabels;

export type LabelSource = { readonly [Name in Label]?: MessageLabels[Name] | undefined };

export const LABELS: readonly Label[] = propertiesOf(MessageLabels).map(({ name }) => name as Label);

/** Returns only the labels, with null for absent ones. */
export function labelsOf(source: LabelSource): Required<MessageLabels> {
  return Object.fromEntries(LABELS.map((name) => [name, source[name] ?? null])) as unknown as Required<MessageLabels>;
}

/** Returns only the labels that are present. */
export function givenLabelsOf(source: LabelSource): SendLabels {
  return Object.fromEntries(Object.entries(labelsOf(source)).filter(([, value]) => value !== null));
}

/**
 * Validates the labels of one recipient by the rules of `SendLabels`. Returns undefined immediately if there are none.
 */
export function faultOfLabels(source: object): { code: ErrorCode; message: string } | undefined {
  const given = source as LabelSource;
  return LABELS.some((name) => given[name] !== undefined) ? firstFaultOf(SendLabels, source) : undefined;
}

export class ListMessagesCommand extends PageRequest {
  @IsOptional() @IsIn(['inbound', 'outbound']) direction?: 'inbound' | 'outbound';
  @IsOptional() @IsString() status?: string;
  @IsOptional() @IsString() type?: string;
  /** Phone number or upstream user id of the contact. */
  @IsOptional() @IsString() phone?: string;
  @IsOptional() @IsString() jobId?: string;
  @IsOptional() @IsString() clientRef?: string;
  /** Upstream message id. */
  @IsOptional() @IsString() upstreamId?: string;
  /** Upstream group id. */
  @IsOptional() @IsString() groupId?: string;
  /** Part of the text or caption, without case and accents. Templates and one-time passwords never match. */
  @IsOptional() @IsString() text?: string;
  /** Inclusive start of the time range, in ISO 8601. */
  @IsOptional() @IsISO8601() since?: string;
  /** Exclusive end of the time range, in ISO 8601. */
  @IsOptional() @IsISO8601() until?: string;
}

/** Message or product that a message refers to. */
export class ReferredMessage {
  /** Upstream id of the message being replied to. */
  @IsOptional() @IsString() messageId?: string;
  @IsOptional() @IsString() from?: string;
  @IsOptional() @IsBoolean() forwarded?: boolean;
  /** True if the message was forwarded more than five times. */
  @IsOptional() @IsBoolean() frequentlyForwarded?: boolean;
  /** Product that the message asks about, in upstream format. */
  @IsOptional() @IsObject() referredProduct?: object;
}

/**
 * Origin of a message (spec §5.1.9): `api` was sent or received by the service, `business_app` was written in the
 * business's phone app, and `history` predates the number's connection to the service.
 */
export const MESSAGE_ORIGINS = ['api', 'business_app', 'history'] as const;
export type MessageOrigin = (typeof MESSAGE_ORIGINS)[number];

/** Values of `status` in lists; `unknown` only on request (spec §7.2). */
export const SHOWN_STATUSES = ['accepted', 'sent', 'delivered', 'read', 'failed', 'received', 'unknown'] as const;

/**
 * Message fields that the messaging service and the API share (spec §5.1). Times are ISO 8601 UTC with milliseconds.
 */
export class MessageFacts extends MessageLabels {
  @IsString() id: string;
  @IsIn(['inbound', 'outbound']) direction: 'inbound' | 'outbound';
  @Doc("Phone number of the sender; null if the customer's number is hidden") @OrNull() @IsString() from: string | null;
  @Doc(
    'ID of the customer at the upstream platform. Set for a sender, if known, and for a recipient addressed by user id',
  )
  @OrNull()
  @IsString()
  userId: string | null;
  @Doc('User name of the customer on the platform, without the @; null if unknown', { example: 'asha.rao' })
  @OrNull()
  @IsString()
  username: string | null;
  @Doc(
    'Portfolio-wide ID of the contact, the same for all businesses in your portfolio; null if the platform reports none',
    {
      example: 'IN.ENT.20000000000000000001',
    },
  )
  @AddedLater()
  @OrNull()
  @IsString()
  parentUserId?: string | null;
  @Doc('Phone number of the recipient; null for messages sent to a user id') @OrNull() @IsString() to: string | null;
  @Doc('Profile name of the sender; empty if unknown, null for outbound messages')
  @OrNull()
  @IsString()
  name: string | null;
  @Doc('Type of the message, and name of the field with its content') @IsString() type: string;
  @OrNull() @IsString() caption: string | null;
  @Doc(undefined, { enum: SHOWN_STATUSES }) @IsString() status: string;
  @Doc('Message pricing as reported by the platform; null until reported, and for inbound messages')
  @OrNull()
  @Nested(() => MessagePricing)
  pricing: MessagePricing | null;
  @Doc(
    'Whether the platform has accepted the message but is holding it back. False again once the platform reports a further status',
  )
  @AddedLater()
  @IsBoolean()
  held: boolean;
  @OrNull() @IsString() jobId: string | null;
  @IsTime() timestamp: string;
  @IsTime() createdAt: string;
  @OrNull() @IsTime() sentAt: string | null;
  @OrNull() @IsTime() deliveredAt: string | null;
  @Doc('Time at which you first marked an inbound message as read, or at which the recipient read an outbound message')
  @OrNull()
  @IsTime()
  readAt: string | null;
  @OrNull() @IsTime() failedAt: string | null;
  @Doc(
    "`api`: sent or received through the service. `business_app`: written in the business's phone app. `history`: from before the number was connected to the service",
  )
  @AddedLater()
  @IsIn(MESSAGE_ORIGINS)
  origin: MessageOrigin;
}

/** Message as returned by the messaging service. The gateway adds links and renames upstream fields. */
export class MessageRecord extends MessageFacts {
  @IsOptional() @IsString() upstreamId: string | null;
  /** User or API key that requested the message, for the dashboard. */
  @IsOptional() @IsString() senderId?: string | null;
  /** Name of the contact in the account, for the dashboard. */
  @IsOptional() @IsString() contactName?: string | null;
  /** Content in upstream format; the API names the field after the type. */
  @IsOptional() @IsObjectOrList() content: object | null;
  /** Message or product that the message refers to; null if none. */
  @IsOptional() @Nested(() => ReferredMessage) context?: ReferredMessage | null;
  /** Advertisement or post that led the customer to the business, in upstream format. */
  @IsOptional() @IsObject() referral?: object | null;
  /** Errors that prevented upstream from delivering the full inbound message, in upstream format. */
  @IsOptional() @IsArray() errors?: object[] | null;
  @IsOptional() @Nested(() => MessageError) error: MessageError | null;
  /** Time of the author's last edit. */
  @IsOptional() @IsString() editedAt?: string | null;
  /** Time at which the author deleted the message for everyone. Its content here is deleted, too. */
  @IsOptional() @IsString() deletedAt?: string | null;
  /** Upstream id of the group to which the message was sent. */
  @IsOptional() @IsString() groupId?: string | null;
}

export class ListMessagesReply extends PageReply {
  @ListOf(() => MessageRecord) messages: MessageRecord[];
}

export const listMessagesV1 = command({
  name: 'messaging.list-messages.v1',
  owner: 'messaging',
  description: "Returns one page of an account's messages, newest first.",
  request: ListMessagesCommand,
  response: ListMessagesReply,
  changes: false,
  timeoutMs: 5_000,
  sample: {
    request: { accountId: 'acc_01jd0000000000000000000000', page: 1, limit: 20 },
    response: {
      messages: [
        {
          id: 'msg_01jd0000000000000000000000',
          upstreamId: 'wamid.HBgMOTE5ODEyMzQ1Njc4FQIAERgSQUJD',
          direction: 'outbound',
          from: '15550783881',
          userId: null,
          username: null,
          parentUserId: null,
          to: '919812345678',
          name: null,
          type: 'text',
          content: { body: 'Your order has shipped' },
          caption: null,
          status: 'delivered',
          error: null,
          pricing: { category: 'service', billable: false, type: 'free_customer_service', model: 'PMP' },
          held: false,
          jobId: null,
          clientRef: 'order-7781',
          timestamp: '2026-03-02T10:15:00.000Z',
          createdAt: '2026-03-02T10:15:00.000Z',
          sentAt: '2026-03-02T10:15:01.000Z',
          deliveredAt: '2026-03-02T10:15:02.000Z',
          readAt: null,
          failedAt: null,
          origin: 'api' as const,
        },
      ],
      total: 1,
      totalIsExact: true,
      hasNext: false,
      nextCursor: null,
    },
  },
});

export class GetMessageCommand {
  @IsString() accountId: string;
  /** Internal or upstream id of a message. */
  @IsString() id: string;
}

export class GetMessageReply {
  @Nested(() => MessageRecord) message: MessageRecord;
}

const [message] = listMessagesV1.sample.response.messages as [MessageRecord];

/** Error: NOT_FOUND (unknown, or of another account). */
export const getMessageV1 = command({
  name: 'messaging.get-message.v1',
  owner: 'messaging',
  description: 'Returns a message of an account, including one with an unknown outcome.',
  request: GetMessageCommand,
  response: GetMessageReply,
  changes: false,
  timeoutMs: 5_000,
  sample: { request: { accountId: 'acc_01jd0000000000000000000000', id: message.id }, response: { message } },
});

export class MessageReceivedV1 {
  @IsString() accountId: string;
  @IsString() id: string;
  @IsString() upstreamId: string;
  /** Business number that received the message. */
  @IsString() to: string;
  /** Phone number of the sender, or upstream user id if the number is hidden. */
  @IsString() from: string;
  /** Upstream user id of the sender, if known. */
  @IsOptional() @IsString() userId?: string | null;
  /** User name of the sender on the platform, if known. */
  @IsOptional() @IsString() username?: string | null;
  /** User id of the sender that several businesses share, if upstream reports it. */
  @IsOptional() @IsString() parentUserId?: string;
  @IsOptional() @IsString() name: string | null;
  @IsString() type: string;
  @IsOptional() @IsObjectOrList() content: object | null;
  @IsOptional() @Nested(() => ReferredMessage) context?: ReferredMessage | null;
  /** Advertisement or post that led the customer to the business, in upstream format. */
  @IsOptional() @IsObject() referral?: object | null;
  /** Errors that prevented upstream from delivering the full message, in upstream format. */
  @IsOptional() @IsArray() errors?: object[] | null;
  /** Upstream id of the group; absent for a message sent directly to the number. */
  @IsOptional() @IsString() groupId?: string | null;
  /** Time at which the sender wrote the message, in ISO 8601 UTC. */
  @IsString() timestamp: string;
}

export const messageReceivedV1 = event({
  name: 'messaging.message.received.v1',
  producer: 'messaging',
  consumers: ['webhooks'],
  changes: ({ accountId, id }) => [{ accountId, kind: 'message', ids: [id] }],
  maxBytes: UPDATES_EVENT_BYTES,
  description:
    'A customer wrote to a business number. The message is stored and, unless it was written to a group, the service window is open.',
  body: MessageReceivedV1,
  sample: {
    accountId: 'acc_01jd0000000000000000000000',
    id: 'msg_01jd0000000000000000000000',
    upstreamId: 'wamid.IN',
    to: '15550783881',
    from: '919812345678',
    userId: 'IN.10000000000000000001',
    username: null,
    name: 'Asha R',
    type: 'text',
    content: { body: 'Hello' },
    context: { messageId: 'wamid.OUT', from: '15550783881' },
    referral: null,
    errors: null,
    timestamp: '2026-03-02T10:16:00.000Z',
  },
});

export class MessageStatusChangedV1 extends MessageLabels {
  @IsString() accountId: string;
  @IsString() id: string;
  /** Upstream id, or the internal id if there is none, for example because the send was abandoned. */
  @IsString() upstreamId: string;
  /** Phone number or user id of the recipient, as given in the send. */
  @IsString() to: string;
  /** User name of a recipient addressed by user id, if known. */
  @IsOptional() @IsString() username?: string | null;
  /** User id that several businesses share, of a recipient with a user id, if known. */
  @IsOptional() @IsString() parentUserId?: string;
  @IsIn(REPORTED_STATUSES) status: ReportedStatus;
  @IsOptional() @Nested(() => MessageError) error: MessageError | null;
  @IsOptional() @IsString() jobId?: string | null;
  /** Upstream pricing of the message; absent if unknown. */
  @IsOptional() @Nested(() => MessagePricing) pricing?: MessagePricing;
  /** True if a later status had already superseded this one; otherwise absent. */
  @IsOptional() @IsBoolean() late?: boolean;
  /** `traceparent` of the span that sent the message, for span links; absent if no collector received that span. */
  @IsOptional() @IsString() sendTrace?: string;
  /** Time of the change at the upstream platform, in ISO 8601 UTC. */
  @IsString() timestamp: string;
}

export const messageStatusChangedV1 = event({
  name: 'messaging.message-status.changed.v1',
  producer: 'messaging',
  consumers: ['webhooks'],
  changes: ({ accountId, id }) => [{ accountId, kind: 'status', ids: [id] }],
  description:
    'The status of a message changed, or a superseded status arrived (`late`). Published once per message and status. Statuses from callbacks are published as `messaging.message-status.changed.v2`, unless `GROUP_STATUS_EVENTS` is `false`.',
  body: MessageStatusChangedV1,
  sample: {
    accountId: 'acc_01jd0000000000000000000000',
    id: 'msg_01jd0000000000000000000000',
    upstreamId: 'wamid.OUT',
    to: '919812345678',
    status: 'failed',
    error: {
      reason: 'WINDOW_CLOSED',
      code: 131047,
      title: 'Re-engagement message',
      message: 'the 24-hour window is closed',
      category: 'window',
      retriable: false,
    },
    clientRef: 'order-7781',
    jobId: null,
    timestamp: '2026-03-02T10:15:04.120Z',
  },
});

/** Maximum size of the changes in one event as JSON, in bytes: more than a hundred typical changes. */
export const STATUS_CHANGES_BYTES = 61_440;

/** Statuses applied together, each as in `MessageStatusChangedV1`. */
export class MessageStatusChangedV2 {
  @ArrayMinSize(1)
  @ListOf(() => MessageStatusChangedV1)
  changes: MessageStatusChangedV1[];
}

export const messageStatusChangedV2 = event({
  name: 'messaging.message-status.changed.v2',
  producer: 'messaging',
  consumers: ['webhooks'],
  changes: ({ changes }) => changes.map(({ accountId, id }) => ({ accountId, kind: 'status', ids: [id] })),
  // A batch write every 10 ms takes all unacknowledged messages. A prefetch of 40 limited throughput for events with
  // one change.
  prefetch: 100,
  maxBytes: STATUS_CHANGES_BYTES + 4_096,
  description:
    'The statuses of messages changed, or superseded statuses arrived (`late`): many changes per event, across accounts, in order for each message.',
  body: MessageStatusChangedV2,
  sample: { changes: [messageStatusChangedV1.sample] },
});

/** Reasons why the platform holds back an accepted message (spec §11.8.1). */
export const HELD_REASONS = ['quality_assessment', 'paused'] as const;
export type HeldReason = (typeof HELD_REASONS)[number];

export class MessageHeldV1 extends MessageLabels {
  @IsString() accountId: string;
  @IsString() id: string;
  @IsString() upstreamId: string;
  @IsString() to: string;
  @IsIn(HELD_REASONS) reason: HeldReason;
  @IsOptional() @IsString() jobId: string | null;
  /** Time at which the service received the report, in ISO 8601 UTC. */
  @IsString() timestamp: string;
}

export const messageHeldV1 = event({
  name: 'messaging.message.held.v1',
  producer: 'messaging',
  consumers: ['webhooks'],
  changes: ({ accountId, id }) => [{ accountId, kind: 'status', ids: [id] }],
  description: 'The upstream platform accepted a message and is holding it back. Published once per message.',
  body: MessageHeldV1,
  sample: {
    accountId: 'acc_01jd0000000000000000000000',
    id: 'msg_01jd0000000000000000000000',
    upstreamId: 'wamid.OUT',
    to: '919812345678',
    reason: 'quality_assessment',
    clientRef: 'order-7781',
    jobId: null,
    timestamp: '2026-03-02T10:15:04.120Z',
  },
});
