import { Type } from 'class-transformer';
import { IsIn, IsObject, IsOptional, IsString, MaxLength, ValidateIf, ValidateNested } from 'class-validator';
import { command } from '../message-contract';
import { SENDABLE_TYPES, type SendableType, TemplateContent, TextContent } from '../message-types';
import { IsPhone, IsStorableText } from '../validation';

/** What a customer asks to be sent (spec 2.2, decisions 4): the body of `POST /messages/send`. */
export class SendMessageRequest {
  @IsString() @IsPhone() to: string;
  @IsIn(SENDABLE_TYPES) type: SendableType;
  @ValidateIf((request: SendMessageRequest) => request.type === 'text') @IsObject() @ValidateNested() @Type(() => TextContent) text?: TextContent;
  @ValidateIf((request: SendMessageRequest) => request.type === 'template') @IsObject() @ValidateNested() @Type(() => TemplateContent) template?: TemplateContent;
  /** One of the account's numbers; its primary number when absent. */
  @IsOptional() @IsString() @IsPhone() from?: string;
  /** The customer's own reference, echoed in records and events. */
  @IsOptional() @IsString() @IsStorableText() @MaxLength(128) clientRef?: string;
}

export class SendMessageCommand {
  @IsString() accountId: string;
  /** Chosen by the sender, so that a command delivered twice is recognised. */
  @IsString() messageId: string;
  @IsObject() @ValidateNested() @Type(() => SendMessageRequest) message: SendMessageRequest;
}

export class SendMessageReply {
  @IsString() id: string;
  /** The upstream platform's identifier (`message_id` of spec 2.4). */
  @IsString() upstreamId: string;
}

export const sendMessageV1 = command({
  name: 'messaging.send-message.v1',
  owner: 'messaging',
  description: 'Checks the service window and the template, sends one message upstream and answers with its identifiers.',
  request: SendMessageCommand,
  response: SendMessageReply,
  timeoutMs: 15_000,
  sample: {
    request: {
      accountId: 'acc_01jd0000000000000000000000',
      messageId: 'msg_01jd0000000000000000000000',
      message: { to: '919812345678', type: 'text', text: { body: 'Your order has shipped' }, clientRef: 'order-7781' },
    },
    response: { id: 'msg_01jd0000000000000000000000', upstreamId: 'wamid.HBgMOTE5ODEyMzQ1Njc4FQIAERgSQUJD' },
  },
});
