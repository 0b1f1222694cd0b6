import type { MessageError } from '@switchboard/contracts';

/** A message as the list reads it. */
export interface MessageRow {
  id: string;
  upstreamId: string | null;
  direction: 'inbound' | 'outbound';
  sender: string;
  recipient: string;
  profileName: string | null;
  type: string;
  content: object | null;
  state: string;
  error: MessageError | null;
  clientRef: string | null;
  createdAt: Date;
  /** With microseconds, for the cursor. */
  createdAtText: string;
  receivedAt: Date | null;
  sentAt: Date | null;
  deliveredAt: Date | null;
  readAt: Date | null;
  failedAt: Date | null;
}

/**
 * $1 account, $2 direction, $3 status, $4 type, $5 the customer's phone; null means any. What the upstream platform has not
 * answered yet is left out until it is settled: it can become accepted or failed (decisions 5).
 */
const FILTERS = `
  account_id = $1
  AND ($2::text IS NULL OR direction = $2)
  AND state NOT IN ('sending', 'unknown')
  AND ($3::text IS NULL OR state = $3)
  AND ($4::text IS NULL OR type = $4)
  AND ($5::text IS NULL OR customer = $5)`;

export const COUNT_MESSAGES = `SELECT count(*)::int AS total FROM messages WHERE ${FILTERS}`;

/** Newest first. $6 and $7 position of the last message before the page, or null; $8 rows to pass over; $9 most rows */
export const LIST_MESSAGES = `
  SELECT id, upstream_id AS "upstreamId", direction, sender, recipient, profile_name AS "profileName", type, content, state, error,
    client_ref AS "clientRef", created_at AS "createdAt",
    to_char(created_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') AS "createdAtText",
    received_at AS "receivedAt", sent_at AS "sentAt", delivered_at AS "deliveredAt", read_at AS "readAt", failed_at AS "failedAt"
  FROM messages
  WHERE ${FILTERS} AND ($6::timestamptz IS NULL OR (created_at, id) < ($6, $7))
  ORDER BY created_at DESC, id DESC
  OFFSET $8 LIMIT $9`;
