import { query, type Transaction } from '@switchboard/database';
import type { DataSource } from 'typeorm';

/** A sync without a new page for this long is considered lost. A crash delays the next sync by at most this time. */
const LEASE_SECONDS = 30;

/** Exclusive claim of this process to sync the templates of one account, valid until the lease ends. */
export interface SyncClaim {
  accountId: string;
  wabaId: string;
  sealedAccessToken: string;
  /** Start of the sync on the database clock. Text, because a Date would lose the microseconds. */
  beganAt: string;
  /** End of the lease. Changes when another sync is requested meanwhile. */
  leaseUntil: string;
  /** Number of consecutive failures before this sync. */
  failures: number;
}

/**
 * Events may arrive out of order, so an older token never replaces a newer one. Earlier versions publish events without
 * a time.
 */
const ADD_ACCOUNT = `
  INSERT INTO upstream_accounts AS account (account_id, waba_id, sealed_access_token, token_stored_at)
  VALUES ($1, $2, $3, $4)
  ON CONFLICT (account_id, waba_id) DO UPDATE
  SET sealed_access_token = excluded.sealed_access_token, token_stored_at = excluded.token_stored_at,
      next_sync_at = now(), failures = 0, rest_until = NULL, left_at = NULL
  WHERE (account.token_stored_at IS NULL OR excluded.token_stored_at IS NULL
    OR account.token_stored_at < excluded.token_stored_at)
    AND (account.left_at IS NULL OR account.left_at < excluded.token_stored_at)`;

/** Several accounts may use the same business. */
const RECORD_CALLBACK = `
  INSERT INTO template_events (account_id, waba_id, template_id, callback_field, reason, raw)
  SELECT account_id, waba_id, $2, $3, $4, $5::jsonb FROM upstream_accounts
  WHERE waba_id = $1 AND left_at IS NULL`;

/**
 * Locks the accounts of a business in a fixed order to prevent deadlocks. All transactions in this database lock
 * businesses before drafts and templates.
 * $1 business
 */
const OF_BUSINESS = `
  (account_id, waba_id) IN (
    SELECT account_id, waba_id FROM upstream_accounts WHERE waba_id = $1 ORDER BY account_id FOR NO KEY UPDATE
  )`;

const ASK_FOR_SYNC = `UPDATE upstream_accounts SET next_sync_at = now() WHERE ${OF_BUSINESS}`;

const ASK_FOR_SYNC_SOON = `
  UPDATE upstream_accounts SET next_sync_at = least(next_sync_at, now() + interval '15 seconds') WHERE ${OF_BUSINESS}`;

const TOKEN_OF = 'SELECT sealed_access_token AS token FROM upstream_accounts WHERE account_id = $1 AND waba_id = $2';

/**
 * Claims the account that has waited longest, regardless of the number of its templates. Skips businesses that the
 * upstream platform throttles.
 */
const CLAIM_DUE_ACCOUNT = `
  UPDATE upstream_accounts
  SET next_sync_at = clock_timestamp() + make_interval(secs => $1::int), reading_since = now(), pages_read = 0,
    templates_read = 0
  WHERE (account_id, waba_id) = (
    SELECT account_id, waba_id FROM upstream_accounts
    WHERE next_sync_at <= now() AND left_at IS NULL AND (rest_until IS NULL OR rest_until <= now())
    ORDER BY next_sync_at LIMIT 1 FOR UPDATE SKIP LOCKED
  )
  RETURNING account_id AS "accountId", waba_id AS "wabaId", sealed_access_token AS "sealedAccessToken",
    now()::text AS "beganAt", next_sync_at::text AS "leaseUntil", failures`;

/** When the next account is due. */
export const NEXT_DUE_ACCOUNT = `
  SELECT min(greatest(next_sync_at, rest_until)) FROM upstream_accounts WHERE left_at IS NULL`;

/** Records the progress and extends the lease, unless another sync was requested or started meanwhile. */
const RECORD_PAGE = `
  UPDATE upstream_accounts
  SET pages_read = :pages, templates_read = :templates,
      next_sync_at = CASE WHEN next_sync_at = :leaseUntil::timestamptz
        THEN clock_timestamp() + make_interval(secs => ${LEASE_SECONDS}) ELSE next_sync_at END
  WHERE account_id = :accountId AND waba_id = :wabaId AND reading_since = :beganAt::timestamptz
  RETURNING CASE WHEN next_sync_at > clock_timestamp() THEN next_sync_at::text END AS "leaseUntil"`;

