import { canonicalPhone, isUserId } from '@switchboard/contracts';

/** Keys of a contact. Exactly one of the two is set. */
export interface PersonKeys {
  /** Match key of a phone number. */
  phoneKey: string | null;
  userId: string | null;
}

/** @param person phone number (any equivalent format) or user id */
export function keysOf(person: string): PersonKeys {
  return isUserId(person) ? { phoneKey: null, userId: person } : { phoneKey: canonicalPhone(person), userId: null };
}

/**
 * Returns an SQL subquery for the id of a contact by one of the two keys. It returns no row if there is none. A user id
 * may also be one that several businesses share; of several contacts with it, the oldest counts. Compare with `ANY
 * (ARRAY(…))` instead of `IN`: the planner turns `IN` into a join and, without statistics, reads all contacts for each
 * contact.
 * @param account name of the parameter, such as $1
 */
export const idOfPerson = (account: string, phoneKey: string, userId: string): string => `(
    SELECT id FROM contacts WHERE account_id = ${account} AND phone_key = ${phoneKey}
    UNION ALL SELECT id FROM contacts WHERE account_id = ${account} AND user_id = ${userId}
    UNION ALL (SELECT id FROM contacts WHERE account_id = ${account} AND parent_user_id = ${userId} ORDER BY id LIMIT 1)
    LIMIT 1)`;

const ofHidden = (column: string): string => `
  CASE WHEN messages.recipient ~ '[^0-9]' THEN (
    SELECT ${column} FROM contacts WHERE contacts.id = messages.contact_id AND contacts.account_id = messages.account_id
  ) END`;

/**
 * SQL expressions: username and parent user id of a message's recipient, as `username` and `"parentUserId"`. They are
 * looked up only if the recipient is a user id.
 */
export const HIDDEN_IDENTITY = `${ofHidden('username')} AS username, ${ofHidden('parent_user_id')} AS "parentUserId"`;
