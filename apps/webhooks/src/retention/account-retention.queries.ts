import { query, type Transaction } from '@switchboard/database';
import type { DataSource } from 'typeorm';
import { RetentionDays } from './retention-days.entity';

/** An account's own retention in days. */
export interface AccountDays {
  accountId: string;
  days: number;
}

/** @returns null if the account has no retention of its own */
export async function findDays(db: DataSource, accountId: string): Promise<number | null> {
  const retention = await db.manager.findOneBy(RetentionDays, { accountId });
  return retention?.eventDays ?? null;
}

/** Sets the account's retention; null removes it. */
export async function setDays(db: DataSource, accountId: string, days: number | null): Promise<void> {
  if (days === null) await db.manager.delete(RetentionDays, { accountId });
  else await db.manager.upsert(RetentionDays, { accountId, eventDays: days }, ['accountId']);
}

const ACCOUNTS = `
  SELECT account_id AS "accountId", event_days AS days FROM account_retention
  WHERE event_days <= $1 AND ($2::text IS NULL OR account_id = $2)
  ORDER BY account_id`;

/**
 * Finds accounts with a retention of at most that of the log. A longer one never applies, because the log drops the
 * events first.
 */
export function findAccounts(db: DataSource, logDays: number, accountId?: string): Promise<AccountDays[]> {
  return query<AccountDays>(db, ACCOUNTS, [logDays, accountId ?? null]);
}

/** Events of an account that are older than its retention. */
export interface Old {
  accountId: string;
  /** Exclusive upper bound of the ids of these events. */
  below: string;
}

/** SQL condition: no delivery is waiting, because a waiting delivery still needs the body of its event. */
const NOTHING_WAITS = 'NOT EXISTS (SELECT 1 FROM pending_deliveries p WHERE p.account_id = $1 AND p.event_id = e.id)';
const OLD = `e.account_id = $1 AND e.id < $2 AND ${NOTHING_WAITS}`;

export async function countOldEvents(db: DataSource, { accountId, below }: Old): Promise<number> {
  const [row] = await query<{ count: number }>(db, `SELECT count(*)::int AS count FROM events e WHERE ${OLD}`, [
    accountId,
    below,
  ]);
  return row?.count ?? 0;
}

/** Skips events that a running replay has locked. */
const LOCK_OLDEST = `SELECT e.id FROM events e WHERE ${OLD} ORDER BY e.id LIMIT $3 FOR UPDATE SKIP LOCKED`;
const DELETE_EVENTS = `DELETE FROM events e WHERE e.account_id = $1 AND e.id = ANY($2) AND ${NOTHING_WAITS} RETURNING e.id`;
const DELETE_DELIVERIES = `
  DELETE FROM deliveries
  WHERE account_id = $1 AND endpoint_id = ANY(ARRAY(SELECT id FROM endpoints WHERE account_id = $1))
    AND event_id = ANY($2)
  RETURNING id`;
const DELETE_ATTEMPTS = 'DELETE FROM attempts WHERE account_id = $1 AND delivery_id = ANY($2)';

/**
 * Deletes a batch of the oldest events with their deliveries and attempts. Keeps an event that is queued again
 * meanwhile: a replay locks the event that it reads, so the second check after locking is final.
 * @returns the number of deleted events
 */
export async function removeOldEvents(tx: Transaction, { accountId, below }: Old, atMost: number): Promise<number> {
  const locked = await tx.query<{ id: string }>(LOCK_OLDEST, [accountId, below, atMost]);
  if (locked.length === 0) return 0;
  const events = await tx.query<{ id: string }>(DELETE_EVENTS, [accountId, locked.map(({ id }) => id)]);
  const deliveries = await tx.query<{ id: string }>(DELETE_DELIVERIES, [accountId, events.map(({ id }) => id)]);
  await tx.query(DELETE_ATTEMPTS, [accountId, deliveries.map(({ id }) => id)]);
  return events.length;
}
