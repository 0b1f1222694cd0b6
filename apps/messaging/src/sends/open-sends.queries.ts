import { idOfPerson } from '../people/person-keys';

/**
 * SQL: a send that no process began. Its row says so to `BEGIN_NOTED`, which lets a repeat of the request send it, and
 * to the reconciler, which fails it otherwise.
 */
export const IS_NOT_BEGUN = "state = 'unknown' AND send_attempts = 0";

/**
 * Writes the row of a send that ended without a known outcome. A row that is there already stays as it is. The contact
 * is made as in `BEGIN_SENDS`. `wanted` is the number to send from, or null for the primary one.
 */
export const NOTE_OPEN_SEND = `
  WITH number AS MATERIALIZED (
    SELECT id, phone_number FROM numbers WHERE account_id = :accountId
    ORDER BY phone_number = COALESCE(:wanted::text, '') DESC, removed_at IS NULL DESC, is_primary DESC LIMIT 1
  ), known AS MATERIALIZED (
    SELECT id FROM contacts WHERE account_id = :accountId
      AND id = ANY (ARRAY${idOfPerson(':accountId', ':phoneKey::text', ':userId::text')}) LIMIT 1
    FOR KEY SHARE
  ), made AS (
    INSERT INTO contacts (id, account_id, phone, phone_key)
    SELECT :newContactId, :accountId, :recipient, :phoneKey FROM number
    WHERE :phoneKey IS NOT NULL AND NOT EXISTS (SELECT FROM known)
    ON CONFLICT (account_id, phone_key) WHERE phone_key IS NOT NULL DO UPDATE SET phone_key = EXCLUDED.phone_key
    RETURNING id
  ), made_by_user AS (
    INSERT INTO contacts (id, account_id, user_id)
    SELECT :newContactId, :accountId, :userId FROM number
    WHERE :userId IS NOT NULL AND NOT EXISTS (SELECT FROM known)
    ON CONFLICT (account_id, user_id) WHERE user_id IS NOT NULL DO UPDATE SET user_id = EXCLUDED.user_id
    RETURNING id
  ), noted AS (
    INSERT INTO messages (id, account_id, number_id, contact_id, direction, sender, recipient, type, content, caption,
      client_ref, state, repeatable, sending_since, send_attempts)
    SELECT :id, :accountId, number.id, COALESCE(known.id, made.id, made_by_user.id), 'outbound',
      COALESCE(:wanted, number.phone_number), :recipient, :type, :content::jsonb, :caption, :clientRef,
      'unknown', false, now(), 0
    FROM number LEFT JOIN known ON true LEFT JOIN made ON true LEFT JOIN made_by_user ON true
    ON CONFLICT (id) DO NOTHING
  )
  SELECT true AS recorded FROM number`;

/** Begins a send that was noted before, by a repeat of its request. No row: it is not such a send. */
export const BEGIN_NOTED = `
  UPDATE messages SET state = 'sending', sending_since = now(), send_attempts = 1, number_id = :numberId,
    sender = (SELECT phone_number FROM numbers WHERE id = :numberId), content = :content::jsonb,
    caption = :caption, media_id = :mediaId, upload = :upload::jsonb, reference = :reference::jsonb,
    repeatable = :repeatable, send_trace = :sendTrace
  WHERE id = :id AND account_id = :accountId AND ${IS_NOT_BEGUN}
  RETURNING id`;
