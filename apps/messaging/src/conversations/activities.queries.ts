import type { ActivityAction } from '@switchboard/contracts';
import { idOfPerson } from '../people/person-keys';

export interface ActivityRow {
  id: string;
  contactId: string;
  action: ActivityAction;
  actorId: string | null;
  assigneeId: string | null;
}

export interface ContactActivityRow extends ActivityRow {
  phone: string | null;
  userId: string | null;
  contactName: string | null;
}

const ACTIVITY = `
  activities.id, activities.contact_id AS "contactId", action, actor_id AS "actorId", assignee_id AS "assigneeId"`;

/**
 * Lists the activities of a period, newest first.
 * $1 account, $2 match key of the contact or null, $3 user id or null, $4 lowest id, $5 exclusive highest id, $6 limit
 */
export const LIST_ACTIVITIES_OF_PERSON = `
  SELECT ${ACTIVITY} FROM activities
  WHERE account_id = $1 AND contact_id = ANY (ARRAY${idOfPerson('$1', '$2', '$3')}) AND id >= $4 AND id < $5
  ORDER BY id DESC LIMIT $6`;

/** Lists all activities with their contacts, newest first. $1 account, $2 exclusive highest id, $3 limit */
export const LIST_ACTIVITIES = `
  SELECT ${ACTIVITY}, phone, user_id AS "userId", COALESCE(name, app_name, profile_name) AS "contactName"
  FROM activities JOIN contacts ON contacts.id = activities.contact_id
  WHERE activities.account_id = $1 AND activities.id < $2
  ORDER BY activities.id DESC LIMIT $3`;

/** Finds the newest assignment, or its end. $1 account, $2 contact */
export const LAST_ASSIGNMENT = `
  SELECT ${ACTIVITY} FROM activities
  WHERE account_id = $1 AND contact_id = $2 AND action IN ('assigned', 'unassigned')
  ORDER BY id DESC LIMIT 1`;
