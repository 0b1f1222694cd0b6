import { IsBoolean, IsIn, IsInt, IsObject, IsOptional, IsString } from 'class-validator';
import { ListOf, Nested } from '../body-docs';
import { PageReply, PageRequest } from '../lists';
import { command } from '../message-contract';
import { ActivityRecord, activitySample } from './activities.v1';
import { ServiceWindow } from './contacts.v1';
import { ListMessagesReply, listMessagesV1, MESSAGE_ORIGINS, type MessageOrigin } from './messages.v1';
import { NoteRecord, noteSample } from './notes.v1';
import { CONVERSATION_VIEWS, type ConversationView, QueueState } from './queue.v1';

export class ListConversationsCommand extends PageRequest {
  /** Part of a name, a user name or a phone number; at least two characters. */
  @IsOptional() @IsString() search?: string;
  @IsOptional() @IsBoolean() windowOpen?: boolean;
  /** View of the queue; all conversations if absent. */
  @IsOptional() @IsIn(CONVERSATION_VIEWS) view?: ConversationView;
  /** User to whom the conversations are assigned. Required for the view `mine`. */
  @IsOptional() @IsString() assigneeId?: string;
  /** Name of a label that the contacts have, ignoring case. */
  @IsOptional() @IsString() label?: string;
}

/** Summary of the latest message of a conversation. */
export class LastMessage {
  @IsOptional() @IsString() upstreamId: string | null;
  @IsIn(['inbound', 'outbound']) direction: 'inbound' | 'outbound';
  @IsString() type: string;
  /** Beginning of the message's text. */
  @IsOptional() @IsString() preview: string | null;
  /** Template with the values of its header and body, from which the dashboard renders the text. */
  @IsOptional() @IsObject() template?: object;
  @IsString() status: string;
  @IsString() timestamp: string;
  /** Time at which the contact deleted the message. */
  @IsOptional() @IsString() deletedAt?: string | null;
  /** Origin of the message; `api` if absent, in replies of the previous version. */
  @IsOptional() @IsIn(MESSAGE_ORIGINS) origin?: MessageOrigin;
  /** ID of the user or API key that sent the message. Absent if unknown. */
  @IsOptional() @IsString() senderId?: string;
  /** ID of the bulk job of the message. Absent without a job. */
  @IsOptional() @IsString() jobId?: string;
}

/** Conversation with one contact (spec §7.4). Times are ISO 8601 UTC with milliseconds. */
export class ConversationRecord {
  @IsOptional() @IsString() phone: string | null;
  @IsOptional() @IsString() userId: string | null;
  /** User name of the contact; absent in replies of the previous version. */
  @IsOptional() @IsString() username?: string | null;
  @IsOptional() @IsString() name: string | null;
  @Nested(() => LastMessage) lastMessage: LastMessage;
  @IsOptional() @IsString() lastInboundAt: string | null;
  /** True if at least one business number has an open service window. */
  @IsBoolean() windowOpen: boolean;
  /** Time at which the last open window closes. */
  @IsOptional() @IsString() windowExpiresAt: string | null;
  /** One entry per business number that the contact has messaged. Absent in a reply of the previous version. */
  @IsOptional() @ListOf(() => ServiceWindow) windows?: ServiceWindow[];
  @IsInt() messageCount: number;
  /** Number of inbound messages since the last outbound one or since the newest one marked as read or seen. */
  @IsInt() unreadCount: number;
  /** Absent in a reply of the previous version. */
  @IsOptional() @Nested(() => QueueState) queue?: QueueState;
  /** Names of the contact's labels. Absent in a reply of the previous version. */
  @IsOptional() @IsString({ each: true }) labels?: string[];
}

export class ListConversationsReply extends PageReply {
  @ListOf(() => ConversationRecord) conversations: ConversationRecord[];
}

export const listConversationsV1 = command({
  name: 'messaging.list-conversations.v1',
  owner: 'messaging',
  description: "Returns one page of an account's conversations, most recent message first.",
  request: ListConversationsCommand,
  response: ListConversationsReply,
  changes: false,
  timeoutMs: 5_000,
  sample: {
    request: { accountId: 'acc_01jd0000000000000000000000', page: 1, limit: 20 },
    response: {
      conversations: [
        {
          phone: '919812345678',
          userId: null,
          username: null,
          name: 'Asha R',
          lastMessage: {
            upstreamId: 'wamid.HBgMOTE5ODEyMzQ1Njc4FQIAERgSQUJD',
            direction: 'outbound',
            type: 'text',
            preview: 'Your order has shipped',
            status: 'delivered',
            timestamp: '2026-03-02T10:15:00.000Z',
          },
          lastInboundAt: '2026-03-02T10:14:00.000Z',
          windowOpen: true,
          windowExpiresAt: '2026-03-03T10:14:00.000Z',
          windows: [{ phoneNumber: '15550783881', open: true, expiresAt: '2026-03-03T10:14:00.000Z' }],
          messageCount: 12,
          unreadCount: 0,
          queue: { assigneeId: 'usr_01jd0000000000000000000000', done: false, waitingSince: null },
          labels: ['VIP'],
        },
      ],
      total: 1,
      totalIsExact: true,
      hasNext: false,
      nextCursor: null,
    },
  },
});

export class ListConversationMessagesCommand extends PageRequest {
  /** Phone number or upstream user id of the contact. */
  @IsString() phone: string;
  /** True to include the notes and activities of the same period, for the dashboard. */
  @IsOptional() @IsBoolean() withNotes?: boolean;
}

/**
 * Notes and activities of the period that the page covers, newest first. A page with many of them has fewer messages.
 */
export class ListConversationMessagesReply extends ListMessagesReply {
  /** Absent unless requested, and in a reply of the previous version. */
  @IsOptional() @ListOf(() => NoteRecord) notes?: NoteRecord[];
  /** Absent unless requested with the notes, and in a reply of the previous version. */
  @IsOptional() @ListOf(() => ActivityRecord) activities?: ActivityRecord[];
}

export const listConversationMessagesV1 = command({
  name: 'messaging.list-conversation-messages.v1',
  owner: 'messaging',
  description:
    'Returns one page of the messages between an account and a contact, newest first. NOT_FOUND if the account has no contact with this number.',
  request: ListConversationMessagesCommand,
  response: ListConversationMessagesReply,
  changes: false,
  timeoutMs: 5_000,
  sample: {
    request: { accountId: 'acc_01jd0000000000000000000000', phone: '919812345678', page: 1, limit: 20 },
    response: { ...listMessagesV1.sample.response, notes: [noteSample], activities: [activitySample] },
  },
});
