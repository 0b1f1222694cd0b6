/**
 * Finds a valid session and its user. Runs on every request, so that disabling a user or changing a role takes effect
 * immediately.
 */
export const FIND_SESSION = `
  SELECT s.id AS "sessionId", s.expires_at AS "expiresAt", s.seen_at < now() - interval '1 minute' AS "isSeenLong",
         u.id AS "userId", u.email, u.name, u.role, a.id AS "accountId", a.name AS "accountName",
         a.time_zone AS "timeZone", a.suspended_at IS NOT NULL AS "isSuspended"
  FROM sessions s
  JOIN users u ON u.id = s.user_id AND u.account_id = s.account_id
  JOIN accounts a ON a.id = s.account_id
  WHERE s.token_sha256 = $1 AND u.disabled_at IS NULL AND s.expires_at > now()
    AND s.seen_at > now() - make_interval(mins => $2)`;

/** Returns the roles of valid sessions of accounts that are not suspended. $1 hashes of the tokens, $2 idle minutes */
export const FIND_ROLES = `
  SELECT s.token_sha256 AS "tokenHash", u.role
  FROM sessions s
  JOIN users u ON u.id = s.user_id AND u.account_id = s.account_id
  JOIN accounts a ON a.id = s.account_id
  WHERE s.token_sha256 = ANY($1) AND u.disabled_at IS NULL AND a.suspended_at IS NULL AND s.expires_at > now()
    AND s.seen_at > now() - make_interval(mins => $2)`;

/** Records the last use of a session, at most once a minute. */
export const NOTE_SEEN = 'UPDATE sessions SET seen_at = now() WHERE id = $1 AND account_id = $2';

export const FIND_PASSWORD = `
  SELECT u.id AS "userId", u.password_hash AS "passwordHash",
    u.disabled_at AS "disabledAt", a.suspended_at IS NOT NULL AS "isSuspended",
         EXISTS (SELECT 1 FROM second_factors f WHERE f.user_id = u.id AND f.account_id = u.account_id
           AND f.confirmed_at IS NOT NULL) AS "hasSecondFactor"
  FROM users u JOIN accounts a ON a.id = u.account_id WHERE u.email = $1`;

/**
 * Locks the user before a statement that reads the password or second factor, so that the statement sees concurrent
 * changes.
 */
export const LOCK_USER = 'SELECT 1 FROM users WHERE id = $1 FOR NO KEY UPDATE';

/**
 * Creates a session for a user whose password has not changed since it was checked; requires `LOCK_USER`. A concurrent
 * password change either precedes, so that no session is created, or follows and ends this session. `hasProof`: whether
 * the second factor was verified
 */
export const INSERT_SESSION = `
  WITH signed_in AS (
    SELECT id, account_id FROM users WHERE id = :userId AND password_hash = :passwordHash AND disabled_at IS NULL
      AND (:hasProof
        OR NOT EXISTS (SELECT 1 FROM second_factors f WHERE f.user_id = :userId AND f.confirmed_at IS NOT NULL))
  ), noted AS (
    UPDATE users SET last_sign_in_at = now() FROM signed_in WHERE users.id = signed_in.id
  )
  INSERT INTO sessions (id, token_sha256, account_id, user_id, expires_at, address, user_agent)
  SELECT :id, :tokenHash, account_id, id, now() + make_interval(hours => :hours), :address, :userAgent FROM signed_in
  RETURNING account_id AS "accountId"`;

/**
 * Creates a half session after the password has been verified; requires `LOCK_USER`, as for a full session. $4 lifetime
 * in seconds
 */
export const INSERT_HALF_SESSION = `
  INSERT INTO half_sessions (token_sha256, account_id, user_id, expires_at)
  SELECT $1, account_id, id, now() + make_interval(secs => $4) FROM users WHERE id = $2 AND password_hash = $3
    AND disabled_at IS NULL
  RETURNING expires_at AS "expiresAt"`;

/** Finds a half session whose user is not disabled. A password change has already deleted it. */
export const FIND_HALF_SESSION = `
  SELECT u.id AS "userId", u.account_id AS "accountId", u.email,
    u.password_hash AS "passwordHash", a.suspended_at IS NOT NULL AS "isSuspended"
  FROM half_sessions h
  JOIN users u ON u.id = h.user_id AND u.account_id = h.account_id
  JOIN accounts a ON a.id = h.account_id
  WHERE h.token_sha256 = $1 AND u.disabled_at IS NULL AND h.expires_at > now()`;

/** Deletes a half session, which can be used only once. */
export const DELETE_HALF_SESSION =
  'DELETE FROM half_sessions WHERE token_sha256 = $1 AND account_id = $2 AND expires_at > now() RETURNING 1';

/**
 * Lists a user's sessions. $1 user, $2 account, $3 idle minutes, $4 exclusive upper bound of the ids, $5 maximum rows
 */
export const LIST_SESSIONS = `
  SELECT id AS "sessionId", created_at AS "createdAt", seen_at AS "seenAt", expires_at AS "expiresAt", address,
    user_agent AS "userAgent"
  FROM sessions
  WHERE user_id = $1 AND account_id = $2 AND expires_at > now() AND seen_at > now() - make_interval(mins => $3)
    AND ($4::text IS NULL OR id COLLATE "C" < $4)
  ORDER BY id COLLATE "C" DESC LIMIT $5`;

/** Ends one session of a user, or all others if $4 is null. $3 calling session */
export const END_SESSIONS = `
  DELETE FROM sessions WHERE user_id = $1 AND account_id = $2 AND id <> $3 AND ($4::text IS NULL OR id = $4)
  RETURNING 1`;

/**
 * Deletes expired rows: sessions past either limit, links and sign-in attempts. $1 idle minutes, $2 maximum rows of
 * each kind
 */
export const DELETE_OVER = `
  WITH sessions_over AS (
    DELETE FROM sessions WHERE id IN (
      SELECT id FROM sessions WHERE expires_at <= now() OR seen_at <= now() - make_interval(mins => $1) LIMIT $2
        FOR UPDATE SKIP LOCKED
    ) RETURNING 1
  ), half_over AS (
    DELETE FROM half_sessions WHERE token_sha256 IN (SELECT token_sha256 FROM half_sessions WHERE expires_at <= now()
      LIMIT $2 FOR UPDATE SKIP LOCKED) RETURNING 1
  ), invitations_over AS (
    DELETE FROM invitations WHERE id IN (SELECT id FROM invitations WHERE expires_at <= now()
      LIMIT $2 FOR UPDATE SKIP LOCKED) RETURNING 1
  ), resets_over AS (
    DELETE FROM password_resets WHERE user_id IN (SELECT user_id FROM password_resets WHERE expires_at <= now()
      LIMIT $2 FOR UPDATE SKIP LOCKED) RETURNING 1
  ), attempts_over AS (
    DELETE FROM sign_in_attempts WHERE subject IN (SELECT subject FROM sign_in_attempts WHERE ends_at <= now()
      LIMIT $2 FOR UPDATE SKIP LOCKED) RETURNING 1
  )
  SELECT 1 FROM sessions_over UNION ALL SELECT 1 FROM half_over
  UNION ALL SELECT 1 FROM invitations_over UNION ALL SELECT 1 FROM resets_over UNION ALL SELECT 1 FROM attempts_over`;
