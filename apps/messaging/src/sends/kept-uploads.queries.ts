/** Condition of files that users sent from the dashboard. The index `media_sent` has the same condition. */
const IS_SENT = "blob_key LIKE 'sent/%' AND removed_at IS NULL";

/**
 * Stores the file of a message. The lock makes an erasure of the message wait, which then finds the file. Stores
 * nothing if the message was deleted meanwhile.
 * $1 file, $2 message, $3 account, $4 MIME type, $5 SHA-256 in base64, $6 bytes, $7 file name, $8 blob key
 */
export const KEEP_UPLOAD = `
  INSERT INTO media (id, account_id, message_id, number_id, upstream_media_id, mime_type, sha256, bytes, filename,
    blob_key, state, stored_at)
  SELECT $1, account_id, id, number_id, COALESCE(media_id, ''), $4, $5, $6, $7, $8, 'stored', now()
  FROM messages WHERE id = $2 AND account_id = $3
  FOR KEY SHARE
  ON CONFLICT (id) DO NOTHING`;

/**
 * Marks the oldest sent files beyond the quota as removed; `MediaService` deletes them.
 * $1 account, $2 maximum bytes
 */
export const REMOVE_BEYOND_QUOTA = `
  UPDATE media SET removed_at = now()
  WHERE account_id = $1 AND removed_at IS NULL AND id IN (
    SELECT id FROM (
      SELECT id, sum(bytes) OVER (ORDER BY id DESC) AS total FROM media WHERE account_id = $1 AND ${IS_SENT}
    ) AS sent WHERE total > $2
  )
  RETURNING id`;

/** Finds the files that are stored. $1 ids */
export const FIND_KEPT = 'SELECT id FROM media WHERE id = ANY ($1::text[])';
