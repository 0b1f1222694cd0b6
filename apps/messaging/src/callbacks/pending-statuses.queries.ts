import { batchOf, columnsOf } from '@switchboard/database';
import { PendingStatus } from './pending-status.entity';
import type { StatusUpdate } from './status-updates';

/** A row of `TAKE_PENDING_STATUSES`. The body is null if no status was found. */
export interface TakenStatus {
  examined: number;
  accountId: string | null;
  numberId: string | null;
  body: StatusUpdate | null;
}

/** Maximum time that a status waits for its message. Older ones belong to messages that this service never sent. */
const KEPT = '24 hours';
const LONGEST_WAIT = '10 minutes';

export const PENDING_STATUSES = batchOf(
  columnsOf(PendingStatus, ['id', 'accountId', 'numberId', 'upstreamId', 'body']),
);

/** Stores statuses whose upstream id no message of the account has yet. */
export const STORE_PENDING_STATUSES = `
  INSERT INTO parked_statuses (${PENDING_STATUSES.names}) SELECT * FROM ${PENDING_STATUSES.unnest('pending')}`;

/**
 * Removes and returns the pending statuses whose message has its upstream id by now. Other statuses are checked again
 * after about as long as they have already waited. The first checks follow soon, because the send is about to be
 * committed. Later checks are rare, because a number that other systems also send from may produce any number of
 * statuses. Returns at least one row, with the number of statuses checked.
 * $1 maximum rows, $2 lowest message id to search
 */
export const TAKE_PENDING_STATUSES = `
  WITH due AS MATERIALIZED (
    SELECT id, account_id, upstream_id FROM parked_statuses WHERE next_try_at <= now()
    ORDER BY next_try_at LIMIT $1 FOR UPDATE SKIP LOCKED
  ), found AS MATERIALIZED (
    SELECT id FROM due WHERE EXISTS (
      SELECT 1 FROM messages WHERE messages.upstream_id = due.upstream_id AND messages.account_id = due.account_id
        AND direction = 'outbound'
        AND messages.id > $2
    )
  ), postponed AS (
    UPDATE parked_statuses SET next_try_at = now() + LEAST(now() - received_at + interval '1 second',
      interval '${LONGEST_WAIT}')
    WHERE id IN (SELECT id FROM due EXCEPT SELECT id FROM found)
  ), removed AS (
    DELETE FROM parked_statuses WHERE id IN (SELECT id FROM found)
    RETURNING account_id, number_id, body
  )
  SELECT examined, account_id AS "accountId", number_id AS "numberId", body
  FROM (SELECT count(*)::int AS examined FROM due) AS look LEFT JOIN removed ON true`;

/** When the next status is tried again. */
export const NEXT_PENDING_STATUS = 'SELECT min(next_try_at) FROM parked_statuses';

/** $1 maximum rows */
export const DELETE_EXPIRED_STATUSES = `
  DELETE FROM parked_statuses WHERE id IN (
    SELECT id FROM parked_statuses WHERE received_at < now() - interval '${KEPT}' ORDER BY received_at LIMIT $1
      FOR UPDATE SKIP LOCKED
  ) RETURNING upstream_id AS "upstreamId"`;
