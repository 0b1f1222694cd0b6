/** Which of these messages are stored already. $1 account, $2 our ids */
export const FIND_STORED = 'SELECT id FROM messages WHERE account_id = $1 AND id = ANY ($2::text[])';

/** Messages without a time of their own are taken in one after another. $1 upstream ids */
export const LOCK_UNDATED = 'SELECT pg_advisory_xact_lock(hashtext(id)) FROM (SELECT DISTINCT unnest($1::text[]) AS id ORDER BY id) AS undated';

/** Such a message has another id whenever it is reported, so it is looked for among the customer's. $1 account, $2 contacts, $3 upstream ids */
export const FIND_UNDATED = `
  SELECT upstream_id AS "upstreamId" FROM messages
  WHERE account_id = $1 AND contact_id = ANY ($2::text[]) AND direction = 'inbound' AND upstream_id = ANY ($3::text[])`;

/**
 * Stores inbound messages, each once: a message that is reported again has the same id. Answers with the new ones' ids. In the
 * order of the key, so that two deliveries of overlapping callbacks wait for each other instead of running into a deadlock.
 * $1 account, $2 number, $3 the number's phone, then lists: $4 our ids, $5 upstream ids, $6 senders, $7 names, $8 types, $9 contents, $10 times,
 * $11 contacts, $12 captions, $13 media, $14 references
 */
export const STORE_INBOUND = `
  INSERT INTO messages (id, account_id, number_id, contact_id, direction, sender, recipient, profile_name, upstream_id, type, content, state, received_at,
    caption, media_id, reference)
  SELECT id, $1, $2, contact_id, 'inbound', sender, $3, name, upstream_id, type, content, 'received', at, caption, media_id, reference
  FROM unnest($4::text[], $5::text[], $6::text[], $7::text[], $8::text[], $9::jsonb[], $10::timestamptz[], $11::text[], $12::text[], $13::text[], $14::jsonb[])
    AS message (id, upstream_id, sender, name, type, content, at, contact_id, caption, media_id, reference)
  ORDER BY id
  ON CONFLICT (id) DO NOTHING
  RETURNING id`;
