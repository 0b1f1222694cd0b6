/** A session that is still good, and whose it is: read on every request, so a disabled user and a new role count at once. */
export const FIND_SESSION = `
  SELECT s.id AS "sessionId", s.expires_at AS "expiresAt", s.seen_at < now() - interval '1 minute' AS "isSeenLong",
         u.id AS "userId", u.email, u.name, u.role, a.id AS "accountId", a.name AS "accountName",
         a.suspended_at IS NOT NULL AS "isSuspended"
  FROM sessions s
  JOIN users u ON u.id = s.user_id AND u.account_id = s.account_id
  JOIN accounts a ON a.id = s.account_id
  WHERE s.token_sha256 = $1 AND u.disabled_at IS NULL AND s.expires_at > now() AND s.seen_at > now() - make_interval(mins => $2)`;

/** Not more than once a minute. */
export const NOTE_SEEN = 'UPDATE sessions SET seen_at = now() WHERE id = $1 AND account_id = $2';

export const FIND_PASSWORD = `
  SELECT u.id AS "userId", u.password_hash AS "passwordHash", u.disabled_at AS "disabledAt", a.suspended_at IS NOT NULL AS "isSuspended"
  FROM users u JOIN accounts a ON a.id = u.account_id WHERE u.email = $1`;

/**
 * A session for a user whose password is still the one that was looked at. The lock makes a change of it that is under way
 * either come first, and then there is no session, or find this one and end it.
 */
export const INSERT_SESSION = `
  WITH signed_in AS (
    SELECT id, account_id FROM users WHERE id = $3 AND password_hash = $4 AND disabled_at IS NULL FOR NO KEY UPDATE
  ), noted AS (
    UPDATE users SET last_sign_in_at = now() FROM signed_in WHERE users.id = signed_in.id
  )
  INSERT INTO sessions (id, token_sha256, account_id, user_id, expires_at)
  SELECT $1, $2, account_id, id, now() + make_interval(hours => $5) FROM signed_in
  RETURNING account_id AS "accountId"`;

export const DELETE_SESSION = 'DELETE FROM sessions WHERE id = $1 AND account_id = $2';

/** What is over: sessions past either limit, attempts past their window. $1 minutes without a request, $2 most rows of each */
export const DELETE_OVER = `
  WITH sessions_over AS (
    DELETE FROM sessions WHERE id IN (
      SELECT id FROM sessions WHERE expires_at <= now() OR seen_at <= now() - make_interval(mins => $1) LIMIT $2 FOR UPDATE SKIP LOCKED
    ) RETURNING 1
  ), attempts_over AS (
    DELETE FROM sign_in_attempts WHERE subject IN (SELECT subject FROM sign_in_attempts WHERE ends_at <= now() LIMIT $2 FOR UPDATE SKIP LOCKED) RETURNING 1
  )
  SELECT 1 FROM sessions_over UNION ALL SELECT 1 FROM attempts_over`;
