export const INSERT_LEDGER = `
  INSERT INTO credit_ledger (account_id, category, amount, kind, reason, reservation_id)
    VALUES (:accountId, :category, :amount, :kind, :reason, :reservationId)`;

/** $1 account, $2 category, $3 amount */
export const ADD_TO_BALANCE = `
  INSERT INTO credit_balances AS b (account_id, category, balance) VALUES ($1, $2, $3)
  ON CONFLICT (account_id, category) DO UPDATE SET balance = b.balance + excluded.balance
  RETURNING balance`;

/** Lists ledger entries, newest first. `before`: exclusive upper bound of the id; null for none. */
export const SELECT_LEDGER = `
  SELECT id AS "entryId", category, amount, kind, reason, reservation_id AS "reservationId", created_at AS "createdAt"
  FROM credit_ledger WHERE account_id = :accountId
    AND (:before::bigint IS NULL OR (created_at, id) < (SELECT created_at, id FROM credit_ledger
      WHERE account_id = :accountId AND id = :before))
    AND (:kind::text IS NULL OR kind = :kind)
    AND (:since::timestamptz IS NULL OR created_at >= :since) AND (:until::timestamptz IS NULL OR created_at < :until)
  ORDER BY created_at DESC, id DESC LIMIT :limit`;

/** Returns totals per UTC day. $1 account, $2 number of days including today */
export const SELECT_CREDIT_DAYS = `
  SELECT to_char(day, 'YYYY-MM-DD') AS day,
    coalesce(sum(amount) FILTER (WHERE kind IN ('grant', 'top_up')), 0)::float8 AS given,
    coalesce(-sum(amount) FILTER (WHERE kind = 'reserve'), 0)::float8 AS spent,
    coalesce(sum(amount) FILTER (WHERE kind = 'refund'), 0)::float8 AS returned
  FROM credit_days WHERE account_id = $1 AND day > (now() AT TIME ZONE 'UTC')::date - $2::int
  GROUP BY credit_days.day ORDER BY credit_days.day`;

/** $1 id, $2 account, $3 category, $4 amount, $5 seconds */
export const INSERT_RESERVATION = `
  INSERT INTO credit_reservations (id, account_id, category, amount, held_until)
  VALUES ($1, $2, $3, $4, now() + make_interval(secs => $5))
  ON CONFLICT (id) DO NOTHING RETURNING id`;

/** Locks a reservation, since the caller acts on its state. $1 id, $2 account */
export const LOCK_RESERVATION = `
  SELECT category, amount, state FROM credit_reservations WHERE id = $1 AND account_id = $2 FOR UPDATE`;

/** $1 id, $2 account, $3 state */
export const END_RESERVATION = `
  UPDATE credit_reservations SET state = $3, ended_at = now() WHERE id = $1 AND account_id = $2`;

/**
 * Deducts credits if the balance suffices, and adds a ledger entry. Locks the balance row during the statement. Returns
 * no row if the balance is too low. $1 account, $2 category, $3 amount, $4 reservation, $5 reason
 */
export const TAKE_CREDITS = `
  WITH taken AS (
    UPDATE credit_balances SET balance = balance - $3::bigint WHERE account_id = $1 AND category = $2
      AND balance >= $3 RETURNING balance
  ), noted AS (
    INSERT INTO credit_ledger (account_id, category, amount, kind, reason, reservation_id)
    SELECT $1, $2, -$3::bigint, 'reserve', $5, $4 FROM taken
  )
  SELECT balance FROM taken`;

/** Releases reservations that were not settled in time. $1 maximum rows */
export const RELEASE_OVERDUE = `
  WITH overdue AS (
    SELECT id FROM credit_reservations WHERE state = 'held' AND held_until < now() ORDER BY held_until LIMIT $1
      FOR UPDATE SKIP LOCKED
  ), ended AS (
    UPDATE credit_reservations r SET state = 'expired', ended_at = now() FROM overdue WHERE r.id = overdue.id
    RETURNING r.id, r.account_id, r.category, r.amount
  ), noted AS (
    INSERT INTO credit_ledger (account_id, category, amount, kind, reason, reservation_id)
    SELECT account_id, category, amount, 'refund', 'not settled in time', id FROM ended
  )
  UPDATE credit_balances b SET balance = b.balance + s.amount
  FROM (SELECT account_id, category, sum(amount) AS amount, count(*) AS reservations FROM ended
    GROUP BY account_id, category) s
  WHERE b.account_id = s.account_id AND b.category = s.category
  RETURNING b.account_id AS "accountId", s.amount::int AS amount, s.reservations::int AS reservations`;

/**
 * Deletes ended reservations, which the ledger preserves. Rows are needed only while a redelivery or a return may
 * arrive: the upstream platform expires a message after 30 days at the latest. $1 maximum rows
 */
export const DELETE_ENDED = `
  DELETE FROM credit_reservations WHERE id IN (
    SELECT id FROM credit_reservations WHERE ended_at < now() - interval '33 days' ORDER BY ended_at LIMIT $1
  ) RETURNING id`;
