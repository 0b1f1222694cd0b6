import { keyIsActive } from '../api-keys/api-key.entity';
import type { Plan } from '../request-context/plan';
import type { ApiClient } from '../request-context/client';

/** Finds clients by key hash, through a unique index. Excludes revoked and expired keys. $1 hashes */
export const SELECT_CLIENTS = `
  SELECT k.sha256, k.id AS "keyId", coalesce(k.client_id, k.id) AS "clientId", k.name AS "keyName",
    k.prefix AS "keyPrefix",
         k.allowed_ips AS "allowedIps", k.allowed_routes AS "allowedRoutes", k.expires_at AS "expiresAt",
         a.id AS "accountId", a.name AS "accountName", a.created_at AS "accountCreatedAt", a.suspended_at IS NOT NULL AS "isSuspended",
         p.name, p.features, p.bulk_recipients AS "bulkRecipients", p.excel_rows AS "excelRows",
         p.rate_limit AS "rateLimit", p.rate_window_seconds AS "rateWindowSeconds", p.rate_burst AS "rateBurst",
         p.monthly_credits AS "monthlyCredits"
  FROM api_keys k JOIN accounts a ON a.id = k.account_id JOIN effective_plans p ON p.account_id = a.id
  WHERE k.sha256 = ANY ($1::bytea[]) AND ${keyIsActive('k')}`;

/**
 * Records the last use. PostgreSQL rechecks the condition under the row lock, so all gateways together write once a
 * minute.
 */
export const NOTE_USE = `
  UPDATE api_keys SET last_used_at = now()
  WHERE id = $1 AND (last_used_at IS NULL OR last_used_at < now() - interval '1 minute')`;

interface ClientRow extends Plan, Omit<ApiClient, 'account' | 'plan'> {
  accountId: string;
  accountName: string;
  accountCreatedAt: Date;
}

/** Client with the hash of its key. */
export type KeyRow = ClientRow & { sha256: Buffer };

export function clientOf(row: ClientRow): ApiClient {
  const {
    accountId,
    accountName,
    accountCreatedAt,
    keyId,
    clientId,
    keyName,
    keyPrefix,
    allowedIps,
    allowedRoutes,
    expiresAt,
    isSuspended,
    ...plan
  } = row;
  const account = { id: accountId, name: accountName, createdAt: accountCreatedAt };
  return { keyId, clientId, keyName, keyPrefix, allowedIps, allowedRoutes, expiresAt, isSuspended, account, plan };
}
