/** $1 ids, $2 bodies */
export const STORE_CALLBACKS = 'INSERT INTO callback_inbox (id, body) SELECT * FROM unnest($1::text[], $2::bytea[])';

/** Several gateways purge side by side without waiting for each other. $1 hours to keep, $2 most rows */
export const DELETE_OLD_CALLBACKS = `
  DELETE FROM callback_inbox WHERE id IN (
    SELECT id FROM callback_inbox WHERE received_at < now() - make_interval(hours => $1)
    ORDER BY received_at LIMIT $2 FOR UPDATE SKIP LOCKED
  ) RETURNING id`;

/**
 * Looks through a page of the inbox for a person, and removes what names them: what it holds for others was published when it was
 * stored, and nobody reads it again. A page ends at its last id, null after the last one.
 * $1 the names they have, $2 the last id of the page before, $3 most rows, $4 whether only to count
 */
export const DELETE_CALLBACKS_NAMING = `
  WITH page AS MATERIALIZED (
    SELECT id, EXISTS (SELECT FROM unnest($1::text[]) AS name WHERE position(convert_to(name, 'UTF8') IN body) > 0) AS "isNaming"
    FROM callback_inbox WHERE id > $2 ORDER BY id LIMIT $3
  ), gone AS (
    DELETE FROM callback_inbox USING page WHERE callback_inbox.id = page.id AND "isNaming" AND NOT $4
  )
  SELECT count(*) FILTER (WHERE "isNaming")::int AS callbacks, max(id) AS "lastId" FROM page`;
