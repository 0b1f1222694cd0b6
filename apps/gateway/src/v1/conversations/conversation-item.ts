import { type ConversationRecord, inboundType } from '@switchboard/contracts';

/** A conversation as the API lists it (spec §7.4). */
export function conversationItem({ lastMessage, ...record }: ConversationRecord): object {
  const { phone, userId, name, lastInboundAt, windowOpen, windowExpiresAt, windows, messageCount, unreadCount } =
    record;
  const { upstreamId, direction, preview, status, timestamp } = lastMessage;
  const type = direction === 'inbound' ? inboundType(lastMessage.type) : lastMessage.type;
  return {
    phone,
    userId,
    name,
    lastMessage: { message_id: upstreamId, direction, type, preview, status, timestamp },
    lastInboundAt,
    windowOpen,
    windowExpiresAt,
    windows,
    messageCount,
    unreadCount,
  };
}
