import { listMessagesV1 } from '@switchboard/contracts';
import { paginationOf } from '../../lists/pagination';
import {
  anyObject,
  list,
  object,
  oneOfTexts,
  orNull,
  ref,
  type Schema,
  success,
  text,
  time,
} from '../../openapi/schema';
import { messageItem } from './message-record';
import { sendSchemas } from './send.schemas';

/** Media of a record: what was sent by link has its link, what came in or was uploaded has an id. */
const media = object(
  {
    id: text('For `GET /v1/media/{id}`'),
    link: text(),
    mimeType: text(),
    sha256: text(),
    caption: text(),
    filename: text(),
  },
  { optional: ['id', 'link', 'mimeType', 'sha256', 'caption', 'filename'] },
);
const MEDIA_TYPES = ['image', 'document', 'video', 'audio', 'sticker'];
const RICH_TYPES = ['location', 'button', 'interactive', 'reaction', 'order'];
const contents: Record<string, Schema> = {
  text: object({ body: text() }),
  template: anyObject,
  ...Object.fromEntries(MEDIA_TYPES.map((type) => [type, media])),
  ...Object.fromEntries(RICH_TYPES.map((type) => [type, anyObject])),
  contacts: list(anyObject),
};
const head = {
  id: text(),
  message_id: orNull(text("The upstream platform's identifier")),
  messageId: orNull(text('The same as message_id')),
  direction: oneOfTexts(['inbound', 'outbound']),
  from: orNull(text('A phone number; null for a customer who hides it')),
  userId: orNull(text("The upstream platform's id of the customer who wrote in, where it gave one")),
  to: orNull(text()),
  name: orNull(
    text('The profile name of the customer who wrote in, empty when unknown; null for what the account sent'),
  ),
  type: text('The content stands under the name of the type'),
};
const tail = {
  caption: orNull(text()),
  status: oneOfTexts(['accepted', 'sent', 'delivered', 'read', 'failed', 'received', 'unknown']),
  error: orNull(ref('MessageError')),
  jobId: orNull(text()),
  clientRef: orNull(text()),
  timestamp: time,
  createdAt: time,
  sentAt: orNull(time),
  deliveredAt: orNull(time),
  readAt: orNull(time),
  failedAt: orNull(time),
};
const { response } = listMessagesV1.sample;
const shown = response.messages.map((message) => messageItem(message, 'https://api.example.com'));

export const messageSchemas = {
  ...sendSchemas,
  Message: object({ ...head, ...contents, ...tail }, { optional: Object.keys(contents) }),
  MessageAnswer: object({ success, message: ref('Message') }, { example: { success: true, message: shown[0] } }),
  MessageList: object(
    { success, messages: list(ref('Message')), pagination: ref('Pagination') },
    { example: { success: true, messages: shown, pagination: paginationOf({ page: 1, limit: 20 }, response) } },
  ),
} satisfies Record<string, Schema>;
