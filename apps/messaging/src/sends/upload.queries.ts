/** $1 number, $2 SHA-256 in hex, $3 MIME type */
export const FIND_UPLOADED = `
  SELECT upstream_media_id AS "mediaId" FROM uploaded_media
  WHERE number_id = $1 AND sha256 = $2 AND mime_type = $3 AND expires_at > now()`;

/** Time after which the upload of a process that does not extend its lease counts as failed. */
export const LEASE_SECONDS = 10;

/** Upstream stores an upload for 30 days; one day is a safety margin. */
const UPLOAD_DAYS = 29;

/** SQL: the lease of the process. $1 number, $2 SHA-256 in hex, $3 MIME type, $4 owner */
const OWN_LEASE = 'number_id = $1 AND sha256 = $2 AND mime_type = $3 AND owner = $4';

/**
 * Starts an upload unless another process is uploading the same file. Returns a row on success. $1 number, $2 SHA-256
 * in hex, $3 MIME type, $4 owner
 */
export const CLAIM_UPLOAD = `
  INSERT INTO upload_leases AS lease (number_id, sha256, mime_type, owner, held_until)
  VALUES ($1, $2, $3, $4, now() + interval '${LEASE_SECONDS} seconds')
  ON CONFLICT (number_id, sha256, mime_type) DO UPDATE SET owner = EXCLUDED.owner, held_until = EXCLUDED.held_until
  WHERE lease.held_until < now()
  RETURNING 1`;

/** $1 number, $2 SHA-256 in hex, $3 MIME type, $4 owner */
export const EXTEND_LEASE = `
  UPDATE upload_leases SET held_until = now() + interval '${LEASE_SECONDS} seconds' WHERE ${OWN_LEASE}`;

/** $1 number, $2 SHA-256 in hex, $3 MIME type, $4 owner */
export const END_LEASE = `DELETE FROM upload_leases WHERE ${OWN_LEASE}`;

/**
 * Stores the platform's id and ends the lease. $1 number, $2 SHA-256 in hex, $3 MIME type, $4 owner, $5 the platform's
 * id
 */
export const NOTE_UPLOADED = `
  WITH ended AS (${END_LEASE})
  INSERT INTO uploaded_media (number_id, sha256, mime_type, upstream_media_id, expires_at)
  VALUES ($1, $2, $3, $5, now() + interval '${UPLOAD_DAYS} days')
  ON CONFLICT (number_id, sha256, mime_type) DO UPDATE
  SET upstream_media_id = EXCLUDED.upstream_media_id, expires_at = EXCLUDED.expires_at`;

/** Deletes the upload only if it still has the id that upstream rejected. $4 that id */
export const FORGET_UPLOADED =
  'DELETE FROM uploaded_media WHERE number_id = $1 AND sha256 = $2 AND mime_type = $3 AND upstream_media_id = $4';

/**
 * Deletes the stored uploads of files used by the given messages. Keeps uploads of the last hour: the platform still
 * has them, so the file itself is invalid, and deleting them would make each message upload it again. Skips locked
 * rows, which another process is deleting. $1 messages
 */
export const FORGET_UPLOADS_OF = `
  WITH used AS (
    SELECT DISTINCT account_id, number_id, jsonb_path_query(content, '$.**.id') #>> '{}' AS media_id
    FROM messages WHERE id = ANY ($1::text[])
  )
  DELETE FROM uploaded_media WHERE ctid = ANY (ARRAY(
    SELECT uploaded_media.ctid FROM used
    JOIN media_files ON media_files.account_id = used.account_id AND media_files.id = used.media_id
    JOIN uploaded_media USING (number_id, sha256, mime_type)
    WHERE uploaded_media.expires_at < now() + interval '${UPLOAD_DAYS} days' - interval '1 hour'
    FOR UPDATE OF uploaded_media SKIP LOCKED
  ))`;

export const DELETE_EXPIRED_UPLOADS = 'DELETE FROM uploaded_media WHERE expires_at < now()';

/** Deletes the leases of processes that died. */
export const DELETE_EXPIRED_LEASES = 'DELETE FROM upload_leases WHERE held_until < now()';
