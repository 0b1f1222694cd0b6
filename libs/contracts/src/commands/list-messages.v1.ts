import { Type } from 'class-transformer';
import { IsArray, IsIn, IsISO8601, IsOptional, IsString, ValidateNested } from 'class-validator';
import { PageReply, PageRequest } from '../lists';
import { command } from '../message-contract';
import { MessageError } from '../message-types';
import { IsObjectOrList } from '../validation';

export class ListMessagesCommand extends PageRequest {
  @IsOptional() @IsIn(['inbound', 'outbound']) direction?: 'inbound' | 'outbound';
  @IsOptional() @IsString() status?: string;
  @IsOptional() @IsString() type?: string;
  @IsOptional() @IsString() phone?: string;
  @IsOptional() @IsString() jobId?: string;
  @IsOptional() @IsString() clientRef?: string;
  /** The upstream platform's identifier. */
  @IsOptional() @IsString() upstreamId?: string;
  /** Messages of this time or later, ISO 8601. */
  @IsOptional() @IsISO8601() since?: string;
  /** Messages before this time, ISO 8601. */
  @IsOptional() @IsISO8601() until?: string;
}

/** One message as the API shows it (spec §5.1). Times are ISO 8601 UTC with milliseconds. */
export class MessageRecord {
  @IsString() id: string;
  @IsOptional() @IsString() upstreamId: string | null;
  @IsIn(['inbound', 'outbound']) direction: 'inbound' | 'outbound';
  @IsOptional() @IsString() from: string | null;
  /** The upstream platform's id of the person who wrote in, where it gave one. */
  @IsOptional() @IsString() userId?: string | null;
  @IsOptional() @IsString() to: string | null;
  @IsOptional() @IsString() name: string | null;
  @IsString() type: string;
  /** Sits under the type's name in the API's answer. */
  @IsOptional() @IsObjectOrList() content: object | null;
  @IsOptional() @IsString() caption: string | null;
  @IsString() status: string;
  @IsOptional() @ValidateNested() @Type(() => MessageError) error: MessageError | null;
  @IsOptional() @IsString() jobId: string | null;
  @IsOptional() @IsString() clientRef: string | null;
  @IsString() timestamp: string;
  @IsString() createdAt: string;
  @IsOptional() @IsString() sentAt: string | null;
  @IsOptional() @IsString() deliveredAt: string | null;
  @IsOptional() @IsString() readAt: string | null;
  @IsOptional() @IsString() failedAt: string | null;
}

export class ListMessagesReply extends PageReply {
  @IsArray() @ValidateNested({ each: true }) @Type(() => MessageRecord) messages: MessageRecord[];
}

export const listMessagesV1 = command({
  name: 'messaging.list-messages.v1',
  owner: 'messaging',
  description: "One page of an account's messages, newest first.",
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
          to: '919812345678',
          name: null,
          type: 'text',
          content: { body: 'Your order has shipped' },
          caption: null,
          status: 'delivered',
          error: null,
          jobId: null,
          clientRef: 'order-7781',
          timestamp: '2026-03-02T10:15:00.000Z',
          createdAt: '2026-03-02T10:15:00.000Z',
          sentAt: '2026-03-02T10:15:01.000Z',
          deliveredAt: '2026-03-02T10:15:02.000Z',
          readAt: null,
          failedAt: null,
        },
      ],
      total: 1,
      totalIsExact: true,
      hasNext: false,
      nextCursor: null,
    },
  },
});
