import {
  declaredOf,
  Answer,
  camelCaseKeys,
  Doc,
  Either,
  ERRORS_DOC,
  Failure,
  failureOf,
  GROUP_DOC,
  inboundContent,
  IntersectionType,
  IsTime,
  labelsOf,
  ListOf,
  listMessagesV1,
  MessageContext,
  MessageFacts,
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
import { IsObject, IsOptional, IsString } from 'class-validator';
import { Pagination, paginationOf } from '../pagination/pagination';

/** Message as shown in the API (spec §5.1). */
export class Message extends IntersectionType(MessageFacts, ShownContents) {
  @Doc('ID assigned by the upstream platform') @OrNull() @IsString() @Either(UPSTREAM_MESSAGE_ID) message_id:
    | string
    | null;
  @Doc('Deprecated: use `message_id`, which has the same value', { deprecated: true })
  @OrNull()
  @IsString()
  @Either(UPSTREAM_MESSAGE_ID)
  messageId: string | null;
  @IsOptional() @IsObject() template?: object;
  @Doc('Message being replied to, or forwarding details; absent otherwise')
  @IsOptional()
  @Nested(() => MessageContext)
  context?: MessageContext;
  @Doc(REFERRAL_DOC) @IsOptional() @Nested(() => Referral) referral?: Referral;
  @Doc(ERRORS_DOC) @IsOptional() @ListOf(() => ReportedError) errors?: ReportedError[];
  @OrNull() @Nested(() => Failure) error: Failure | null;
  @Doc("Time of the sender's last edit; absent if the message was not edited")
  @IsOptional()
  @IsTime()
  editedAt?: string;
  @Doc('Time at which the sender deleted the message, which removes its content; absent otherwise')
  @IsOptional()
  @IsTime()
  deletedAt?: string;
  @Doc(GROUP_DOC) @IsOptional() @IsString() groupId?: string;
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
 * Returns a message in API format (spec §5.1). The content is in the field named after the type, as in requests and
 * events. Other fields are unchanged.
 * @param publicBaseUrl public URL of the API, without the version
 */
export function messageItem(record: MessageRecord, publicBaseUrl: string): Message {
  // Omits the contact's name, which only the dashboard shows, and fields that a later version of messaging may send.
  const { id, ...facts } = declaredOf(MessageFacts, record);
  const {
    upstreamId,
    content: stored,
    error,
    context,
    referral,
    errors: reported,
    editedAt,
    deletedAt,
    groupId,
  } = record;
  const isApiSend = facts.direction === 'outbound' && facts.origin === 'api';
  const { type, content } = isApiSend
    ? { type: facts.type, content: stored }
    : inboundContent(facts.type, stored, publicBaseUrl);
  const errors = reportedErrors(reported);
  const item = {
    id,
    message_id: upstreamId,
    messageId: upstreamId,
    ...facts,
    // An earlier version of messaging may not know all labels.
    ...labelsOf(record),
    type,
    ...(context && { context }),
    ...(referral && { referral: camelCaseKeys(referral) as Referral }),
    ...(errors && { errors }),
    error: error && failureOf(error),
    ...(editedAt && { editedAt }),
    ...(deletedAt && { deletedAt }),
    ...(groupId && { groupId }),
  };
  // The fixed fields take precedence over an upstream type with the same name.
  return content === undefined || type in item ? item : { ...item, [type]: content };
}
