import type { MessageError } from '@switchboard/contracts';
import type { OutboundState } from './message-state';
import { WINDOW_IS_OPEN } from './service-window';

/** Why the database lets a send not begin. */
export type SendRefusal = 'no-number' | 'number-stopped' | 'opted-out' | 'window-closed';

/** What the database said when a send began. */
export interface BegunSend {
  refusal: SendRefusal | null;
  /** The number's id, and the fields beside it; null, as they are, only together with the refusal `no-number`. */
  id: string;
  wabaId: string;
  phoneNumberId: string;
  sealedAccessToken: string;
  stoppedReason: string | null;
  /** Whether the row is new: only then may the message be sent now. */
  inserted: boolean;
}

/**
 * Finds the number, judges opt-out and window and writes the row, in one round trip and at one moment of the database's clock.
 * What is refused writes nothing (decisions 4); a row that is there already stays as it is. Whoever is sent to is a contact from then on.
 * $1 id, $2 account, $3 the wanted number or null, $4 recipient, $5 type, $6 content, $7 client reference,
 * $8 the recipient's match key, $9 the id of a new contact, $10 whether it is marketing, $11 caption, $12 the upstream's id of its file,
 * $13 facts of the file, $14 job, $15 whether it may be sent again
 */
export const BEGIN_SEND = `
  WITH number AS (
    SELECT id, phone_number, phone_number_id, waba_id, sealed_access_token, stopped_at, stopped_reason FROM numbers
    WHERE account_id = $2 AND CASE WHEN $3::text IS NULL THEN is_primary ELSE phone_number = $3 END
  ), known AS (
    SELECT id, blocked, opted_out OR marketing_opted_out AS opted_out FROM contacts WHERE account_id = $2 AND phone_key = $8
  ), judged AS (
    SELECT CASE
      WHEN NOT EXISTS (SELECT 1 FROM number) THEN 'no-number'
      WHEN EXISTS (SELECT 1 FROM number WHERE stopped_at IS NOT NULL) THEN 'number-stopped'
      WHEN EXISTS (SELECT 1 FROM known WHERE blocked OR (opted_out AND $10::boolean)) THEN 'opted-out'
      WHEN $5 <> 'template'
        AND NOT EXISTS (
          SELECT 1 FROM service_windows JOIN number ON number.id = number_id JOIN known ON known.id = contact_id WHERE ${WINDOW_IS_OPEN}
        )
        AND NOT EXISTS (SELECT 1 FROM account_settings WHERE account_id = $2 AND window_policy = 'upstream') THEN 'window-closed'
    END AS refusal
  ), made AS (
    INSERT INTO contacts (id, account_id, phone, phone_key)
    SELECT $9, $2, $4, $8 FROM judged WHERE refusal IS NULL AND NOT EXISTS (SELECT 1 FROM known)
    -- Somebody else made it this moment: an update gives its id, too.
    ON CONFLICT (account_id, phone_key) WHERE phone_key IS NOT NULL DO UPDATE SET phone_key = EXCLUDED.phone_key
    RETURNING id
  ), contact AS (
    SELECT id FROM known UNION ALL SELECT id FROM made
  ), inserted AS (
    INSERT INTO messages (id, account_id, number_id, contact_id, direction, sender, recipient, type, content, client_ref, caption, media_id,
      upload, job_id, repeatable, state, sending_since, send_attempts)
    SELECT $1, $2, number.id, contact.id, 'outbound', number.phone_number, $4, $5, $6::jsonb, $7, $11, $12, $13::jsonb, $14, $15, 'sending', now(), 1
    FROM judged, number, contact WHERE refusal IS NULL
    ON CONFLICT (id) DO NOTHING
    RETURNING id
  )
  SELECT refusal, number.id, waba_id AS "wabaId", phone_number_id AS "phoneNumberId",
    sealed_access_token AS "sealedAccessToken", stopped_reason AS "stoppedReason", EXISTS (SELECT 1 FROM inserted) AS inserted
  FROM judged LEFT JOIN number ON true`;

/** What is known of a message that was begun before. */
export interface StoredSend {
  state: OutboundState;
  upstreamId: string | null;
  error: MessageError | null;
}

const STORED_SEND = 'state, upstream_id AS "upstreamId", error';

export const FIND_SEND = `SELECT ${STORED_SEND} FROM messages WHERE id = $1 AND account_id = $2 AND direction = 'outbound'`;

/** The upstream platform took the message. A callback may have been here first: what it wrote stays. */
export const ACCEPT_SEND = `
  UPDATE messages
  SET upstream_id = COALESCE(upstream_id, $3),
      accepted_at = COALESCE(accepted_at, now()),
      state = CASE WHEN state IN ('sending', 'unknown') THEN 'accepted' ELSE state END
  WHERE id = $1 AND account_id = $2
  RETURNING ${STORED_SEND}`;

/** Certainly not sent. No row comes back when a callback has settled the message before. */
export const FAIL_SEND = `
  UPDATE messages SET state = 'failed', failed_at = now(), error = $3::jsonb
  WHERE id = $1 AND account_id = $2 AND state IN ('sending', 'unknown')
  RETURNING ${STORED_SEND}`;

/** Nobody knows whether it was sent. */
export const MARK_UNKNOWN = `
  UPDATE messages SET state = 'unknown'
  WHERE id = $1 AND account_id = $2 AND state = 'sending'
  RETURNING ${STORED_SEND}`;

/** The file was handed over again: the send names the new id from now on. */
export const RENEW_MEDIA = `UPDATE messages SET media_id = $3 WHERE id = $1 AND account_id = $2 AND state = 'sending'`;
