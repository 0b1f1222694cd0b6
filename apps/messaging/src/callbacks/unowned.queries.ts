/**
 * So many are kept of a number: a number that others use besides Switchboard may bring any number of them, for ever.
 */
const MOST_OF_NUMBER = 1_000;
/** Whoever connects a number adds it soon. */
const KEPT = '24 hours';

/**
 * Keeps a callback, unless there are too many of its number; no row comes back then. $1 new id, $2 the upstream's id of
 * the number, $3 body
 */
export const KEEP_UNOWNED = `
  INSERT INTO unowned_callbacks (id, phone_number_id, body)
  SELECT $1, $2, $3::jsonb
  WHERE (SELECT count(*) FROM (SELECT 1 FROM unowned_callbacks WHERE phone_number_id = $2 LIMIT ${MOST_OF_NUMBER})
    AS kept) < ${MOST_OF_NUMBER}
  RETURNING id`;

/** Takes callbacks of numbers that somebody has by now, in the order in which they came. $1 most rows */
export const TAKE_OWNED = `
  WITH owned AS (
    SELECT unowned_callbacks.id FROM unowned_callbacks JOIN numbers USING (phone_number_id)
    WHERE removed_at IS NULL
    ORDER BY unowned_callbacks.id LIMIT $1 FOR UPDATE OF unowned_callbacks SKIP LOCKED
  ), taken AS (
    DELETE FROM unowned_callbacks WHERE id IN (SELECT id FROM owned) RETURNING id, body
  )
  SELECT body FROM taken ORDER BY id`;

/** $1 most rows */
export const PURGE_UNOWNED = `
  DELETE FROM unowned_callbacks WHERE id IN (
    SELECT id FROM unowned_callbacks WHERE received_at < now() - interval '${KEPT}' ORDER BY received_at LIMIT $1
      FOR UPDATE SKIP LOCKED
  ) RETURNING id`;
