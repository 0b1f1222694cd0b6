import {
  ArrayMaxSize,
  ArrayMinSize,
  IsBoolean,
  IsIn,
  IsInt,
  IsObject,
  IsOptional,
  IsString,
  Min,
  MinLength,
  ValidateIf,
  ValidateNested,
} from 'class-validator';
import { BodySchema, Doc, Either, IntersectionType, ListOf, Nested, pascalCase } from '../body-docs';
import { Type } from '../body-values';
import { command, CONTENT_BYTES, SMALL_COMMAND_BYTES, TEMPLATE_VALUES_MAX_BYTES } from '../message-contract';
import {
  HasNoFault,
  HasNoForeignCaption,
  IsPhone,
  IsRecipient,
  IsStorableText,
  MaxJsonBytes,
  MaxUnits,
} from '../validation';
import { type InteractiveContent, IsInteractive } from './interactive';
import {
  AudioContent,
  BULK_TYPES,
  CAPTION_DOC,
  CAPTION_MAX_CHARACTERS,
  CAPTION_TYPES,
  CaptionedContent,
  DocumentContent,
  MEDIA_TYPES,
  type MediaType,
  MESSAGE_STATUSES,
  MessageError,
  SENDABLE_TYPES,
  type SendableType,
  StickerContent,
  TemplateContent,
  TextContent,
  VOICE_DOC,
} from './message-types';
import { SendLabels } from './messages.v1';
import {
  CARDS_MAX,
  ContactCard,
  contextFault,
  LocationContent,
  ReactionContent,
  ReplyContext,
} from './personal-content';

/** Timeout in milliseconds of a send whose file must first be uploaded to the upstream platform. */
export const UPLOAD_SEND_TIMEOUT_MS = 90_000;

function AnsweredMessage(): PropertyDecorator {
  return (prototype, name) => {
    for (const decorate of [
      Nested(() => ReplyContext),
      HasNoFault(contextFault),
      IsObject(),
      IsOptional(),
      Doc('Message to reply to, shown to the recipient as a quote. Not supported for templates and reactions'),
    ])
      decorate(prototype, name);
  };
}

/** Fields common to sends of all types. */
class SendEnvelope {
  /** Caption of an image, document or video (spec §3.3.4). */
  @Doc(CAPTION_DOC) @IsOptional() @IsString() @IsStorableText() @MaxUnits(CAPTION_MAX_CHARACTERS) caption?: string;
  @Doc("Business number that sends the message; defaults to the account's primary number", { example: '15550783881' })
  @IsOptional()
  @IsString()
  @IsPhone()
  from?: string;
}

const isOfType = (type: SendableType) => (message: { type: unknown }) => message.type === type;

/** Message content without a recipient, shared by all recipients of a bulk job (spec §3.1, §8.1). */
export class MessageContent extends SendEnvelope {
  /** Message type. `SendMessageRequest` also allows `reaction`. */
  @IsIn(BULK_TYPES) @HasNoForeignCaption(CAPTION_TYPES) type: SendableType;
  @ValidateIf(isOfType('text')) @IsObject() @Nested(() => TextContent) text?: TextContent;
  @ValidateIf(isOfType('template'))
  @IsObject()
  @Nested(() => TemplateContent)
  template?: TemplateContent;
  @ValidateIf(isOfType('image')) @IsObject() @Nested(() => CaptionedContent) image?: CaptionedContent;
  @ValidateIf(isOfType('document'))
  @IsObject()
  @Nested(() => DocumentContent)
  document?: DocumentContent;
  @ValidateIf(isOfType('video')) @IsObject() @Nested(() => CaptionedContent) video?: CaptionedContent;
  @ValidateIf(isOfType('audio')) @IsObject() @Nested(() => AudioContent) audio?: AudioContent;
  @ValidateIf(isOfType('sticker')) @IsObject() @Nested(() => StickerContent) sticker?: StickerContent;
  @ValidateIf(isOfType('interactive')) @IsInteractive() interactive?: InteractiveContent;
  @ValidateIf(isOfType('location')) @IsObject() @Nested(() => LocationContent) location?: LocationContent;
  @Doc(`Contact cards; at most ${TEMPLATE_VALUES_MAX_BYTES / 1_024} KB as JSON`)
  @ValidateIf(isOfType('contacts'))
  @ArrayMinSize(1)
  @ArrayMaxSize(CARDS_MAX)
  @MaxJsonBytes(TEMPLATE_VALUES_MAX_BYTES)
  @IsObject({ each: true })
  @ListOf(() => ContactCard)
  contacts?: ContactCard[];
}

/**
 * JSON body of `POST /v1/messages/send` (spec §3.1). Validated twice with these decorators: by the gateway's
 * `RequestValidationPipe` and, within `SendMessageCommand`, by the messaging service.
 */
@BodySchema({
  kinds: { by: 'type', nameOf: (type) => `Send${pascalCase(type)}` },
  example: () => sendMessageV1.sample.request.message,
})
export class SendMessageRequest extends IntersectionType(MessageContent, SendLabels) {
  @IsString() @IsRecipient() to: string;
  @IsIn(SENDABLE_TYPES) @HasNoForeignCaption(CAPTION_TYPES) override type: SendableType;
  @ValidateIf(isOfType('reaction')) @IsObject() @Nested(() => ReactionContent) reaction?: ReactionContent;
  @AnsweredMessage() context?: ReplyContext;
}

/** Returns the message without content of other types, which is neither validated nor sent. */
export function withOwnContent<Message extends MessageContent>(message: Message): Message {
  const own: Message & Partial<Record<SendableType, unknown>> = { ...message };
  for (const type of SENDABLE_TYPES) if (type !== message.type) delete own[type];
  return own;
}

