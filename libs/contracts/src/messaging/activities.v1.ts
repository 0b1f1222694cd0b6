import { IsIn, IsInt, IsOptional, IsString, Max, Min } from 'class-validator';
import { IsTime, ListOf } from '../body-docs';
import { PAGE_ITEMS_MAX } from '../lists';
import { command, SMALL_COMMAND_BYTES } from '../message-contract';

/** Changes of the queue that a conversation shows. The last two have no user: a message reopened the conversation. */
export const ACTIVITY_ACTIONS = [
  'assigned',
  'unassigned',
  'done',
  'reopened',
  'reopened-by-message',
  'reopened-by-failure',
] as const;
export type ActivityAction = (typeof ACTIVITY_ACTIONS)[number];

/** Change of the queue state of a conversation. The database records it with the change. */
export class ActivityRecord {
  @IsString() id: string;
  @IsString() contactId: string;
  @IsIn(ACTIVITY_ACTIONS) action: ActivityAction;
  /** User who made the change; null for a message, or if the assigned user can no longer answer. */
  @IsOptional() @IsString() actorId: string | null;
  /** New user of `assigned`, and former user of `unassigned`. */
  @IsOptional() @IsString() assigneeId: string | null;
  @IsTime() createdAt: string;
}

export const activitySample: ActivityRecord = {
  id: 'act_01jd0000000000000000000000',
  contactId: 'ct_01jd0000000000000000000000',
  action: 'assigned',
  actorId: 'usr_01jd0000000000000000000000',
  assigneeId: 'usr_01jd0000000000000000000000',
  createdAt: '2026-03-02T10:21:00.000Z',
};

export class ListActivitiesCommand {
  @IsString() accountId: string;
  @IsInt() @Min(1) @Max(PAGE_ITEMS_MAX) limit: number;
  /** Position after the last activity of an earlier page. */
  @IsOptional() @IsString() cursor?: string;
}

/** Activity with the contact whose conversation it changed. */
export class ContactActivity extends ActivityRecord {
  /** Null if the contact's number is hidden. */
  @IsOptional() @IsString() phone: string | null;
  @IsOptional() @IsString() userId: string | null;
  @IsOptional() @IsString() contactName: string | null;
}

export class ListActivitiesReply {
  @ListOf(() => ContactActivity) activities: ContactActivity[];
  @IsOptional() @IsString() nextCursor: string | null;
}

export const listActivitiesV1 = command({
  name: 'messaging.list-activities.v1',
  owner: 'messaging',
  description: "Returns one page of the changes of an account's conversation queue, newest first.",
  request: ListActivitiesCommand,
  response: ListActivitiesReply,
  changes: false,
  timeoutMs: 5_000,
  maxBytes: SMALL_COMMAND_BYTES,
  sample: {
    request: { accountId: 'acc_01jd0000000000000000000000', limit: 100 },
    response: {
      activities: [{ ...activitySample, phone: '919812345678', userId: null, contactName: 'Asha R' }],
      nextCursor: null,
    },
  },
});
