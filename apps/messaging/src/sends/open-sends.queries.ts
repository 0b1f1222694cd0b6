import { columnNames } from '@switchboard/database';
import { IS_NOT_BEGUN } from '../messages/message-state';
import { idOfPerson } from '../people/person-keys';
import { REQUESTED, SENDS } from './send.queries';

/**
 * Writes the row of a send that ended without a known outcome. An existing row stays unchanged. The contact is created
 * as in `BEGIN_SENDS`. Parameters: `SENDS`, one row.
 */
export const NOTE_OPEN_SEND = `
  WITH given AS MATERIALIZED (
    SELECT given.*, number.id AS number_id, phone_number
    FROM ${SENDS.unnest('given')} CROSS JOIN LATERAL (
      SELECT id, phone_number FROM numbers WHERE account_id = given.account_id
      ORDER BY phone_number = COALESCE(given.wanted, '') DESC, removed_at IS NULL DESC, is_primary DESC LIMIT 1
    ) AS number
  ), known AS MATERIALIZED (
    SELECT contact.id FROM given CROSS JOIN LATERAL (
      SELECT id FROM contacts WHERE account_id = given.account_id
        AND id = ANY (ARRAY${idOfPerson('given.account_id', 'given.phone_key', 'given.user_id')}) LIMIT 1
      FOR KEY SHARE
    ) AS contact
  ), made AS (
    INSERT INTO contacts (id, account_id, phone, phone_key)
    SELECT new_contact_id, account_id, recipient, phone_key FROM given
    WHERE phone_key IS NOT NULL AND NOT EXISTS (SELECT FROM known)
    ON CONFLICT (account_id, phone_key) WHERE phone_key IS NOT NULL DO UPDATE SET phone_key = EXCLUDED.phone_key
    RETURNING id
  ), made_by_user AS (
    INSERT INTO contacts (id, account_id, user_id)
    SELECT new_contact_id, account_id, user_id FROM given
    WHERE user_id IS NOT NULL AND NOT EXISTS (SELECT FROM known)
    ON CONFLICT (account_id, user_id) WHERE user_id IS NOT NULL DO UPDATE SET user_id = EXCLUDED.user_id
    RETURNING id
  ), noted AS (
    INSERT INTO messages (id, account_id, number_id, contact_id, direction, sender, state, repeatable, sending_since,
      send_attempts, ${columnNames(REQUESTED)})
    SELECT given.id, account_id, number_id, COALESCE(known.id, made.id, made_by_user.id), 'outbound',
      COALESCE(wanted, phone_number), 'unknown', false, now(), 0, ${columnNames(REQUESTED)}
    FROM given LEFT JOIN known ON true LEFT JOIN made ON true LEFT JOIN made_by_user ON true
    ON CONFLICT (id) DO NOTHING
  )
  SELECT true AS recorded FROM given`;

/** Starts a recorded send when its request is repeated. Returns no row if the message is not such a send. */
export const BEGIN_NOTED = `
  UPDATE messages SET state = 'sending', sending_since = now(), send_attempts = 1, number_id = :numberId,
    sender = (SELECT phone_number FROM numbers WHERE id = :numberId), content = :content::jsonb,
    caption = :caption, media_id = :mediaId, upload = :upload::jsonb, reference = :reference::jsonb,
    repeatable = :repeatable, send_trace = :sendTrace
  WHERE id = :id AND account_id = :accountId AND ${IS_NOT_BEGUN}
  RETURNING id`;
