/** $1 ids, $2 bodies */
export const STORE_CALLBACKS = 'INSERT INTO callback_inbox (id, body) SELECT * FROM unnest($1::text[], $2::bytea[])';

/** Several gateways purge side by side without waiting for each other. $1 hours to keep, $2 most rows */
export const DELETE_OLD_CALLBACKS = `
  DELETE FROM callback_inbox WHERE id IN (
    SELECT id FROM callback_inbox WHERE received_at < now() - make_interval(hours => $1)
    ORDER BY received_at LIMIT $2 FOR UPDATE SKIP LOCKED
  ) RETURNING id`;
