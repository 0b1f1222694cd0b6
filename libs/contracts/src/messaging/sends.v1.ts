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
import { BodySchema, Doc, IntersectionType, ListOf, Nested, pascalCase } from '../body-docs';
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

/** How long a caller waits for a send whose file goes to the upstream platform first, in milliseconds. */
export const UPLOAD_SEND_TIMEOUT_MS = 90_000;

/** The message that a send answers. */
function AnsweredMessage(): PropertyDecorator {
  return (prototype, name) => {
    for (const decorate of [
      Nested(() => ReplyContext),
      HasNoFault(contextFault),
      IsObject(),
      IsOptional(),
      Doc(
        'The message that this one replies to; the recipient sees it quoted. Not supported for templates and reactions',
      ),
    ])
      decorate(prototype, name);
  };
}

/** Fields of every send, of any type. */
class SendEnvelope {
  /** Image, document and video only (spec §3.3.4). */
  @Doc(CAPTION_DOC) @IsOptional() @IsString() @IsStorableText() @MaxUnits(CAPTION_MAX_CHARACTERS) caption?: string;
  @Doc("One of the account's numbers; defaults to its primary number", { example: '15550783881' })
  @IsOptional()
  @IsString()
  @IsPhone()
  from?: string;
}

const isOfType = (type: SendableType) => (message: { type: unknown }) => message.type === type;

/** Content of a message without its recipient: the same for all recipients of a bulk job (spec §3.1, §8.1). */
export class MessageContent extends SendEnvelope {
  /** `SendMessageRequest` allows one more. */
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
  @Doc(`At most ${TEMPLATE_VALUES_MAX_BYTES / 1_024} KB as JSON`)
  @ValidateIf(isOfType('contacts'))
  @ArrayMinSize(1)
  @ArrayMaxSize(CARDS_MAX)
  @MaxJsonBytes(TEMPLATE_VALUES_MAX_BYTES)
  @IsObject({ each: true })
  @ListOf(() => ContactCard)
  contacts?: ContactCard[];
}

/**
 * JSON body of `POST /v1/messages/send` (spec §3.1). `RequestValidationPipe` of the gateway checks it by these
 * decorators before the handler; messaging checks it again as a part of `SendMessageCommand`.
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

/** Returns the message without contents of other types than its own, which are neither validated nor sent. */
export function withOwnContent<Message extends MessageContent>(message: Message): Message {
  const own: Message & Partial<Record<SendableType, unknown>> = { ...message };
  for (const type of SENDABLE_TYPES) if (type !== message.type) delete own[type];
  return own;
}

/** The form fields of a send whose content is an uploaded file (spec §3.4.1). */
export class SendUploadRequest extends IntersectionType(SendEnvelope, SendLabels) {
  @IsString() @IsRecipient() to: string;
  @IsIn(MEDIA_TYPES) @HasNoForeignCaption(CAPTION_TYPES) type: MediaType;
  @AnsweredMessage() context?: ReplyContext;
}

/** An uploaded file in the blob store, on its way to the upstream platform. */
export class UploadedFile {
  @IsString() blobKey: string;
  /** As sniffed, not as believed from its name. */
  @IsString() mimeType: string;
  @IsInt() @Min(1) bytes: number;
  /** Hex. */
  @IsString() sha256: string;
  @IsOptional() @IsString() @IsStorableText() @MinLength(1) @MaxUnits(240) filename?: string;
}

export class SendMessageCommand {
  @IsString() accountId: string;
  /** Chosen by the sender, so that a command delivered twice is recognised. */
  @IsString() messageId: string;
  @IsObject()
  @ValidateNested()
  @Type((command) => ('upload' in command && command.upload ? SendUploadRequest : SendMessageRequest))
  message: SendMessageRequest | SendUploadRequest;
  /**
   * The file to be sent; deleted from the blob store once the send is decided. Absent for content that is in the
   * message.
   */
  @IsOptional() @IsObject() @Nested(() => UploadedFile) upload?: UploadedFile;
  /** The bulk job this message belongs to. */
  @IsOptional() @IsString() jobId?: string;
  /**
   * Whether it may be sent again when its outcome stays unknown; yes when absent. Otherwise it then counts as failed.
   */
  @IsOptional() @IsBoolean() repeatable?: boolean;
  /**
   * The content holds a secret (a one-time code): records show it masked (spec §5.1.4), and nothing keeps it in
   * clear (spec §9.3.2).
   */
  @IsOptional() @IsBoolean() isSecret?: boolean;
}

export class SendMessageReply {
  @IsString() id: string;
  /** The upstream platform's identifier (`message_id` of spec §1.3.2). */
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
  /** False for an account without any number: nothing can be sent for it. */
  @IsBoolean() recorded: boolean;
}

/** Harmless when repeated, and when the send began meanwhile. */
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
  // They are rare, and take no room from the sends that a process holds.
  prefetch: 1,
  sample: { request: sendMessageV1.sample.request, response: { recorded: true } },
});

/** What may be known of a send: that there is none, that its outcome is still unknown, or the message's status. */
export const SEND_STATES = ['none', 'unknown', ...MESSAGE_STATUSES] as const;
export type SendState = (typeof SEND_STATES)[number];

export class GetSendCommand {
  @IsString() accountId: string;
  @IsString() messageId: string;
}

export class GetSendReply {
  @IsIn(SEND_STATES) state: SendState;
  /** The upstream platform's identifier, once it gave one. */
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
