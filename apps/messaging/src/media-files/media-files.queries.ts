import { columnsOf, selectList } from '@switchboard/database';
import { MediaFile } from './media-file.entity';

const SHOWN = ['id', 'type', 'mimeType', 'bytes', 'fileName', 'createdAt', 'lastUsedAt', 'retainedFrom'] as const;
const SHOWN_COLUMNS = selectList(columnsOf(MediaFile, SHOWN));

/** Row of an uploaded file as shown to its account. */
export type ShownFile = Pick<MediaFile, (typeof SHOWN)[number]>;

/** Serializes the additions of an account, so that together they stay within its quota. $1 account */
export const LOCK_QUOTA = "SELECT pg_advisory_xact_lock(hashtext('messaging.media_files'), hashtext($1))";

/** $1 account */
export const SUM_BYTES =
  'SELECT COALESCE(sum(bytes), 0)::float8 AS bytes FROM media_files WHERE account_id = $1 AND deleted_at IS NULL';

/**
 * Returns no row for a file that was deleted since. $1 account, $2 id, $3 type, $4 MIME type, $5 bytes, $6 SHA-256, $7
 * file name, $8 blob key
 */
export const INSERT_FILE = `
  INSERT INTO media_files (account_id, id, type, mime_type, bytes, sha256, file_name, blob_key)
  VALUES ($1, $2, $3, $4, $5, $6, $7, $8)
  ON CONFLICT (id) DO NOTHING
  RETURNING ${SHOWN_COLUMNS}, blob_key AS "blobKey"`;

/** $1 account, $2 id */
export const FIND_FILE = `
  SELECT ${SHOWN_COLUMNS}, blob_key AS "blobKey", sha256 FROM media_files
  WHERE account_id = $1 AND id = $2 AND deleted_at IS NULL`;

/** Lists files, newest first. $1 account, $2 id that they must precede, or null, $3 offset, $4 maximum rows */
export const LIST_FILES = `
  SELECT ${SHOWN_COLUMNS} FROM media_files
  WHERE account_id = $1 AND deleted_at IS NULL AND ($2::text IS NULL OR id < $2)
  ORDER BY id DESC OFFSET $3 LIMIT $4`;

/** Counts files up to a limit. $1 account, $2 limit */
export const COUNT_FILES = `
  SELECT count(*)::int AS total
  FROM (SELECT 1 FROM media_files WHERE account_id = $1 AND deleted_at IS NULL LIMIT $2) AS counted`;

/** Uploaded file with everything needed to send it. */
export interface SendableFile {
  id: string;
  mimeType: string;
  bytes: string;
  sha256: string;
  fileName: string | null;
  blobKey: string;
  /** True if its last use is to be updated. */
  isUseStale: boolean;
}

/** The time of the last use is exact to the hour, so that sends do not write the row each time. $1 account, $2 ids */
export const FIND_SENDABLE = `
  SELECT id, mime_type AS "mimeType", bytes, sha256, file_name AS "fileName", blob_key AS "blobKey",
    last_used_at IS NULL OR last_used_at < now() - interval '1 hour' AS "isUseStale"
  FROM media_files WHERE account_id = $1 AND id = ANY ($2) AND deleted_at IS NULL`;

/** Rows that another process is updating have a new time anyway. $1 account, $2 ids */
export const NOTE_USE = `
  UPDATE media_files SET last_used_at = now(), retained_from = now()
  WHERE account_id = $1 AND deleted_at IS NULL AND id IN (
    SELECT id FROM media_files WHERE account_id = $1 AND id = ANY ($2) FOR UPDATE SKIP LOCKED)`;

/** Finds files whose retention has passed, of one account. $1 days, $2 maximum rows */
export const FIND_EXPIRED = `
  WITH oldest AS (
    SELECT account_id FROM media_files
    WHERE deleted_at IS NULL AND retained_from < now() - make_interval(days => $1) ORDER BY retained_from LIMIT 1
  )
  SELECT id, account_id AS "accountId" FROM media_files
  WHERE account_id = (SELECT account_id FROM oldest)
    AND deleted_at IS NULL AND retained_from < now() - make_interval(days => $1)
  ORDER BY id LIMIT $2`;

/** Restarts the retention of files. Returns those that are not deleted. $1 account, $2 ids */
export const RETAIN_FILES = `
  UPDATE media_files SET retained_from = now() WHERE account_id = $1 AND id = ANY ($2) AND deleted_at IS NULL RETURNING id`;

/** Marks files as deleted, unless they were used in the meantime. $1 account, $2 ids, $3 days */
export const DELETE_EXPIRED = `
  UPDATE media_files SET deleted_at = now()
  WHERE account_id = $1 AND id = ANY ($2) AND deleted_at IS NULL AND retained_from < now() - make_interval(days => $3)
  RETURNING id`;

/** $1 account, $2 id */
export const DELETE_FILE = `
  UPDATE media_files SET deleted_at = now() WHERE account_id = $1 AND id = $2 AND deleted_at IS NULL RETURNING id`;

/** Finds deleted files, whose bytes may still be stored. $1 maximum rows */
export const FIND_DELETED = `
  SELECT id, account_id AS "accountId", blob_key AS "blobKey" FROM media_files
  WHERE deleted_at IS NOT NULL ORDER BY deleted_at LIMIT $1`;

/** $1 account, $2 id */
export const FORGET_FILE = 'DELETE FROM media_files WHERE account_id = $1 AND id = $2 AND deleted_at IS NOT NULL';

/** Finds the blobs that belong to a file. $1 blob keys */
export const FIND_BLOBS = 'SELECT blob_key AS "blobKey" FROM media_files WHERE blob_key = ANY ($1)';
