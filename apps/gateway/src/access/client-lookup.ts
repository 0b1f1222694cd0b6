import { Inject, Injectable } from '@nestjs/common';
import { query } from '@switchboard/database';
import { LOGGER, type Logger } from '@switchboard/platform';
import { DataSource } from 'typeorm';
import { withinDatabaseDeadline } from '../http/database-deadline';
import { hashOf, parseAuthorization } from './api-key';
import type { ApiClient } from './client';

/** One read by a unique index; a key that was revoked or has expired is as unknown as one that never was. */
const SELECT_CLIENT = `
  SELECT k.id AS "keyId", k.name AS "keyName", k.prefix AS "keyPrefix", k.allowed_ips AS "allowedIps",
         k.allowed_routes AS "allowedRoutes", k.expires_at AS "expiresAt",
         coalesce(k.last_used_at < now() - interval '1 minute', true) AS "useIsStale",
         a.id AS "accountId", a.name AS "accountName", a.created_at AS "accountCreatedAt",
         p.name AS plan, p.features, p.bulk_recipients AS "bulkRecipients", p.excel_rows AS "excelRows",
         p.rate_limit AS "rateLimit", p.rate_window_seconds AS "rateWindowSeconds", p.monthly_credits AS "monthlyCredits"
  FROM api_keys k JOIN accounts a ON a.id = k.account_id JOIN plans p ON p.name = a.plan
  WHERE k.sha256 = $1 AND k.revoked_at IS NULL AND (k.expires_at IS NULL OR k.expires_at > now())`;

/** The condition is judged again under the row's lock, so parallel requests write once a minute between them. */
const NOTE_USE = `
  UPDATE api_keys SET last_used_at = now()
  WHERE id = $1 AND (last_used_at IS NULL OR last_used_at < now() - interval '1 minute')`;

interface ClientRow {
  keyId: string;
  keyName: string;
  keyPrefix: string;
  allowedIps: string[];
  allowedRoutes: string[];
  expiresAt: Date | null;
  useIsStale: boolean;
  accountId: string;
  accountName: string;
  accountCreatedAt: Date;
  plan: string;
  features: string[];
  bulkRecipients: number;
  excelRows: number;
  rateLimit: number;
  rateWindowSeconds: number;
  monthlyCredits: number;
}

@Injectable()
export class ClientLookup {
  constructor(
    private readonly dataSource: DataSource,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  /** The client of an `Authorization` header; undefined when there is none that may call. */
  async findClient(authorization: string | undefined): Promise<ApiClient | undefined> {
    const key = parseAuthorization(authorization);
    if (key === undefined) return undefined;
    const [row] = await withinDatabaseDeadline(query<ClientRow>(this.dataSource, SELECT_CLIENT, [hashOf(key)]));
    if (!row) return undefined;
    if (row.useIsStale) this.noteUse(row.keyId);
    return clientOf(row);
  }

  /** Not waited for: the time of last use is worth neither a delay nor a refused request. */
  private noteUse(keyId: string): void {
    this.dataSource.query(NOTE_USE, [keyId]).catch((error: unknown) => {
      this.logger.warn({ err: error, keyId }, 'key.use-not-noted');
    });
  }
}

function clientOf(row: ClientRow): ApiClient {
  const { keyId, keyName, keyPrefix, allowedIps, allowedRoutes, expiresAt } = row;
  const { plan: name, features, bulkRecipients, excelRows, rateLimit, rateWindowSeconds, monthlyCredits } = row;
  return {
    keyId,
    keyName,
    keyPrefix,
    allowedIps,
    allowedRoutes,
    expiresAt,
    account: { id: row.accountId, name: row.accountName, createdAt: row.accountCreatedAt },
    plan: { name, features, bulkRecipients, excelRows, rateLimit, rateWindowSeconds, monthlyCredits },
  };
}
