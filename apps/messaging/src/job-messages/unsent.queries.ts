import { LABELS } from '@switchboard/contracts';
import { batchOf, columnNames, columnsOf } from '@switchboard/database';
import { REPORTED_COLUMNS } from '../messages/message-events';
import { Message } from '../messages/message.entity';

const GIVEN = columnsOf(Message, ['recipient', 'content', 'error', ...LABELS]);

export const UNSENT = batchOf(
  {
    ...columnsOf(Message, ['id']),
    ...GIVEN,
    /** Match key of the recipient's phone number. */
    phoneKey: 'text',
    /** User id of a recipient without a match key. */
    userId: 'text',
    newContactId: 'text',
  },
  { from: 6 },
);

/**
 * Inserts messages that failed before they were sent, even if their number was removed meanwhile. Existing rows stay
 * unchanged. Recipients become contacts, as in `BEGIN_SENDS`. Returns the new rows.
 * $1 account, $2 job, $3 the number, or null for the primary one, $4 type, $5 caption, then `UNSENT`
 */
export const FAIL_UNSENT = `
  WITH number AS MATERIALIZED (
    SELECT id, phone_number FROM numbers WHERE account_id = $1 AND CASE WHEN $3::text IS NULL THEN is_primary
      ELSE phone_number = $3 END
    ORDER BY removed_at DESC NULLS FIRST LIMIT 1
  ), given AS MATERIALIZED (
    SELECT given.*, number.id AS number_id, phone_number,
      COALESCE(by_phone.id, by_user.id, by_parent.id) AS contact_id
    FROM ${UNSENT.unnest('given')}
    CROSS JOIN number
    LEFT JOIN LATERAL (
      SELECT id FROM contacts WHERE account_id = $1 AND phone_key = given.phone_key
      LIMIT 1
      -- Makes an erasure of the contact wait for this commit, or else this statement recreates the contact.
      FOR KEY SHARE
    ) AS by_phone ON true
    LEFT JOIN LATERAL (
      SELECT id FROM contacts WHERE account_id = $1 AND user_id = given.user_id
      LIMIT 1
      FOR KEY SHARE
    ) AS by_user ON true
    LEFT JOIN LATERAL (
      SELECT id FROM contacts WHERE account_id = $1 AND parent_user_id = given.user_id
      ORDER BY id LIMIT 1
      FOR KEY SHARE
    ) AS by_parent ON true
  ), made AS (
    INSERT INTO contacts (id, account_id, phone, phone_key)
    SELECT DISTINCT ON (phone_key) new_contact_id, $1, recipient, phone_key FROM given
    WHERE contact_id IS NULL AND phone_key IS NOT NULL ORDER BY phone_key
    ON CONFLICT (account_id, phone_key) WHERE phone_key IS NOT NULL DO UPDATE SET phone_key = EXCLUDED.phone_key
    RETURNING id, phone_key
  ), made_by_user AS (
    INSERT INTO contacts (id, account_id, user_id)
    SELECT DISTINCT ON (user_id) new_contact_id, $1, user_id FROM given
    WHERE contact_id IS NULL AND user_id IS NOT NULL
      -- Inserts them after the contacts with a phone number, to keep the lock order.
      AND (SELECT count(*) FROM made) >= 0
    ORDER BY user_id
    ON CONFLICT (account_id, user_id) WHERE user_id IS NOT NULL DO UPDATE SET user_id = EXCLUDED.user_id
    RETURNING id, user_id
  )
  INSERT INTO messages (id, account_id, number_id, contact_id, direction, sender, type, caption, job_id, state, failed_at,
    ${columnNames(GIVEN)})
  SELECT given.id, $1, number_id, COALESCE(contact_id, made.id, made_by_user.id), 'outbound', phone_number, $4, $5, $2, 'failed', now(),
    ${columnNames(GIVEN)}
  FROM given LEFT JOIN made USING (phone_key) LEFT JOIN made_by_user USING (user_id)
  ON CONFLICT (id) DO NOTHING
  RETURNING ${REPORTED_COLUMNS}, failed_at AS "failedAt"`;
