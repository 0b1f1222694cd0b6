import { Type } from 'class-transformer';
import { IsArray, IsBoolean, IsObject, IsOptional, IsString, ValidateNested } from 'class-validator';
import { event, UPDATES_EVENT_BYTES } from '../message-contract';
import { IsObjectOrList } from '../validation';

/** What an inbound message refers to. */
export class InboundContext {
  /** The upstream id of the message that it answers. */
  @IsOptional() @IsString() messageId?: string;
  /** Who wrote that message. */
  @IsOptional() @IsString() from?: string;
  @IsOptional() @IsBoolean() forwarded?: boolean;
  /** Forwarded more than five times. */
  @IsOptional() @IsBoolean() frequentlyForwarded?: boolean;
  /** The product it asks about, in the upstream's words. */
  @IsOptional() @IsObject() referredProduct?: object;
}

export class MessageReceivedV1 {
  @IsString() accountId: string;
  @IsString() id: string;
  @IsString() upstreamId: string;
  /** The business number written to. */
  @IsString() to: string;
  /** The sender's phone number, or the upstream's user id where the number is hidden. */
  @IsString() from: string;
  /** The upstream's id of the person, where it gave one. */
  @IsOptional() @IsString() userId?: string | null;
  @IsOptional() @IsString() name: string | null;
  @IsString() type: string;
  @IsOptional() @IsObjectOrList() content: object | null;
  @IsOptional() @ValidateNested() @Type(() => InboundContext) context?: InboundContext | null;
  /** The advertisement or post that led the customer here, in the upstream's words. */
  @IsOptional() @IsObject() referral?: object | null;
  /** Why the upstream could not pass the message on whole, in its own words. */
  @IsOptional() @IsArray() errors?: object[] | null;
  /** When the sender wrote, ISO 8601 UTC. */
  @IsString() timestamp: string;
}

export const messageReceivedV1 = event({
  name: 'messaging.message.received.v1',
  producer: 'messaging',
  consumers: ['webhooks'],
  maxBytes: UPDATES_EVENT_BYTES,
  description: 'A customer wrote to a business number; the message is stored and the service window is open.',
  body: MessageReceivedV1,
  sample: {
    accountId: 'acc_01jd0000000000000000000000',
    id: 'msg_01jd0000000000000000000000',
    upstreamId: 'wamid.IN',
    to: '15550783881',
    from: '919812345678',
    userId: 'IN.10000000000000000001',
    name: 'Asha R',
    type: 'text',
    content: { body: 'Hello' },
    context: { messageId: 'wamid.OUT', from: '15550783881' },
    referral: null,
    errors: null,
    timestamp: '2026-03-02T10:16:00.000Z',
  },
});
