/**
 * Which of these messages are stored already, in whichever place of their second. $1 account, $2 number, $3 the least
 * id that is looked for, $4 the id that all lie below, $5 upstream ids, then lists: $6 the least id of each second, $7
 * that of the next one
 */
export const FIND_STORED = `
  SELECT upstream_id AS "upstreamId" FROM unnest($6::text[], $7::text[]) AS second (first, next)
  JOIN messages ON messages.id >= second.first AND messages.id < second.next
  -- The bounds are said once more as a whole: other months are left out when the statement is planned.
  WHERE messages.id >= $3 AND messages.id < $4 AND account_id = $1 AND number_id = $2 AND settled
    AND direction = 'inbound' AND upstream_id = ANY ($5::text[])`;

/**
 * A message without a time of its own has another second whenever it is reported, so it is looked for among the
 * customer's. $1 account, $2 contacts, $3 upstream ids
 */
export const FIND_UNDATED = `
  SELECT upstream_id AS "upstreamId" FROM messages
  WHERE account_id = $1 AND contact_id = ANY ($2::text[]) AND direction = 'inbound' AND upstream_id = ANY ($3::text[])
  UNION
  SELECT upstream_id FROM messages
  WHERE account_id = $1 AND group_id IS NOT NULL AND author_id = ANY ($2::text[]) AND upstream_id = ANY ($3::text[])`;

/**
 * Stores inbound messages whose customers are locked. Answers with the new ones' ids. $1 account, $2 number, $3 the
 * number's phone, then lists: $4 our ids, $5 upstream ids, $6 senders, $7 names, $8 types, $9 contents, $10 times, $11
 * contacts, $12 captions, $13 media, $14 references, $15 groups, $16 writers of what was
 * written to a group, $17 when it was edited and $18 when it was deleted, before it came
 */
export const STORE_INBOUND = `
  INSERT INTO messages (id, account_id, number_id, contact_id, direction, sender, recipient, profile_name,
    upstream_id, type, content, state, received_at,
    caption, media_id, reference, group_id, author_id, edited_at, deleted_at)
  SELECT id, $1, $2, contact_id, 'inbound', sender, $3, name, upstream_id, type, content, 'received', at, caption,
    media_id, reference, group_id, author_id, edited_at, deleted_at
  FROM unnest($4::text[], $5::text[], $6::text[], $7::text[], $8::text[], $9::jsonb[], $10::timestamptz[],
    $11::text[], $12::text[], $13::text[], $14::jsonb[], $15::text[],
    $16::text[], $17::timestamptz[], $18::timestamptz[])
    AS message (id, upstream_id, sender, name, type, content, at, contact_id, caption, media_id, reference, group_id,
      author_id, edited_at, deleted_at)
  ORDER BY id
  ON CONFLICT (id) DO NOTHING
  RETURNING id`;
