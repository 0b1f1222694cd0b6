import { batchOf, columnsOf } from '@switchboard/database';
import { Media } from './media.entity';

/** Received media with everything needed to fetch it. */
export interface MediaRow {
  id: string;
  accountId: string;
  upstreamMediaId: string;
  mimeType: string;
  /** Base64. Null if upstream gave no hash. */
  sha256: string | null;
  /** Null until the bytes are stored. Text, because PostgreSQL's bigint exceeds a JavaScript number. */
  bytes: string | null;
  filename: string | null;
  blobKey: string;
  state: 'pending' | 'stored' | 'failed';
  attempts: number;
  error: string | null;
  /** True if the next attempt is due. */
  isDue: boolean;
  /** True if upstream no longer stores the file. */
  isExpired: boolean;
  numberId: string;
  phoneNumberId: string;
  sealedAccessToken: string;
}

/** Retention period of received media at the upstream platform. */
const KEPT_UPSTREAM = '7 days';
/** Tolerance for tasks that arrive slightly early. */
const TOLERANCE = '1 second';
/** Time after the due attempt until its task is considered lost. */
const OVERDUE = '15 minutes';

/** $1 media, $2 account */
export const FIND_MEDIA = `
  SELECT media.id, media.account_id AS "accountId", upstream_media_id AS "upstreamMediaId",
    mime_type AS "mimeType", sha256, bytes, filename,
    blob_key AS "blobKey", state, attempts, error,
    next_attempt_at <= now() + interval '${TOLERANCE}' AS "isDue", media.created_at < now() - interval '${KEPT_UPSTREAM}' AS "isExpired",
    numbers.id AS "numberId", phone_number_id AS "phoneNumberId", sealed_access_token AS "sealedAccessToken"
  FROM media JOIN numbers ON numbers.id = media.number_id
  WHERE media.id = $1 AND media.account_id = $2`;

/** Files that `INSERT_MEDIA` inserts. */
export const FILES = batchOf(
  columnsOf(Media, ['id', 'messageId', 'upstreamMediaId', 'mimeType', 'sha256', 'filename', 'blobKey', 'error']),
  { from: 3 },
);

/**
 * Inserts the files of inbound messages. A file with an error is stored as failed.
 * $1 account, $2 number, then `FILES`
 */
export const INSERT_MEDIA = `
  INSERT INTO media (account_id, number_id, state, ${FILES.names})
  SELECT $1, $2, CASE WHEN error IS NULL THEN 'pending' ELSE 'failed' END, ${FILES.names}
  FROM ${FILES.unnest('media')}`;

/**
 * Marks media as stored. Returns no row if the media was removed meanwhile.
 * $1 media, $2 account, $3 bytes, $4 SHA-256 in base64, $5 MIME type or null
 */
export const MARK_STORED = `
  UPDATE media SET state = 'stored', bytes = $3, sha256 = $4, mime_type = COALESCE($5, mime_type), error = NULL,
    stored_at = now()
  WHERE id = $1 AND account_id = $2 AND removed_at IS NULL
  RETURNING id`;

/** Marks media as permanently failed. $1 media, $2 account, $3 reason */
export const MARK_FAILED = `
  UPDATE media SET state = 'failed', error = $3, attempts = attempts + 1 WHERE id = $1 AND account_id = $2
    AND state = 'pending'`;

/**
 * Schedules the next attempt after a failure. If two failures are concurrent, only one schedules it.
 * $1 media, $2 account, $3 attempts before this one, $4 seconds until the next, $5 reason
 */
export const MARK_RETRY = `
  UPDATE media SET attempts = attempts + 1, next_attempt_at = now() + make_interval(secs => $4), error = $5
  WHERE id = $1 AND account_id = $2 AND state = 'pending' AND attempts = $3
  RETURNING id`;

/** Claims media whose task was lost, across all accounts. $1 maximum rows */
export const CLAIM_OVERDUE_MEDIA = `
  UPDATE media SET next_attempt_at = now()
  WHERE id IN (
    SELECT id FROM media WHERE state = 'pending' AND next_attempt_at < now() - interval '${OVERDUE}'
    ORDER BY next_attempt_at LIMIT $1 FOR UPDATE SKIP LOCKED
  )
  RETURNING id, account_id AS "accountId"`;

/** Reads the files of messages that their senders deleted, across all accounts. $1 maximum rows */
export const REMOVED_MEDIA = `
  SELECT id, account_id AS "accountId", blob_key AS "blobKey" FROM media WHERE removed_at IS NOT NULL
  ORDER BY removed_at LIMIT $1`;

/** $1 media, $2 account */
export const FORGET_MEDIA = 'DELETE FROM media WHERE id = $1 AND account_id = $2 AND removed_at IS NOT NULL';
