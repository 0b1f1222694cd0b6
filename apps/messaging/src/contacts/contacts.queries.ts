import { batchOf, columnsOf } from '@switchboard/database';
import { idOfPerson } from '../people/person-keys';
import { Contact } from './contact.entity';

/** A contact that `FIND_OR_MAKE_CONTACTS` found or created. */
export interface FoundContact {
  /** `ordinal` of the person in the request. */
  ordinal: number;
  id: string;
  /** Other contacts of the same person, with the same user id or the parent user id, and no phone number. */
  sameIds: string[];
}

/** Persons for `FIND_OR_MAKE_CONTACTS` to look up. */
export const PERSONS = batchOf(
  {
    ordinal: 'int',
    newId: 'text',
    ...columnsOf(Contact, ['phone', 'phoneKey', 'userId', 'profileName', 'username', 'parentUserId']),
  },
  { from: 2 },
);

/**
 * Finds the contacts of an account by phone (match key), by upstream user id, or else by a parent user id to which a
 * message was sent before the person wrote. Creates missing ones, and stores changed names, user ids and user names.
 * Contacts without changes are not written. Each person must be given once.
 *
 * Locks the contacts in id order until the transaction ends. Two callbacks about the same contacts therefore wait for
 * each other without a deadlock, and an erasure waits for pending writes.
 * $1 account, then `PERSONS`
 */
export const FIND_OR_MAKE_CONTACTS = `
  WITH person AS MATERIALIZED (
    SELECT * FROM ${PERSONS.unnest('person')}
  ), known AS MATERIALIZED (
    SELECT id, phone_key, user_id FROM contacts
    WHERE id = ANY (ARRAY(
      SELECT id FROM contacts WHERE account_id = $1 AND phone_key = ANY (${PERSONS.list('phoneKey')})
      UNION SELECT id FROM contacts WHERE account_id = $1
        AND user_id = ANY (${PERSONS.list('userId')} || ${PERSONS.list('parentUserId')})
    ))
    ORDER BY id FOR NO KEY UPDATE
  ), given AS MATERIALIZED (
    SELECT person.*, COALESCE(by_phone.id, by_user.id, by_parent.id) AS known_id,
      -- A user id that another contact has is not assigned before the two are merged.
      CASE WHEN holder.id IS NULL OR holder.id = COALESCE(by_phone.id, by_user.id) THEN person.user_id END
        AS free_user_id,
      array_remove(ARRAY[
        CASE WHEN holder.id <> by_phone.id AND holder.phone_key IS NULL THEN holder.id END,
        CASE WHEN by_parent.id <> COALESCE(by_phone.id, by_user.id) AND by_parent.phone_key IS NULL THEN by_parent.id END
      ], NULL) AS same_ids
    FROM person
    LEFT JOIN known AS by_phone ON by_phone.phone_key = person.phone_key
    LEFT JOIN known AS holder ON holder.user_id = person.user_id
    -- When a known user id comes with a different number, messages of that number must not go to the old contact.
    LEFT JOIN known AS by_user ON by_user.id = holder.id AND (person.phone_key IS NULL OR by_user.phone_key IS NULL)
    LEFT JOIN known AS by_parent ON by_parent.user_id = person.parent_user_id
  ), changed AS (
    UPDATE contacts
    SET profile_name = COALESCE(given.profile_name, contacts.profile_name),
        username = COALESCE(given.username, contacts.username),
        parent_user_id = COALESCE(given.parent_user_id, contacts.parent_user_id),
        user_id = COALESCE(given.free_user_id, contacts.user_id),
        phone = COALESCE(contacts.phone, given.phone),
        phone_key = COALESCE(contacts.phone_key, given.phone_key)
    FROM given
    WHERE contacts.id = known_id AND (
      given.profile_name <> COALESCE(contacts.profile_name, '')
      OR given.username <> COALESCE(contacts.username, '')
      OR given.parent_user_id <> COALESCE(contacts.parent_user_id, '')
      OR given.free_user_id <> COALESCE(contacts.user_id, '')
      OR contacts.phone_key IS NULL AND given.phone_key IS NOT NULL
    )
  ), made_by_phone AS (
    INSERT INTO contacts (id, account_id, phone, phone_key, user_id, profile_name, username, parent_user_id)
    SELECT new_id, $1, phone, phone_key, free_user_id, profile_name, username, parent_user_id FROM given WHERE known_id IS NULL
      AND phone_key IS NOT NULL ORDER BY phone_key
    ON CONFLICT (account_id, phone_key) WHERE phone_key IS NOT NULL DO UPDATE SET phone_key = EXCLUDED.phone_key
    RETURNING id, phone_key
  ), made_by_user AS (
    INSERT INTO contacts (id, account_id, user_id, profile_name, username, parent_user_id)
    SELECT new_id, $1, user_id, profile_name, username, parent_user_id FROM given WHERE known_id IS NULL AND phone_key IS NULL
    ORDER BY user_id
    ON CONFLICT (account_id, user_id) WHERE user_id IS NOT NULL DO UPDATE SET user_id = EXCLUDED.user_id
    RETURNING id, user_id
  )
  SELECT ordinal, COALESCE(known_id, made_by_phone.id, made_by_user.id) AS id, same_ids AS "sameIds"
  FROM given
  LEFT JOIN made_by_phone ON made_by_phone.phone_key = given.phone_key
  LEFT JOIN made_by_user ON given.phone_key IS NULL AND made_by_user.user_id = given.user_id`;

