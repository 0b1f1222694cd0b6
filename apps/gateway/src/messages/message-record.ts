import {
  Answer,
  camelCaseKeys,
  Doc,
  Either,
  ERRORS_DOC,
  Failure,
  failureOf,
  GROUP_DOC,
  inboundContent,
  IsTime,
  ListOf,
  listMessagesV1,
  MESSAGE_ORIGINS,
  MessageContext,
  type MessageOrigin,
  MessagePricing,
  type MessageRecord,
  Nested,
  OrNull,
  Referral,
  REFERRAL_DOC,
  ReportedError,
  reportedErrors,
  ShownContents,
  UPSTREAM_MESSAGE_ID,
} from '@switchboard/contracts';
import { IsBoolean, IsIn, IsObject, IsOptional, IsString } from 'class-validator';
import { Pagination, paginationOf } from '../pagination/pagination';

/** What `status` of a message may be in a list; `unknown` only where it was asked for (spec §7.2). */
export const SHOWN_STATUSES = ['accepted', 'sent', 'delivered', 'read', 'failed', 'received', 'unknown'] as const;

/** A message as the API shows it (spec §5.1). */
export class Message extends ShownContents {
  @IsString() id: string;
  @Doc("The upstream platform's identifier") @OrNull() @IsString() @Either(UPSTREAM_MESSAGE_ID) message_id:
    | string
    | null;
  @Doc('The same as `message_id`, which takes its place', { deprecated: true })
  @OrNull()
  @IsString()
  @Either(UPSTREAM_MESSAGE_ID)
  messageId: string | null;
  @IsIn(['inbound', 'outbound']) direction: 'inbound' | 'outbound';
  @Doc('A phone number; null for a customer who hides it') @OrNull() @IsString() from: string | null;
  @Doc("The upstream platform's id of the customer: who wrote in, where it gave one, or whom you sent to by it")
  @OrNull()
  @IsString()
  userId: string | null;
  @Doc("The customer's name on the platform, without an @; null where it is unknown", { example: 'asha.rao' })
  @OrNull()
  @IsString()
  username: string | null;
  @Doc('Null for what you sent to a user id') @OrNull() @IsString() to: string | null;
  @Doc('The profile name of the customer who wrote in, empty when unknown; null for what the account sent')
  @OrNull()
  @IsString()
  name: string | null;
  @Doc('The content stands under the name of the type') @IsString() type: string;
  @IsOptional() @IsObject() template?: object;
  @OrNull() @IsString() caption: string | null;
  @Doc('The message that this one answers, or how it was forwarded; absent otherwise')
  @IsOptional()
  @Nested(() => MessageContext)
  context?: MessageContext;
  @Doc(REFERRAL_DOC) @IsOptional() @Nested(() => Referral) referral?: Referral;
  @Doc(ERRORS_DOC) @IsOptional() @ListOf(() => ReportedError) errors?: ReportedError[];
  @IsIn(SHOWN_STATUSES) status: string;
  @OrNull() @Nested(() => Failure) error: Failure | null;
  @Doc('How the platform charges it; null until it has told, and for what came in')
  @OrNull()
  @Nested(() => MessagePricing)
  pricing: MessagePricing | null;
  @Doc('The platform took the message and holds it back, until it reports more of it') @IsBoolean() held: boolean;
  @OrNull() @IsString() jobId: string | null;
  @OrNull() @IsString() clientRef: string | null;
  @IsTime() timestamp: string;
  @IsTime() createdAt: string;
  @OrNull() @IsTime() sentAt: string | null;
  @OrNull() @IsTime() deliveredAt: string | null;
  @Doc('Of a message that came in: when you first marked it as read') @OrNull() @IsTime() readAt: string | null;
  @OrNull() @IsTime() failedAt: string | null;
  @Doc('When whoever wrote it last changed it; absent otherwise') @IsOptional() @IsTime() editedAt?: string;
  @Doc('When whoever wrote it deleted it; nothing is left of its content then. Absent otherwise')
  @IsOptional()
  @IsTime()
  deletedAt?: string;
  @Doc(GROUP_DOC) @IsOptional() @IsString() groupId?: string;
  @Doc(
    "`api`: sent by the service, or came in to it. `business_app`: written in the business's phone app. `history`: from before the number came to the service",
  )
  @IsIn(MESSAGE_ORIGINS)
  origin: MessageOrigin;
}

const shownSamples = (): Message[] =>
  listMessagesV1.sample.response.messages.map((message) => messageItem(message, 'https://api.example.com'));

@Answer({ example: () => ({ success: true, message: shownSamples()[0] }) })
export class MessageAnswer {
  @Nested(() => Message) message: Message;
}

@Answer({
  example: () => ({
    success: true,
    messages: shownSamples(),
    pagination: paginationOf({ page: 1, limit: 20 }, listMessagesV1.sample.response),
  }),
})
export class MessageList {
  @ListOf(() => Message) messages: Message[];
  @Nested(() => Pagination) pagination: Pagination;
}

/**
 * A message as the API lists it (spec §5.1); its content stands under the name of its type, as in the request or in the
 * event.
 * @param publicBaseUrl where customers reach the API, without the version
 */
export function messageItem(record: MessageRecord, publicBaseUrl: string): Message {
  const { id, upstreamId, direction, from, userId = null, username = null, to, name, caption, status, error } = record;
  const { jobId, clientRef, pricing = null, held = false, origin = 'api' } = record;
  const { type, content } =
    direction === 'inbound' || origin !== 'api' ? inboundContent(record.type, record.content, publicBaseUrl) : record;
  const errors = reportedErrors(record.errors);
  const {
    context,
    referral,
    timestamp,
    createdAt,
    sentAt,
    deliveredAt,
    readAt,
    failedAt,
    editedAt,
    deletedAt,
    groupId,
  } = record;
  const head = { id, message_id: upstreamId, messageId: upstreamId, direction, from, userId, username, to, name, type };
  const tail = {
    caption,
    ...(context && { context }),
    ...(referral && { referral: camelCaseKeys(referral) as Referral }),
    ...(errors && { errors }),
    status,
    error: error && failureOf(error),
    pricing,
    held,
    jobId,
    clientRef,
    timestamp,
    createdAt,
    sentAt,
    deliveredAt,
    readAt,
    failedAt,
    ...(editedAt && { editedAt }),
    ...(deletedAt && { deletedAt }),
    ...(groupId && { groupId }),
    origin,
  };
  // The fixed fields win over an upstream type that bears the name of one of them.
  return content === undefined || type in head || type in tail
    ? { ...head, ...tail }
    : { ...head, [type]: content, ...tail };
}
