import { query, type Transaction } from '@switchboard/database';
import type { DataSource } from 'typeorm';

/** Most endpoints of one account: each may hold connections of its own. */
export const MAX_ENDPOINTS_PER_ACCOUNT = 20;

export interface EndpointRow {
  id: string;
  account_id: string;
  url: string;
  kinds: string[] | null;
  max_in_flight: number | null;
  accepts_any_2xx: boolean;
  has_extended_retries: boolean;
  sealed_verify_token: string;
  sealed_secret: string;
  sealed_next_secret: string | null;
  rotation_ends_at: Date | null;
  rotated_by: string | null;
  set_by: string;
  paused_at: Date | null;
  failing_since: Date | null;
  degraded_at: Date | null;
  created_at: Date;
  updated_at: Date;
}

export interface NewEndpoint {
  id: string;
  accountId: string;
  url: string;
  sealedVerifyToken: string;
  sealedSecret: string;
  kinds: string[] | null;
  maxInFlight: number | null;
  acceptsAny2xx: boolean;
  hasExtendedRetries: boolean;
  /** The command that makes it; when it comes a second time, the first secret stands. */
  setBy: string;
}

/** The endpoints of an account in the order in which they were made. */
export function listEndpoints(db: DataSource, accountId: string): Promise<EndpointRow[]> {
  return query<EndpointRow>(db, 'SELECT * FROM endpoints WHERE account_id = $1 AND deleted_at IS NULL ORDER BY id', [
    accountId,
  ]);
}

export async function findEndpoint(db: DataSource, accountId: string, id: string): Promise<EndpointRow | undefined> {
  const [row] = await query<EndpointRow>(
    db,
    'SELECT * FROM endpoints WHERE account_id = $1 AND id = $2 AND deleted_at IS NULL',
    [accountId, id],
  );
  return row;
}

/** One command at a time changes which endpoints an account has. */
export async function lockAccount(tx: Transaction, accountId: string): Promise<void> {
  await tx.query(`SELECT pg_advisory_xact_lock(hashtext('endpoints'), hashtext($1))`, [accountId]);
}

export async function listForChange(tx: Transaction, accountId: string): Promise<EndpointRow[]> {
  return tx.query<EndpointRow>(
    'SELECT * FROM endpoints WHERE account_id = $1 AND deleted_at IS NULL ORDER BY id FOR UPDATE',
    [accountId],
  );
}

export async function insertEndpoint(tx: Transaction, endpoint: NewEndpoint): Promise<EndpointRow> {
  const {
    id,
    accountId,
    url,
    sealedVerifyToken,
    sealedSecret,
    kinds,
    maxInFlight,
    acceptsAny2xx,
    hasExtendedRetries,
    setBy,
  } = endpoint;
  const [row] = await tx.query<EndpointRow>(
    `INSERT INTO endpoints (id, account_id, url, sealed_verify_token, sealed_secret, kinds, max_in_flight, accepts_any_2xx, has_extended_retries, set_by)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10) RETURNING *`,
    [id, accountId, url, sealedVerifyToken, sealedSecret, kinds, maxInFlight, acceptsAny2xx, hasExtendedRetries, setBy],
  );
  if (!row) throw new Error('an insert gave no row');
  return row;
}

/** The columns that commands may change. */
export type EndpointChanges = Partial<
  Pick<
    EndpointRow,
    | 'url'
    | 'kinds'
    | 'max_in_flight'
    | 'accepts_any_2xx'
    | 'has_extended_retries'
    | 'sealed_verify_token'
    | 'sealed_secret'
    | 'sealed_next_secret'
    | 'rotation_ends_at'
    | 'rotated_by'
    | 'set_by'
    | 'paused_at'
    | 'failing_since'
    | 'degraded_at'
  >
>;

/** Sets the given columns. @returns the row, or undefined when the account has no such endpoint (any more) */
export async function changeEndpoint(
  tx: Pick<Transaction, 'query'>,
  accountId: string,
  id: string,
  changes: EndpointChanges,
): Promise<EndpointRow | undefined> {
  const columns = Object.keys(changes);
  const sets = ['updated_at = now()', ...columns.map((column, index) => `${column} = $${index + 3}`)];
  const sql = `UPDATE endpoints SET ${sets.join(', ')} WHERE account_id = $1 AND id = $2 AND deleted_at IS NULL RETURNING *`;
  const [row] = await tx.query<EndpointRow>(sql, [accountId, id, ...Object.values(changes)]);
  return row;
}

const PROMOTE = `
  UPDATE endpoints SET sealed_secret = sealed_next_secret, sealed_next_secret = NULL, rotation_ends_at = NULL,
    rotated_by = NULL
  WHERE account_id = $1 AND id = $2 AND rotation_ends_at <= now()`;

const ROTATE = `
  UPDATE endpoints SET sealed_next_secret = CASE WHEN rotated_by = $4 THEN sealed_next_secret ELSE $3 END,
    rotation_ends_at = CASE WHEN rotated_by = $4 THEN rotation_ends_at ELSE now() + interval '24 hours'
      END, rotated_by = $4, updated_at = now()
  WHERE account_id = $1 AND id = $2 AND deleted_at IS NULL
  RETURNING *`;

/**
 * Puts a new secret beside the old one for 24 hours. One that still waits for its confirmation is replaced; one whose
 * time is over has long become the only one.
 * @param rotatedBy the command's id: the same command a second time gives the same secret
 */
export async function rotateSecret(
  tx: Transaction,
  endpoint: { accountId: string; id: string; sealedSecret: string; rotatedBy: string },
): Promise<EndpointRow | undefined> {
  const { accountId, id, sealedSecret, rotatedBy } = endpoint;
  await tx.query(PROMOTE, [accountId, id]);
  const [row] = await tx.query<EndpointRow>(ROTATE, [accountId, id, sealedSecret, rotatedBy]);
  return row;
}

const CONFIRM = `
  UPDATE endpoints SET sealed_secret = sealed_next_secret, sealed_next_secret = NULL, rotation_ends_at = NULL,
    rotated_by = NULL, updated_at = now()
  WHERE account_id = $1 AND id = $2 AND deleted_at IS NULL AND sealed_next_secret IS NOT NULL
  RETURNING *`;

/** The new secret is the only one from now on. @returns undefined when there is none, or no such endpoint */
export async function confirmRotation(
  tx: Transaction,
  accountId: string,
  id: string,
): Promise<EndpointRow | undefined> {
  const [row] = await tx.query<EndpointRow>(CONFIRM, [accountId, id]);
  return row;
}

const DROP_WAITING = `
  WITH dropped AS (
    DELETE FROM pending_deliveries WHERE account_id = $1 AND endpoint_id = $2
    RETURNING id, account_id, endpoint_id, event_id, attempts_made, replay_id, created_at
  )
  INSERT INTO deliveries (id, account_id, endpoint_id, event_id, state, attempts_made, replay_id, created_at,
    finished_at)
  SELECT id, account_id, endpoint_id, event_id, 'dropped', attempts_made, replay_id, created_at, now() FROM dropped
  RETURNING id`;

/**
 * Removes an endpoint and drops what waits for it.
 * @returns how many deliveries that were; undefined when there is no such endpoint
 */
export async function deleteEndpoint(tx: Transaction, accountId: string, id: string): Promise<number | undefined> {
  const sql =
    'UPDATE endpoints SET deleted_at = now() WHERE account_id = $1 AND id = $2 AND deleted_at IS NULL RETURNING id';
  if ((await tx.query(sql, [accountId, id])).length === 0) return undefined;
  return (await tx.query(DROP_WAITING, [accountId, id])).length;
}