/**
 * Creates or updates a contact by phone or by user id. Null leaves a field unchanged; an empty name removes it.
 * @param key the unique key that the parameters have
 */
const updateContact = (key: 'phone_key' | 'user_id'): string => `
  INSERT INTO contacts AS known (id, account_id, phone, phone_key, user_id, name, opted_out, opted_out_at, opted_out_source,
    marketing_opted_out, marketing_opted_out_at, blocked)
  VALUES (:newId, :accountId, :phone, :phoneKey, :userId, NULLIF(:name, ''), COALESCE(:optedOut, false),
    CASE WHEN :optedOut THEN now() END, CASE WHEN :optedOut THEN 'operator' END, COALESCE(:marketingOptedOut, false),
    CASE WHEN :marketingOptedOut THEN now() END, COALESCE(:blocked, false))
  ON CONFLICT (account_id, ${key}) WHERE ${key} IS NOT NULL DO UPDATE
  SET name = NULLIF(COALESCE(:name, known.name), ''),
      opted_out = COALESCE(:optedOut, known.opted_out),
      opted_out_at = CASE WHEN :optedOut IS NULL OR :optedOut = known.opted_out THEN known.opted_out_at
        WHEN :optedOut THEN now() END,
      opted_out_source = CASE WHEN :optedOut IS NULL OR :optedOut = known.opted_out THEN known.opted_out_source
        WHEN :optedOut THEN 'operator' END,
      opted_out_detail = CASE WHEN :optedOut IS NULL OR :optedOut = known.opted_out THEN known.opted_out_detail END,
      marketing_opted_out = COALESCE(:marketingOptedOut, known.marketing_opted_out),
      marketing_opted_out_at = CASE WHEN :marketingOptedOut IS NULL
        OR :marketingOptedOut = known.marketing_opted_out THEN known.marketing_opted_out_at
        WHEN :marketingOptedOut THEN now() END,
      blocked = COALESCE(:blocked, known.blocked)
  RETURNING id`;

export const UPDATE_CONTACT_BY_PHONE = updateContact('phone_key');
export const UPDATE_CONTACT_BY_USER_ID = updateContact('user_id');

/** Returns the keys of the contacts with these user ids. $1 account, $2 user ids */
export const FIND_PERSON_KEYS = `
  SELECT given.user_id AS "userId", COALESCE(phone_key, contacts.user_id) AS key
  FROM unnest($2::text[]) AS given (user_id)
  JOIN contacts ON contacts.id = ANY (ARRAY${idOfPerson('$1', 'NULL', 'given.user_id')})`;

/**
 * Updates an existing contact. Null leaves a field unchanged; an empty name removes it.
 * $1 account, $2 contact, $3 name, $4 opted out, $5 blocked, $6 user who makes the change
 */
export const CHANGE_CONTACT = `
  UPDATE contacts
  SET name = NULLIF(COALESCE($3, name), ''),
      opted_out = COALESCE($4, opted_out),
      opted_out_at = CASE WHEN $4 IS NULL OR $4 = opted_out THEN opted_out_at WHEN $4 THEN now() END,
      opted_out_source = CASE WHEN $4 IS NULL OR $4 = opted_out THEN opted_out_source
        WHEN $4 AND $6::text IS NOT NULL THEN 'user' END,
      opted_out_detail = CASE WHEN $4 IS NULL OR $4 = opted_out THEN opted_out_detail WHEN $4 THEN $6::text END,
      blocked = COALESCE($5, blocked)
  WHERE account_id = $1 AND id = $2`;
