import { batchOf, columnsOf } from '@switchboard/database';
import { UNKEYED_BYTES } from './fingerprints';
import { IdempotencyRecord } from './idempotency-record.entity';

/** Lifetime of an Idempotency-Key (spec §4.1.5). */
const KNOWN_FOR = "interval '24 hours'";
/**
 * Lease of a request in progress. A running gateway renews it in time, so an expired lease means that the gateway has
 * died.
 */
const LEASE = "interval '10 seconds'";

/**
 * Claims a key for one request. It must be new or expired, or its request must have ended without a retained response
 * or died with its process. In the last case the seed is kept, and with it every id derived from it. `known`: all forms
 * of an equal fingerprint. Returns no row if the claim fails; the caller then looks up the reason.
 */
export const CLAIM = `
  INSERT INTO idempotency AS i (client_id, route, key, fingerprint, seed, owner, leased_until)
  VALUES (:clientId, :route, :key, :fingerprint, :seed, :owner, now() + ${LEASE})
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
    AND (i.created_at < now() - ${KNOWN_FOR} OR (i.status IS NULL AND i.fingerprint = ANY (:known::bytea[])))
  RETURNING seed, seeded_at AS "seededAt"`;

const OF_KEY = 'client_id = :clientId AND route = :route AND key = :key';

/** Finds a stored request. `known`: all forms of an equal fingerprint */
export const FIND = `
  SELECT fingerprint = ANY (:known::bytea[]) AS "isSame", status, body FROM idempotency WHERE ${OF_KEY}`;

/**
 * Condition for a request that still holds its key: false once another request has claimed the key or a response was
 * stored.
 */
const HELD = `${OF_KEY} AND owner = :owner AND status IS NULL`;

export const STORE_ANSWER = `
  UPDATE idempotency SET status = :status, body = :body, owner = NULL, leased_until = NULL WHERE ${HELD}`;

/** Deletes a request that had no effect. */
export const FORGET = `DELETE FROM idempotency WHERE ${HELD}`;

/** Releases a key. `seed`: a new seed if nothing was done under the old one, otherwise null */
export const RELEASE = `
  UPDATE idempotency SET owner = NULL, leased_until = NULL, seed = coalesce(:seed, seed),
    seeded_at = CASE WHEN :seed::bytea IS NULL THEN seeded_at ELSE now() END
  WHERE ${HELD}`;

/** Batch of keys of requests in progress. */
export const HELD_KEYS = batchOf(columnsOf(IdempotencyRecord, ['clientId', 'route', 'key']), { from: 2 });

/** Renews the leases of requests in progress. $1 owner, then `HELD_KEYS` */
export const RENEW = `
  UPDATE idempotency i SET leased_until = now() + ${LEASE}
  FROM ${HELD_KEYS.unnest('r')}
  WHERE i.client_id = r.client_id AND i.route = r.route AND i.key = r.key AND i.owner = $1 AND i.status IS NULL`;

/** Selects unkeyed fingerprints. $1 maximum rows */
export const FIND_UNKEYED = `
  SELECT client_id AS "clientId", route, key, fingerprint FROM idempotency
  WHERE octet_length(fingerprint) = ${UNKEYED_BYTES} LIMIT $1`;

/** Batch of fingerprints before and after keying. */
export const KEYED_FINGERPRINTS = batchOf({
  ...columnsOf(IdempotencyRecord, ['clientId', 'route', 'key', 'fingerprint']),
  keyed: 'bytea',
});

/** Skips rows that have been claimed again in the meantime. */
export const KEY_FINGERPRINTS = `
  WITH given AS MATERIALIZED (
    SELECT * FROM ${KEYED_FINGERPRINTS.unnest('g')}
  ), locked AS MATERIALIZED (
    SELECT client_id, route, key FROM idempotency WHERE (client_id, route, key) IN (SELECT client_id, route, key
      FROM given)
    ORDER BY client_id, route, key FOR UPDATE SKIP LOCKED
  )
  UPDATE idempotency i SET fingerprint = given.keyed FROM given JOIN locked USING (client_id, route, key)
  WHERE i.client_id = given.client_id AND i.route = given.route AND i.key = given.key AND i.fingerprint = given.fingerprint
  RETURNING i.key`;

/** Counts fingerprints by key id, which is empty for unkeyed ones. */
export const COUNT_FINGERPRINTS = `
  SELECT CASE WHEN octet_length(fingerprint) = ${UNKEYED_BYTES} THEN '' ELSE encode(substr(fingerprint, 1, 4), 'hex')
    END AS "keyId",
    count(*)::float8 AS count
  FROM idempotency WHERE created_at >= now() - ${KNOWN_FOR} GROUP BY 1`;

/** Deletes expired keys. $1 maximum rows */
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

/** Counts an account's stored responses that contain a phone number. $1 account, $2 phone number */
export const COUNT_ANSWERS_NAMING = `SELECT count(*)::int AS answers FROM idempotency i WHERE EXISTS (SELECT ${NAMING})`;

/**
 * Masks a phone number in stored responses. The keys stay claimed, so that a repeated request is not executed again. $1
 * account, $2 phone number, $3 replacement
 */
export const MASK_ANSWERS_NAMING = `UPDATE idempotency i SET body = replace(i.body, $2, $3) WHERE EXISTS (SELECT ${NAMING}) RETURNING key`;
