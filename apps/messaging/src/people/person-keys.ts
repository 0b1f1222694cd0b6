import { canonicalPhone, isUserId } from '@switchboard/contracts';

/** By what a contact is found: exactly one of the two. */
export interface PersonKeys {
  /** The match key of a phone number. */
  phoneKey: string | null;
  userId: string | null;
}

/** @param person a phone number in any spelling, or a user id */
export function keysOf(person: string): PersonKeys {
  return isUserId(person) ? { phoneKey: null, userId: person } : { phoneKey: canonicalPhone(person), userId: null };
}

/**
 * SQL: the id of the account's contact by one of the two keys, as a subquery; no row when nobody has it. Another
 * statement compares with `ANY (ARRAY(…))`, not with `IN`: the server makes a join of that, and without statistics it
 * reads all contacts for each contact.
 * @param account the parameters' names, for example $1
 */
export const idOfPerson = (account: string, phoneKey: string, userId: string): string => `(
    SELECT id FROM contacts WHERE account_id = ${account} AND phone_key = ${phoneKey}
    UNION ALL SELECT id FROM contacts WHERE account_id = ${account} AND user_id = ${userId})`;

/** SQL: the user name of a message's recipient whom a user id names, as `username`; others are not looked up. */
export const HIDDEN_USERNAME = `
  CASE WHEN messages.recipient ~ '[^0-9]' THEN (
    SELECT username FROM contacts WHERE contacts.id = messages.contact_id AND contacts.account_id = messages.account_id
  ) END AS username`;
