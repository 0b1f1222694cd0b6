import { Type } from 'class-transformer';
import { IsArray, IsBoolean, IsIn, IsInt, IsOptional, IsString, Max, Min, ValidateNested } from 'class-validator';
import { command } from '../message-contract';
import { MessageError } from '../message-types';
import { IsObjectOrList } from '../validation';

export class ListMessagesCommand {
  @IsString() accountId: string;
  /** 1-based. */
  @IsInt() @Min(1) page: number;
  @IsInt() @Min(1) @Max(100) limit: number;
  /** Continues after the last item of an earlier page; takes the place of `page`. */
  @IsOptional() @IsString() cursor?: string;
  @IsOptional() @IsIn(['inbound', 'outbound']) direction?: 'inbound' | 'outbound';
  @IsOptional() @IsString() status?: string;
  @IsOptional() @IsString() type?: string;
  @IsOptional() @IsString() phone?: string;
}

/** One message as the API shows it (decisions 5). Times are ISO 8601 UTC with milliseconds. */
export class MessageRecord {
  @IsString() id: string;
  @IsOptional() @IsString() upstreamId: string | null;
  @IsIn(['inbound', 'outbound']) direction: 'inbound' | 'outbound';
  @IsOptional() @IsString() from: string | null;
  @IsOptional() @IsString() to: string | null;
  @IsOptional() @IsString() name: string | null;
  @IsString() type: string;
  /** Sits under the type's name in the API's answer. */
  @IsOptional() @IsObjectOrList() content: object | null;
  @IsString() status: string;
  @IsOptional() @ValidateNested() @Type(() => MessageError) error: MessageError | null;
  @IsOptional() @IsString() clientRef: string | null;
  @IsString() timestamp: string;
  @IsString() createdAt: string;
  @IsOptional() @IsString() sentAt: string | null;
  @IsOptional() @IsString() deliveredAt: string | null;
  @IsOptional() @IsString() readAt: string | null;
  @IsOptional() @IsString() failedAt: string | null;
}

export class ListMessagesReply {
  @IsArray() @ValidateNested({ each: true }) @Type(() => MessageRecord) messages: MessageRecord[];
  @IsInt() total: number;
  @IsBoolean() hasNext: boolean;
  @IsOptional() @IsString() nextCursor: string | null;
}

export const listMessagesV1 = command({
  name: 'messaging.list-messages.v1',
  owner: 'messaging',
  description: "One page of an account's messages, newest first.",
  request: ListMessagesCommand,
  response: ListMessagesReply,
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
          to: '919812345678',
          name: null,
          type: 'text',
          content: { body: 'Your order has shipped' },
          status: 'delivered',
          error: null,
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
      hasNext: false,
      nextCursor: null,
    },
  },
});
