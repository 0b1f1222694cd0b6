import { query, type Transaction } from '@switchboard/database';
import type { DataSource } from 'typeorm';

/** A reading that was begun is taken to be lost after this time: a crash or an error delays the next one by no more. */
const LEASE_SECONDS = 30;

/** The right to read one account's templates, held by this process until the lease ends. */
export interface SyncClaim {
  accountId: string;
  wabaId: string;
  sealedAccessToken: string;
  /** When the reading began, on the database's clock. Text: a Date would lose the microseconds. */
  beganAt: string;
  /** Until when no one else begins a reading; changes when someone asks for a new one meanwhile. */
  leaseUntil: string;
}

const ADD_ACCOUNT = `
  INSERT INTO upstream_accounts AS account (account_id, waba_id, sealed_access_token)
  VALUES ($1, $2, $3)
  ON CONFLICT (account_id, waba_id) DO UPDATE SET sealed_access_token = excluded.sealed_access_token, next_sync_at = now()`;

/** A business may be used by several of our accounts. */
const RECORD_CALLBACK = `
  INSERT INTO template_events (account_id, waba_id, template_id, callback_field, reason, raw)
  SELECT account_id, waba_id, $2, $3, $4, $5::jsonb FROM upstream_accounts WHERE waba_id = $1`;

const ASK_FOR_SYNC = 'UPDATE upstream_accounts SET next_sync_at = now() WHERE waba_id = $1';

const CLAIM_DUE_ACCOUNT = `
  UPDATE upstream_accounts SET next_sync_at = clock_timestamp() + make_interval(secs => $1::int)
  WHERE (account_id, waba_id) = (
    SELECT account_id, waba_id FROM upstream_accounts WHERE next_sync_at <= now()
    ORDER BY next_sync_at LIMIT 1 FOR UPDATE SKIP LOCKED
  )
  RETURNING account_id AS "accountId", waba_id AS "wabaId", sealed_access_token AS "sealedAccessToken",
    now()::text AS "beganAt", next_sync_at::text AS "leaseUntil"`;

/** Nobody asked for another reading while this one ran: only then the next one may wait. */
const WAIT_FOR_NEXT = `
  UPDATE upstream_accounts SET next_sync_at = now() + make_interval(secs => $4::int)
  WHERE account_id = $1 AND waba_id = $2 AND next_sync_at = $3::timestamptz`;

/** Registers the business or renews its token, and makes a reading due. */
export async function addAccount(dataSource: DataSource, accountId: string, wabaId: string, sealedAccessToken: string): Promise<void> {
  await query(dataSource, ADD_ACCOUNT, [accountId, wabaId, sealedAccessToken]);
}

export interface TemplateCallback {
  wabaId: string;
  templateId: string | null;
  field: string;
  reason: string | null;
  /** JSON text. */
  raw: string;
}

/** Keeps the callback for each account of the business, and makes readings due. */
export async function recordCallback(tx: Pick<Transaction, 'query'>, { wabaId, templateId, field, reason, raw }: TemplateCallback): Promise<void> {
  await tx.query(RECORD_CALLBACK, [wabaId, templateId, field, reason, raw]);
  await tx.query(ASK_FOR_SYNC, [wabaId]);
}

/** The account whose reading is due for longest, or undefined when none is. */
export async function claimDueAccount(dataSource: DataSource): Promise<SyncClaim | undefined> {
  const [claim] = await query<SyncClaim>(dataSource, CLAIM_DUE_ACCOUNT, [LEASE_SECONDS]);
  return claim;
}

/** Ends the claim: the next reading is due after the interval, or at once when someone asked for it meanwhile. */
export async function waitForNextSync(executor: Pick<DataSource, 'query'> | Pick<Transaction, 'query'>, claim: SyncClaim, intervalSeconds: number): Promise<void> {
  await executor.query(WAIT_FOR_NEXT, [claim.accountId, claim.wabaId, claim.leaseUntil, intervalSeconds]);
}
