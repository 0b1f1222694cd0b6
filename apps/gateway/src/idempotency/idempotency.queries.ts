import { UNKEYED_BYTES } from './fingerprints';

/** For how long an Idempotency-Key is known (spec §4.1.5). */
const KNOWN_FOR = "interval '24 hours'";
/** A request whose gateway says nothing for so long is taken to be dead; a living one renews it in time. */
const LEASE = "interval '10 seconds'";

/**
 * Takes the key for one request: as a new one, in place of one that is too old to be known, or from a request that
 * ended without an answer worth keeping or with its process. In the last case the seed stays, and with it every id made
 * of it. $1 client, $2 route, $3 key, $4 fingerprint, $5 seed, $6 owner, $7 every form of an equal fingerprint. No row:
 * look why.
 */
export const CLAIM = `
  INSERT INTO idempotency AS i (client_id, route, key, fingerprint, seed, owner, leased_until)
  VALUES ($1, $2, $3, $4, $5, $6, now() + ${LEASE})
  ON CONFLICT (client_id, route, key) DO UPDATE SET
    owner = excluded.owner,
    leased_until = excluded.leased_until,
    fingerprint = excluded.fingerprint,
    status = NULL,
    body = NULL,
    seed = CASE WHEN i.created_at < now() - ${KNOWN_FOR} THEN excluded.seed ELSE i.seed END,
    seeded_at = CASE WHEN i.created_at < now() - ${KNOWN_FOR} THEN now() ELSE i.seeded_at END,
    created_at = CASE WHEN i.created_at < now() - ${KNOWN_FOR} THEN now() ELSE i.created_at END
  WHERE (i.leased_until IS NULL OR i.leased_until < now())
    AND (i.created_at < now() - ${KNOWN_FOR} OR (i.status IS NULL AND i.fingerprint = ANY ($7::bytea[])))
  RETURNING seed, seeded_at AS "seededAt"`;

/** $1 client, $2 route, $3 key, $4 every form of an equal fingerprint */
export const FIND = `
  SELECT fingerprint = ANY ($4::bytea[]) AS "isSame", status, body FROM idempotency WHERE client_id = $1
    AND route = $2 AND key = $3`;

/** $1 client, $2 route, $3 key, $4 owner, $5 status, $6 body. Nothing when another request has taken the key over. */
export const STORE_ANSWER = `
  UPDATE idempotency SET status = $5, body = $6, owner = NULL, leased_until = NULL
  WHERE client_id = $1 AND route = $2 AND key = $3 AND owner = $4 AND status IS NULL`;

/**
 * Forgets a request that did nothing. $1 client, $2 route, $3 key, $4 owner. Nothing when another request has taken the
 * key over.
 */
export const FORGET =
  'DELETE FROM idempotency WHERE client_id = $1 AND route = $2 AND key = $3 AND owner = $4 AND status IS NULL';

/** $1 client, $2 route, $3 key, $4 owner, $5 a new seed when nothing was done under the old one, else null */
export const RELEASE = `
  UPDATE idempotency SET owner = NULL, leased_until = NULL, seed = coalesce($5, seed),
    seeded_at = CASE WHEN $5::bytea IS NULL THEN seeded_at ELSE now() END
  WHERE client_id = $1 AND route = $2 AND key = $3 AND owner = $4 AND status IS NULL`;

/** $1 owner, $2 clients, $3 routes, $4 keys */
export const RENEW = `
  UPDATE idempotency i SET leased_until = now() + ${LEASE}
  FROM unnest($2::text[], $3::text[], $4::text[]) AS r (client_id, route, key)
  WHERE i.client_id = r.client_id AND i.route = r.route AND i.key = r.key AND i.owner = $1 AND i.status IS NULL`;

/** Fingerprints without a key. $1 how many */
export const FIND_UNKEYED = `
  SELECT client_id AS "clientId", route, key, fingerprint FROM idempotency
  WHERE octet_length(fingerprint) = ${UNKEYED_BYTES} LIMIT $1`;

/**
 * Unless the row was taken anew meanwhile. Lists: $1 clients, $2 routes, $3 keys, $4 fingerprints as they were, $5 as
 * they are from now on
 */
export const KEY_FINGERPRINTS = `
  WITH given AS MATERIALIZED (
    SELECT * FROM unnest($1::text[], $2::text[], $3::text[], $4::bytea[], $5::bytea[])
      AS g (client_id, route, key, unkeyed, keyed)
  ), locked AS MATERIALIZED (
    SELECT client_id, route, key FROM idempotency WHERE (client_id, route, key) IN (SELECT client_id, route, key
      FROM given)
    ORDER BY client_id, route, key FOR UPDATE SKIP LOCKED
  )
  UPDATE idempotency i SET fingerprint = given.keyed FROM given JOIN locked USING (client_id, route, key)
  WHERE i.client_id = given.client_id AND i.route = given.route AND i.key = given.key AND i.fingerprint = given.unkeyed
  RETURNING i.key`;

/** How many fingerprints each key made; an empty id for none. */
export const COUNT_FINGERPRINTS = `
  SELECT CASE WHEN octet_length(fingerprint) = ${UNKEYED_BYTES} THEN '' ELSE encode(substr(fingerprint, 1, 4), 'hex')
    END AS "keyId",
    count(*)::float8 AS count
  FROM idempotency WHERE created_at >= now() - ${KNOWN_FOR} GROUP BY 1`;

/** $1 how many */
export const DELETE_OLD = `
  DELETE FROM idempotency WHERE (client_id, route, key) IN (
    SELECT client_id, route, key FROM idempotency
    WHERE created_at < now() - ${KNOWN_FOR} AND (leased_until IS NULL OR leased_until < now()) ORDER BY created_at
      LIMIT $1
  ) RETURNING key`;

const NAMING = `
  FROM (SELECT coalesce(client_id, id) AS id FROM api_keys WHERE account_id = $1
    UNION ALL SELECT id FROM users WHERE account_id = $1) AS caller
  WHERE i.client_id = caller.id AND position($2 IN i.body) > 0`;

/** How many of an account's stored answers name a phone. $1 account, $2 the phone */
export const COUNT_ANSWERS_NAMING = `SELECT count(*)::int AS answers FROM idempotency i WHERE EXISTS (SELECT ${NAMING})`;

/**
 * Masks a phone in them. The key stays taken, or a repeat would be done again. $1 account, $2 the phone, $3 what stands
 * there from now on
 */
export const MASK_ANSWERS_NAMING = `UPDATE idempotency i SET body = replace(i.body, $2, $3) WHERE EXISTS (SELECT ${NAMING}) RETURNING key`;