/** Postpones the next sync only if none was requested during this one. */
const WAIT_FOR_NEXT = `
  UPDATE upstream_accounts SET next_sync_at = now() + make_interval(secs => $4::int)
  WHERE account_id = $1 AND waba_id = $2 AND next_sync_at = $3::timestamptz`;

const RECORD_FAILURE = `
  UPDATE upstream_accounts SET failures = failures + 1, failed_at = $3::timestamptz, problem = $4, reading_since = NULL
  WHERE account_id = $1 AND waba_id = $2 AND reading_since = $3::timestamptz`;

/** The rate limit applies to the business, and therefore to all accounts that use it. */
const REST = `
  UPDATE upstream_accounts SET rest_until = GREATEST(rest_until, now() + make_interval(secs => $2::int))
  WHERE ${OF_BUSINESS}`;

export interface NewUpstreamAccount {
  accountId: string;
  wabaId: string;
  sealedAccessToken: string;
  /** Time at which the messaging service stored the token. */
  storedAt?: string;
}

/** Registers the business or replaces its token, and schedules a sync. */
export async function addAccount(
  dataSource: DataSource,
  { accountId, wabaId, sealedAccessToken, storedAt }: NewUpstreamAccount,
): Promise<void> {
  await query(dataSource, ADD_ACCOUNT, [accountId, wabaId, sealedAccessToken, storedAt ?? null]);
}

export interface TemplateCallback {
  wabaId: string;
  templateId: string | null;
  field: string;
  reason: string | null;
  raw: string;
}

/** Stores the callback for each account of the business and schedules syncs. */
export async function recordCallback(
  tx: Pick<Transaction, 'query'>,
  { wabaId, templateId, field, reason, raw }: TemplateCallback,
): Promise<void> {
  await tx.query(RECORD_CALLBACK, [wabaId, templateId, field, reason, raw]);
  await requestSync(tx, wabaId);
}

type Executor = Pick<DataSource, 'query'> | Pick<Transaction, 'query'>;

/** Schedules an immediate sync of the business for all accounts that use it. */
export async function requestSync(executor: Executor, wabaId: string): Promise<void> {
  await executor.query(ASK_FOR_SYNC, [wabaId]);
}

/** Schedules a sync of the business after a delay, when the current operation on the business has ended. */
export async function requestSyncSoon(executor: Executor, wabaId: string): Promise<void> {
  await executor.query(ASK_FOR_SYNC_SOON, [wabaId]);
}

export async function sealedTokenOf(dataSource: DataSource, accountId: string, wabaId: string): Promise<string> {
  const [account] = await query<{ token: string }>(dataSource, TOKEN_OF, [accountId, wabaId]);
  if (!account) throw new Error(`account ${accountId} has no business ${wabaId}`);
  return account.token;
}

/**
 * Claims the account that has been due longest.
 * @returns undefined when none is due
 */
export async function claimDueAccount(dataSource: DataSource): Promise<SyncClaim | undefined> {
  const [claim] = await query<SyncClaim>(dataSource, CLAIM_DUE_ACCOUNT, [LEASE_SECONDS]);
  return claim;
}

/**
 * Records the progress of a sync.
 * @returns the new end of the lease
 */
export async function recordPage(
  dataSource: DataSource,
  claim: SyncClaim,
  { pages, templates }: { pages: number; templates: number },
): Promise<string> {
  const { accountId, wabaId, beganAt, leaseUntil } = claim;
  const params = { accountId, wabaId, beganAt, leaseUntil, pages, templates };
  const [held] = await query<{ leaseUntil: string | null }>(dataSource, RECORD_PAGE, params);
  return held?.leaseUntil ?? leaseUntil;
}

/** Ends the claim. The next sync is due after the interval, or immediately if one was requested meanwhile. */
export async function waitForNextSync(executor: Executor, claim: SyncClaim, intervalSeconds: number): Promise<void> {
  await executor.query(WAIT_FOR_NEXT, [claim.accountId, claim.wabaId, claim.leaseUntil, intervalSeconds]);
}

/** Records why the sync failed. The caller schedules the next one. */
export async function recordFailure(
  executor: Executor,
  { accountId, wabaId, beganAt }: SyncClaim,
  problem: string,
): Promise<void> {
  await executor.query(RECORD_FAILURE, [accountId, wabaId, beganAt, problem]);
}

/** Suspends all requests about the business for the given seconds. */
export async function restBusiness(executor: Executor, wabaId: string, seconds: number): Promise<void> {
  await executor.query(REST, [wabaId, seconds]);
}
