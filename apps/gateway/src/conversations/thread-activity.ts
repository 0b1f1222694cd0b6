import {
  ACTIVITY_ACTIONS,
  type ActivityAction,
  type ActivityRecord,
  BodySchema,
  Doc,
  IsTime,
  Nested,
  OrNull,
} from '@switchboard/contracts';
import { IsIn, IsString } from 'class-validator';

/** User named in an activity. */
@BodySchema({ name: 'ActivityUser' })
export class ActivityUser {
  @IsString() id: string;
  @Doc('Name of the user; null if the user no longer exists') @OrNull() @IsString() name: string | null;
}

/** Assignment of a conversation, its end, or a change of whether it is done. */
@BodySchema({ name: 'Activity' })
export class ThreadActivity {
  @IsString() id: string;
  @Doc(
    '`reopened-by-message`: the contact wrote again; `reopened-by-failure`: an answer failed after it was sent; the others: a change of a user',
  )
  @IsIn(ACTIVITY_ACTIONS)
  action: ActivityAction;
  @Doc('User who made the change; null for a message, and if the conversation was unassigned because the user left')
  @OrNull()
  @Nested(() => ActivityUser)
  actor: ActivityUser | null;
  @Doc('New user of `assigned`, former user of `unassigned`; otherwise null')
  @OrNull()
  @Nested(() => ActivityUser)
  assignee: ActivityUser | null;
  @IsTime() createdAt: string;
}

type Names = ReadonlyMap<string, string>;

/** @param names names of users, by id */
export function threadActivity(
  { id, action, actorId, assigneeId, createdAt }: ActivityRecord,
  names: Names,
): ThreadActivity {
  return { id, action, actor: activityUser(actorId, names), assignee: activityUser(assigneeId, names), createdAt };
}

export const activityUser = (id: string | null, names: Names): ActivityUser | null =>
  id === null ? null : { id, name: names.get(id) ?? null };
