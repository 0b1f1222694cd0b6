import { idOfPerson } from '../people/person-keys';

/**
 * SQL: a send that no process began. Its row says so to `BEGIN_NOTED`, which lets a repeat of the request send it, and
 * to the reconciler, which fails it otherwise.
 */
export const IS_NOT_BEGUN = "state = 'unknown' AND send_attempts = 0";

/**
 * Writes the row of a send that ended without a known outcome. A row that is there already stays as it is. The contact
 * is made as in `BEGIN_SENDS`. $1 account, $2 id, $3 the wanted number or null, $4 recipient, $5 the recipient's match
 * key or null, $6 their user id or null, $7 id of a new contact, $8 type, $9 content, $10 caption, $11 client reference
 */
export const NOTE_OPEN_SEND = `
  WITH number AS MATERIALIZED (
    SELECT id, phone_number FROM numbers WHERE account_id = $1
    ORDER BY phone_number = COALESCE($3::text, '') DESC, removed_at IS NULL DESC, is_primary DESC LIMIT 1
  ), known AS MATERIALIZED (
    SELECT id FROM contacts WHERE account_id = $1 AND id = ANY (ARRAY${idOfPerson('$1', '$5::text', '$6::text')}) LIMIT 1
    FOR KEY SHARE
  ), made AS (
    INSERT INTO contacts (id, account_id, phone, phone_key)
    SELECT $7, $1, $4, $5 FROM number WHERE $5 IS NOT NULL AND NOT EXISTS (SELECT FROM known)
    ON CONFLICT (account_id, phone_key) WHERE phone_key IS NOT NULL DO UPDATE SET phone_key = EXCLUDED.phone_key
    RETURNING id
  ), made_by_user AS (
    INSERT INTO contacts (id, account_id, user_id)
    SELECT $7, $1, $6 FROM number WHERE $6 IS NOT NULL AND NOT EXISTS (SELECT FROM known)
    ON CONFLICT (account_id, user_id) WHERE user_id IS NOT NULL DO UPDATE SET user_id = EXCLUDED.user_id
    RETURNING id
  ), noted AS (
    INSERT INTO messages (id, account_id, number_id, contact_id, direction, sender, recipient, type, content, caption,
      client_ref, state, repeatable, sending_since, send_attempts)
    SELECT $2, $1, number.id, COALESCE(known.id, made.id, made_by_user.id), 'outbound',
      COALESCE($3, number.phone_number), $4, $8, $9::jsonb, $10, $11, 'unknown', false, now(), 0
    FROM number LEFT JOIN known ON true LEFT JOIN made ON true LEFT JOIN made_by_user ON true
    ON CONFLICT (id) DO NOTHING
  )
  SELECT true AS recorded FROM number`;

/**
 * Begins a send that was noted before, by a repeat of its request. $1 id, $2 account, $3 number, $4 content, $5
 * caption, $6 the upstream's id of the file, $7 facts of the file, $8 what it refers to, $9 whether it may be sent
 * again, $10 the send's span or null. No row: it is not such a send.
 */
export const BEGIN_NOTED = `
  UPDATE messages SET state = 'sending', sending_since = now(), send_attempts = 1, number_id = $3,
    sender = (SELECT phone_number FROM numbers WHERE id = $3), content = $4::jsonb, caption = $5, media_id = $6,
    upload = $7::jsonb, reference = $8::jsonb, repeatable = $9, send_trace = $10
  WHERE id = $1 AND account_id = $2 AND ${IS_NOT_BEGUN}
  RETURNING id`;