/** Form fields of a send with an uploaded file (spec §3.4.1). */
export class SendUploadRequest extends IntersectionType(SendEnvelope, SendLabels) {
  @IsString() @IsRecipient() to: string;
  @IsIn(MEDIA_TYPES) @HasNoForeignCaption(CAPTION_TYPES) type: MediaType;
  /** Forms send it as text. */
  @Doc(`Audio only. ${VOICE_DOC}`) @IsOptional() @IsIn(['true', 'false']) @Either({ type: 'boolean' }) voice?:
    | 'true'
    | 'false';
  @AnsweredMessage() context?: ReplyContext;
}

/** Uploaded file in the blob store, to be sent to the upstream platform. */
export class UploadedFile {
  @IsString() blobKey: string;
  /** MIME type, detected from the content rather than the file name. */
  @IsString() mimeType: string;
  @IsInt() @Min(1) bytes: number;
  /** SHA-256 of the content, in hex. */
  @IsString() sha256: string;
  @IsOptional() @IsString() @IsStorableText() @MinLength(1) @MaxUnits(240) filename?: string;
}

export class SendMessageCommand {
  @IsString() accountId: string;
  /** Message id chosen by the sender, to recognize redelivered commands. */
  @IsString() messageId: string;
  @IsObject()
  @ValidateNested()
  @Type((command) => ('upload' in command && command.upload ? SendUploadRequest : SendMessageRequest))
  message: SendMessageRequest | SendUploadRequest;
  /**
   * File to send, deleted from the blob store once the send has been decided. Absent if the message contains its
   * content.
   */
  @IsOptional() @IsObject() @Nested(() => UploadedFile) upload?: UploadedFile;
  /** True to retain the file with the message, so that colleagues of the sender see it (spec §3.4.18). */
  @IsOptional() @IsBoolean() keepsUpload?: boolean;
  @IsOptional() @IsString() jobId?: string;
  /** User or API key that requested the message. */
  @IsOptional() @IsString() senderId?: string;
  /** False if the send must fail, rather than be retried, while its outcome is unknown; defaults to true. */
  @IsOptional() @IsBoolean() repeatable?: boolean;
  /**
   * True if the content contains a secret, such as a one-time code. Records show it masked (spec §5.1.4), and it is
   * never stored in clear (spec §9.3.2).
   */
  @IsOptional() @IsBoolean() isSecret?: boolean;
}

export class SendMessageReply {
  @IsString() id: string;
  /** Upstream id of the message (`message_id` of spec §1.3.2). */
  @IsString() upstreamId: string;
}

export const sendMessageV1 = command({
  name: 'messaging.send-message.v1',
  owner: 'messaging',
  callers: ['gateway', 'otp'],
  description: 'Checks opt-out, service window and template, sends one message upstream and returns its identifiers.',
  request: SendMessageCommand,
  response: SendMessageReply,
  changes: true,
  timeoutMs: 15_000,
  maxBytes: CONTENT_BYTES,
  grouped: true,
  hasSecret: ({ isSecret }) => isSecret === true,
  sample: {
    request: {
      accountId: 'acc_01jd0000000000000000000000',
      messageId: 'msg_01jd0000000000000000000000',
      message: { to: '919812345678', type: 'text', text: { body: 'Your order has shipped' }, clientRef: 'order-7781' },
    },
    response: { id: 'msg_01jd0000000000000000000000', upstreamId: 'wamid.HBgMOTE5ODEyMzQ1Njc4FQIAERgSQUJD' },
  },
});

export class NoteOpenSendReply {
  /** False for an account without a number, which cannot send. */
  @IsBoolean() recorded: boolean;
}

/** Idempotent. Has no effect if the send has started in the meantime. */
export const noteOpenSendV1 = command({
  name: 'messaging.note-open-send.v1',
  owner: 'messaging',
  description:
    'Records a send that ended with an unknown outcome (504), if it has no row yet. It then fails as not sent, unless a retry starts it first.',
  request: SendMessageCommand,
  response: NoteOpenSendReply,
  changes: true,
  timeoutMs: 5_000,
  maxBytes: CONTENT_BYTES,
  // Such commands are rare; one at a time does not delay sends.
  prefetch: 1,
  sample: { request: sendMessageV1.sample.request, response: { recorded: true } },
});

/**
 * States of a send: the message's status, `none` if the service does not know the send, or `unknown` if its outcome is
 * unknown.
 */
export const SEND_STATES = ['none', 'unknown', ...MESSAGE_STATUSES] as const;
export type SendState = (typeof SEND_STATES)[number];

export class GetSendCommand {
  @IsString() accountId: string;
  @IsString() messageId: string;
}

export class GetSendReply {
  @IsIn(SEND_STATES) state: SendState;
  /** Upstream id, once the platform has assigned one. */
  @IsOptional() @IsString() upstreamId: string | null;
  @IsOptional() @Nested(() => MessageError) error: MessageError | null;
}

export const getSendV1 = command({
  name: 'messaging.get-send.v1',
  owner: 'messaging',
  callers: ['jobs', 'otp'],
  description: 'Returns the outcome of a send, for a service whose own call received no response.',
  request: GetSendCommand,
  response: GetSendReply,
  changes: false,
  timeoutMs: 5_000,
  maxBytes: SMALL_COMMAND_BYTES,
  sample: {
    request: { accountId: 'acc_01jd0000000000000000000000', messageId: 'msg_01jd0000000000000000000000' },
    response: { state: 'accepted', upstreamId: 'wamid.OUT', error: null },
  },
});
