import { IsBoolean, IsInt, IsOptional, IsString } from 'class-validator';
import { Doc, IsTime, Nested, OrNull } from '../body-docs';
import { command, SMALL_COMMAND_BYTES } from '../message-contract';

/**
 * Views of the conversations as a queue. `unanswered` starts with the longest wait, the others with the newest message.
 * `mine` lists what is assigned to the user and not done, `unassigned` contacts who have written and whose conversation
 * is neither assigned nor done.
 */
export const CONVERSATION_VIEWS = ['unread', 'unanswered', 'mine', 'unassigned', 'all', 'done'] as const;
export type ConversationView = (typeof CONVERSATION_VIEWS)[number];

/** Queue state of a conversation. */
export class QueueState {
  @Doc('ID of the user who is responsible for the conversation; null if it is unassigned')
  @OrNull()
  @IsString()
  assigneeId: string | null;
  @Doc('Whether the conversation was marked as done since the last message of the contact')
  @IsBoolean()
  done: boolean;
  @Doc('Time of the first message of the contact since your last message; null if the conversation is answered or done')
  @OrNull()
  @IsTime()
  waitingSince: string | null;
}

/** Length of one view, counted up to a limit. */
export class ViewTotal {
  @IsInt() total: number;
  @Doc('False if there are more than `total`') @IsBoolean() totalIsExact: boolean;
}

export class CountConversationsCommand {
  @IsString() accountId: string;
  /** User whose conversations the view `mine` counts. */
  @IsString() assigneeId: string;
}

export class CountConversationsReply {
  @Nested(() => ViewTotal) unread: ViewTotal;
  @Nested(() => ViewTotal) unanswered: ViewTotal;
  @Nested(() => ViewTotal) mine: ViewTotal;
  /** Absent in a reply of the previous version. */
  @IsOptional() @Nested(() => ViewTotal) unassigned?: ViewTotal;
  @Nested(() => ViewTotal) all: ViewTotal;
  @Nested(() => ViewTotal) done: ViewTotal;
}

const counted = (total: number): ViewTotal => ({ total, totalIsExact: true });

export const countConversationsV1 = command({
  name: 'messaging.count-conversations.v1',
  owner: 'messaging',
  description: 'Counts the conversations in each view of the queue, up to a limit.',
  request: CountConversationsCommand,
  response: CountConversationsReply,
  changes: false,
  timeoutMs: 5_000,
  maxBytes: SMALL_COMMAND_BYTES,
  sample: {
    request: { accountId: 'acc_01jd0000000000000000000000', assigneeId: 'usr_01jd0000000000000000000000' },
    response: {
      unread: counted(3),
      unanswered: counted(5),
      mine: counted(2),
      unassigned: counted(4),
      all: counted(143),
      done: counted(90),
    },
  },
});

/** Absent fields stay unchanged. */
export class ChangeConversationCommand {
  @IsString() accountId: string;
  @IsString() contactId: string;
  /** User to assign the conversation to; null to unassign it. */
  @IsOptional() @IsString() assigneeId?: string | null;
  /** User to whom the conversation must still be assigned for a new assignment; null if to nobody. */
  @IsOptional() @IsString() expectedAssigneeId?: string | null;
  /** User who makes the change. Absent in a command of the previous version. */
  @IsOptional() @IsString() actorId?: string;
  /** True to mark the conversation as done, false to reopen it. */
  @IsOptional() @IsBoolean() done?: boolean;
  /**
   * Newest message that the user has seen. It and older ones no longer count as unread. A conversation with a newer
   * message of the contact is not marked as done.
   */
  @IsOptional() @IsString() seenUpTo?: string;
}

export class ChangeConversationReply {
  @Nested(() => QueueState) queue: QueueState;
  @IsInt() unreadCount: number;
}

/** Newest assignment, in the error ASSIGNEE_CHANGED as `assignment`. Ids are null for nobody, and if unknown. */
export interface LastAssignment {
  assigneeId: string | null;
  changedById: string | null;
  changedAt: string | null;
}

/**
 * Errors: NOT_FOUND (unknown, of another account, or without a message); ASSIGNEE_CHANGED (neither as expected nor as
 * wanted).
 */
export const changeConversationV1 = command({
  name: 'messaging.change-conversation.v1',
  owner: 'messaging',
  description:
    'Assigns a conversation, marks it as done or reopens it, or marks its messages as seen by the account, without notifying the contact.',
  request: ChangeConversationCommand,
  response: ChangeConversationReply,
  changes: true,
  timeoutMs: 5_000,
  maxBytes: SMALL_COMMAND_BYTES,
  sample: {
    request: {
      accountId: 'acc_01jd0000000000000000000000',
      contactId: 'ct_01jd0000000000000000000000',
      assigneeId: 'usr_01jd0000000000000000000000',
      expectedAssigneeId: null,
      actorId: 'usr_01jd0000000000000000000000',
    },
    response: {
      queue: {
        assigneeId: 'usr_01jd0000000000000000000000',
        done: false,
        waitingSince: '2026-03-02T10:14:00.000Z',
      },
      unreadCount: 1,
    },
  },
});
