import type { MessageError } from '@switchboard/contracts';
import type { OutboundState } from './message-state';
import { WINDOW_IS_OPEN } from './service-window';

/** What the database said when a send began. */
export interface BegunSend {
  /** Null when the account has no such number. */
  numberId: string | null;
  sender: string | null;
  phoneNumberId: string | null;
  sealedAccessToken: string | null;
  windowOpen: boolean;
  /** Whether the row is new: only then may the message be sent now. */
  inserted: boolean;
}

/**
 * Finds the number, judges the window and writes the row, in one round trip. No row is written without a number, nor
 * for anything but a template outside the window; a row that is there already stays as it is.
 * $1 id, $2 account, $3 the wanted number or null, $4 recipient, $5 type, $6 content, $7 client reference
 */
export const BEGIN_SEND = `
  WITH number AS (
    SELECT id, phone_number, phone_number_id, sealed_access_token FROM numbers
    WHERE account_id = $2 AND CASE WHEN $3::text IS NULL THEN is_primary ELSE phone_number = $3 END
  ), service_window AS (
    SELECT EXISTS (
      SELECT 1 FROM contacts JOIN number ON number.id = number_id
      WHERE account_id = $2 AND phone = $4 AND ${WINDOW_IS_OPEN}
    ) AS open
  ), inserted AS (
    INSERT INTO messages (id, account_id, number_id, direction, sender, recipient, type, content, client_ref, state, sending_since, send_attempts)
    SELECT $1, $2, number.id, 'outbound', number.phone_number, $4, $5, $6::jsonb, $7, 'sending', now(), 1
    FROM number, service_window
    WHERE $5 = 'template' OR service_window.open
    ON CONFLICT (id) DO NOTHING
    RETURNING id
  )
  SELECT number.id AS "numberId", number.phone_number AS sender, number.phone_number_id AS "phoneNumberId",
    number.sealed_access_token AS "sealedAccessToken", service_window.open AS "windowOpen",
    EXISTS (SELECT 1 FROM inserted) AS inserted
  FROM service_window LEFT JOIN number ON true`;

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
