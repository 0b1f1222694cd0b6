import {
  Answer,
  BodySchema,
  type ConversationRecord,
  Doc,
  inboundType,
  IsTime,
  ListOf,
  listConversationsV1,
  Nested,
  OrNull,
  ServiceWindow,
  SHOWN_PHONE,
  WINDOW_DOCS,
} from '@switchboard/contracts';
import { IsBoolean, IsIn, IsInt, IsOptional, IsString } from 'class-validator';
import { Pagination, paginationOf } from '../pagination/pagination';
import { IsFlag, IsFragment } from '../pagination/query-rules';

export class ConversationFilters {
  @IsOptional() @IsFragment() search?: string;
  @IsOptional() @IsFlag() windowOpen?: boolean;
}

/** Summary of the newest message in a conversation. */
@BodySchema({ name: 'LastMessage' })
export class ShownLastMessage {
  @OrNull() @IsString() message_id: string | null;
  @IsIn(['inbound', 'outbound']) direction: 'inbound' | 'outbound';
  @IsString() type: string;
  @Doc('Start of the readable text of the message') @OrNull() @IsString() preview: string | null;
  @IsIn(['accepted', 'sent', 'delivered', 'read', 'failed', 'received']) status: string;
  @IsTime() timestamp: string;
  @Doc('Time at which the sender deleted the message; absent otherwise') @IsOptional() @IsTime() deletedAt?: string;
}

/** All messages exchanged with one contact (spec §7.4). */
export class Conversation {
  @Doc(undefined, SHOWN_PHONE) @OrNull() @IsString() phone: string | null;
  @OrNull() @IsString() userId: string | null;
  @Doc('User name of the contact on the platform, without the @', { example: 'asha.rao' })
  @OrNull()
  @IsString()
  username: string | null;
  @OrNull() @IsString() name: string | null;
  @Nested(() => ShownLastMessage) lastMessage: ShownLastMessage;
  @OrNull() @IsTime() lastInboundAt: string | null;
  @Doc(WINDOW_DOCS.open) @IsBoolean() windowOpen: boolean;
  @Doc(WINDOW_DOCS.expiresAt) @OrNull() @IsTime() windowExpiresAt: string | null;
  @ListOf(() => ServiceWindow) windows: ServiceWindow[] | undefined;
  @IsInt() messageCount: number;
  @Doc('Inbound messages since your last message') @IsInt() unreadCount: number;
}

@Answer({
  example: () => {
    const { response } = listConversationsV1.sample;
    return {
      success: true,
      conversations: response.conversations.map(conversationItem),
      pagination: paginationOf({ page: 1, limit: 20 }, response),
    };
  },
})
export class ConversationList {
  @ListOf(() => Conversation) conversations: Conversation[];
  @Nested(() => Pagination) pagination: Pagination;
}

/** Converts a conversation to the API's format (spec §7.4). */
export function conversationItem({ lastMessage, ...record }: ConversationRecord): Conversation {
  const { phone, userId, username = null, name, lastInboundAt, windowOpen, windowExpiresAt, windows } = record;
  const { messageCount, unreadCount } = record;
  const { upstreamId, direction, preview, status, timestamp, deletedAt, origin = 'api' } = lastMessage;
  const type = direction === 'inbound' || origin !== 'api' ? inboundType(lastMessage.type) : lastMessage.type;
  return {
    phone,
    userId,
    username,
    name,
    lastMessage: {
      message_id: upstreamId,
      direction,
      type,
      preview,
      status,
      timestamp,
      ...(deletedAt && { deletedAt }),
    },
    lastInboundAt,
    windowOpen,
    windowExpiresAt,
    windows,
    messageCount,
    unreadCount,
  };
}
