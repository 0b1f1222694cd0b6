import { listConversationsV1 } from '@switchboard/contracts';
import { paginationOf } from '../../lists/pagination';
import {
  flag,
  integer,
  list,
  object,
  oneOfTexts,
  orNull,
  phone,
  ref,
  type Schema,
  success,
  text,
  time,
} from '../../openapi/schema';
import { conversationItem } from './conversation-item';

const { response } = listConversationsV1.sample;

export const conversationSchemas = {
  Conversation: object({
    phone: orNull(phone),
    userId: orNull(text()),
    name: orNull(text()),
    lastMessage: object({
      message_id: orNull(text()),
      direction: oneOfTexts(['inbound', 'outbound']),
      type: text(),
      preview: orNull(text('The beginning of what can be read of it')),
      status: oneOfTexts(['accepted', 'sent', 'delivered', 'read', 'failed', 'received']),
      timestamp: time,
    }),
    lastInboundAt: orNull(time),
    windowOpen: { ...flag, description: 'Whether the service window of at least one of your numbers is open' },
    windowExpiresAt: { ...orNull(time), description: 'When the last of the windows closes' },
    windows: list(ref('ServiceWindow')),
    messageCount: integer,
    unreadCount: { ...integer, description: 'Inbound messages since you last wrote' },
  }),
  ConversationList: object(
    { success, conversations: list(ref('Conversation')), pagination: ref('Pagination') },
    {
      example: {
        success: true,
        conversations: response.conversations.map(conversationItem),
        pagination: paginationOf({ page: 1, limit: 20 }, response),
      },
    },
  ),
} satisfies Record<string, Schema>;
