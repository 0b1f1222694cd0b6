/** $1 number, $2 SHA-256 in hex, $3 MIME type */
export const FIND_UPLOADED = `
  SELECT upstream_media_id AS "mediaId" FROM uploaded_media
  WHERE number_id = $1 AND sha256 = $2 AND mime_type = $3 AND expires_at > now()`;

/** Stores an upload with its expiry. Upstream stores an upload for 30 days; one day is a safety margin. */
export const NOTE_UPLOADED = `
  INSERT INTO uploaded_media (number_id, sha256, mime_type, upstream_media_id, expires_at)
  VALUES ($1, $2, $3, $4, now() + interval '29 days')
  ON CONFLICT (number_id, sha256, mime_type) DO UPDATE
  SET upstream_media_id = EXCLUDED.upstream_media_id, expires_at = EXCLUDED.expires_at`;

/** Deletes the upload only if it still has the id that upstream rejected. $4 that id */
export const FORGET_UPLOADED =
  'DELETE FROM uploaded_media WHERE number_id = $1 AND sha256 = $2 AND mime_type = $3 AND upstream_media_id = $4';

export const DELETE_EXPIRED_UPLOADS = 'DELETE FROM uploaded_media WHERE expires_at < now()';
