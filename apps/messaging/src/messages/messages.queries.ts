import type { MessageError } from '@switchboard/contracts';
import { countUpTo } from '../lists/totals';

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
  caption: string | null;
  state: string;
  error: MessageError | null;
  jobId: string | null;
  clientRef: string | null;
  createdAt: Date;
  receivedAt: Date | null;
  sentAt: Date | null;
  deliveredAt: Date | null;
  readAt: Date | null;
  failedAt: Date | null;
}

/**
 * $1 account, $2 direction, $3 status, $4 type, $5 contact, $6 job, $7 least id, $8 the id that all lie below; null means any.
 * What the upstream platform has not answered yet is in no list (decisions 5). Two statuses are said in the terms of their partial
 * indexes alone, so that they are counted without reading rows; the conditions of absent filters vanish when the statement is planned.
 */
const FILTERS = `
  account_id = $1 AND settled
  AND ($2::text IS NULL OR direction = $2)
  AND ($3::text IS NULL OR $3 IN ('failed', 'received') OR state = $3)
  AND ($3::text IS DISTINCT FROM 'failed' OR failed)
  AND ($3::text IS DISTINCT FROM 'received' OR direction = 'inbound')
  AND ($4::text IS NULL OR type = $4)
  AND ($5::text IS NULL OR contact_id = $5)
  AND ($6::text IS NULL OR job_id = $6)
  AND ($7::text IS NULL OR id >= $7)
  AND ($8::text IS NULL OR id < $8)`;

export const COUNT_MESSAGES = countUpTo(`SELECT 1 FROM messages WHERE ${FILTERS}`);

/** Newest first: ids carry the time, so the order is that of the partitions and of every index. $9 rows to pass over, $10 most rows */
export const LIST_MESSAGES = `
  SELECT id, upstream_id AS "upstreamId", direction, sender, recipient, profile_name AS "profileName", type, content, caption, state, error,
    job_id AS "jobId", client_ref AS "clientRef", created_at AS "createdAt", received_at AS "receivedAt", sent_at AS "sentAt",
    delivered_at AS "deliveredAt", read_at AS "readAt", failed_at AS "failedAt"
  FROM messages WHERE ${FILTERS}
  ORDER BY id DESC
  OFFSET $9 LIMIT $10`;

/** A contact by the match key of their phone, and how long the conversation with them is. $1 account, $2 match key */
export const FIND_CONVERSATION = `
  SELECT contacts.id, COALESCE(message_count, 0) AS "messageCount"
  FROM contacts LEFT JOIN conversations ON contact_id = contacts.id
  WHERE contacts.account_id = $1 AND phone_key = $2`;
