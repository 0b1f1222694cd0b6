import { Injectable } from '@nestjs/common';
import {
  type ActivityRecord,
  type ContactActivity,
  ID_PATTERNS,
  type ListActivitiesCommand,
  type ListActivitiesReply,
  timeOfId,
} from '@switchboard/contracts';
import { pageOf, placeOf, query } from '@switchboard/database';
import { DataSource } from 'typeorm';
import type { ThreadPeriod } from '../notes/notes.service';
import {
  type ActivityRow,
  type ContactActivityRow,
  LIST_ACTIVITIES,
  LIST_ACTIVITIES_OF_PERSON,
} from './activities.queries';

/** Id above those of all activities. */
const AFTER_ALL = 'act_z';

/** Reads the changes of the queue, which a trigger records (`create-activities`). */
@Injectable()
export class ActivitiesService {
  constructor(private readonly dataSource: DataSource) {}

  /** Returns one page of all activities, newest first. @throws AppError INVALID_PARAMETER for an invalid cursor */
  async listActivities({ accountId, limit, cursor }: ListActivitiesCommand): Promise<ListActivitiesReply> {
    const { after, take } = placeOf({ accountId, page: 1, limit, cursor }, ID_PATTERNS.act);
    const rows = await query<ContactActivityRow>(this.dataSource, LIST_ACTIVITIES, [
      accountId,
      after ?? AFTER_ALL,
      take,
    ]);
    const page = pageOf(rows, limit, ({ id }) => id);
    return {
      activities: page.rows.map((row): ContactActivity => ({ ...row, createdAt: timeOfActivity(row) })),
      nextCursor: page.nextCursor,
    };
  }

  /** Returns the activities of a contact's conversation in a period, newest first. */
  async ofPeriod({ accountId, phoneKey, userId, since, before, limit }: ThreadPeriod): Promise<ActivityRecord[]> {
    const period = [accountId, phoneKey, userId, `act_${since}`, before === null ? AFTER_ALL : `act_${before}`, limit];
    const rows = await query<ActivityRow>(this.dataSource, LIST_ACTIVITIES_OF_PERSON, period);
    return rows.map((row) => ({ ...row, createdAt: timeOfActivity(row) }));
  }
}

/** Returns the time at which a conversation was changed. */
export const timeOfActivity = ({ id }: ActivityRow): string => (timeOfId('act', id) ?? new Date(0)).toISOString();
