import { batchOf, columnsOf } from '@switchboard/database';
import { UNKEYED_BYTES } from './fingerprints';
import { IdempotencyRecord } from './idempotency-record.entity';

/** For how long an Idempotency-Key is known (spec §4.1.5). */
const KNOWN_FOR = "interval '24 hours'";
/** A request whose gateway says nothing for so long is taken to be dead; a living one renews it in time. */
const LEASE = "interval '10 seconds'";

/**
 * Takes the key for one request: as a new one, in place of one that is too old to be known, or from a request that
 * ended without an answer worth keeping or with its process. In the last case the seed stays, and with it every id made
 * of it. `known`: every form of an equal fingerprint. No row: look why.
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

/** `known`: every form of an equal fingerprint */
export const FIND = `
  SELECT fingerprint = ANY (:known::bytea[]) AS "isSame", status, body FROM idempotency WHERE ${OF_KEY}`;

/** Nothing when another request has taken the key over, or it was answered. */
const HELD = `${OF_KEY} AND owner = :owner AND status IS NULL`;

export const STORE_ANSWER = `
  UPDATE idempotency SET status = :status, body = :body, owner = NULL, leased_until = NULL WHERE ${HELD}`;

/** Forgets a request that did nothing. */
export const FORGET = `DELETE FROM idempotency WHERE ${HELD}`;

/** `seed`: a new one when nothing was done under the old one, else null */
export const RELEASE = `
  UPDATE idempotency SET owner = NULL, leased_until = NULL, seed = coalesce(:seed, seed),
    seeded_at = CASE WHEN :seed::bytea IS NULL THEN seeded_at ELSE now() END
  WHERE ${HELD}`;

/** Keys whose requests are under way. */
export const HELD_KEYS = batchOf(columnsOf(IdempotencyRecord, ['clientId', 'route', 'key']), { from: 2 });

/** $1 owner, then `HELD_KEYS` */
export const RENEW = `
  UPDATE idempotency i SET leased_until = now() + ${LEASE}
  FROM ${HELD_KEYS.unnest('r')}
  WHERE i.client_id = r.client_id AND i.route = r.route AND i.key = r.key AND i.owner = $1 AND i.status IS NULL`;

/** Fingerprints without a key. $1 how many */
export const FIND_UNKEYED = `
  SELECT client_id AS "clientId", route, key, fingerprint FROM idempotency
  WHERE octet_length(fingerprint) = ${UNKEYED_BYTES} LIMIT $1`;

/** Fingerprints as they were, and as they are from now on. */
export const KEYED_FINGERPRINTS = batchOf({
  ...columnsOf(IdempotencyRecord, ['clientId', 'route', 'key', 'fingerprint']),
  keyed: 'bytea',
});

/** Unless the row was taken anew meanwhile. */
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
