/**
 * Stores inbound messages, each once; answers with our ids of the new ones. In the order of the unique key, so
 * that two deliveries of overlapping callbacks wait for each other instead of running into a deadlock.
 * $1 account, $2 number, $3 the number's phone, then lists: $4 our ids, $5 upstream ids, $6 senders, $7 names, $8 types, $9 contents, $10 times
 */
export const STORE_INBOUND = `
  INSERT INTO messages (id, account_id, number_id, direction, sender, recipient, profile_name, upstream_id, type, content, state, received_at)
  SELECT id, $1, $2, 'inbound', sender, $3, name, upstream_id, type, content, 'received', at
  FROM unnest($4::text[], $5::text[], $6::text[], $7::text[], $8::text[], $9::jsonb[], $10::timestamptz[])
    AS message (id, upstream_id, sender, name, type, content, at)
  ORDER BY upstream_id
  ON CONFLICT (account_id, number_id, upstream_id) WHERE direction = 'inbound' DO NOTHING
  RETURNING id`;

/**
 * Makes or updates the contacts who wrote. The service window starts at the message's own time, never at a later one
 * than now, and never moves backwards.
 * $1 account, $2 number, then lists: $3 new ids, $4 senders, $5 user ids, $6 names, $7 times, $8 whether it opens the window
 */
export const TOUCH_CONTACTS = `
  INSERT INTO contacts (id, account_id, number_id, phone, user_id, profile_name, last_inbound_at)
  SELECT min(id), $1, $2, sender,
    (array_agg(user_id ORDER BY at DESC) FILTER (WHERE user_id IS NOT NULL))[1],
    (array_agg(name ORDER BY at DESC) FILTER (WHERE name IS NOT NULL))[1],
    -- LEAST passes over a null, which would open the window now.
    max(LEAST(at, now())) FILTER (WHERE opens_window)
  FROM unnest($3::text[], $4::text[], $5::text[], $6::text[], $7::timestamptz[], $8::boolean[])
    AS message (id, sender, user_id, name, at, opens_window)
  GROUP BY sender
  ORDER BY sender
  ON CONFLICT (account_id, number_id, phone) DO UPDATE
  SET user_id = COALESCE(EXCLUDED.user_id, contacts.user_id),
      profile_name = COALESCE(EXCLUDED.profile_name, contacts.profile_name),
      last_inbound_at = GREATEST(contacts.last_inbound_at, EXCLUDED.last_inbound_at)`;
