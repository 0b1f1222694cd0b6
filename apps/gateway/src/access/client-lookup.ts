import { Inject, Injectable } from '@nestjs/common';
import { query } from '@switchboard/database';
import { LOGGER, type Logger } from '@switchboard/platform';
import { DataSource } from 'typeorm';
import type { Plan } from '../accounts/plan';
import { withinDatabaseDeadline } from '../http/database-deadline';
import { hashOf, parseAuthorization } from './api-key';
import type { ApiClient } from './client';
import { KeyCache } from './key-cache';

const NOTE_USE_EVERY_MS = 60_000;

/** One read by a unique index; a key that was revoked or has expired is as unknown as one that never was. */
const SELECT_CLIENT = `
  SELECT k.id AS "keyId", coalesce(k.client_id, k.id) AS "clientId", k.name AS "keyName", k.prefix AS "keyPrefix",
         k.allowed_ips AS "allowedIps", k.allowed_routes AS "allowedRoutes", k.expires_at AS "expiresAt",
         a.id AS "accountId", a.name AS "accountName", a.created_at AS "accountCreatedAt",
         p.name, p.features, p.bulk_recipients AS "bulkRecipients", p.excel_rows AS "excelRows",
         p.rate_limit AS "rateLimit", p.rate_window_seconds AS "rateWindowSeconds", p.rate_burst AS "rateBurst",
         p.monthly_credits AS "monthlyCredits"
  FROM api_keys k JOIN accounts a ON a.id = k.account_id JOIN effective_plans p ON p.account_id = a.id
  WHERE k.sha256 = $1 AND k.revoked_at IS NULL AND (k.expires_at IS NULL OR k.expires_at > now())`;

/** The condition is judged again under the row's lock, so all gateways together write once a minute. */
const NOTE_USE = `
  UPDATE api_keys SET last_used_at = now()
  WHERE id = $1 AND (last_used_at IS NULL OR last_used_at < now() - interval '1 minute')`;

interface ClientRow extends Plan, Pick<ApiClient, 'keyId' | 'clientId' | 'keyName' | 'keyPrefix' | 'allowedIps' | 'allowedRoutes' | 'expiresAt'> {
  accountId: string;
  accountName: string;
  accountCreatedAt: Date;
}

/** Finds out who is calling: from memory, as long as nobody changed what was read. */
@Injectable()
export class ClientLookup {
  /** When this process last noted the use of a key. */
  private readonly notedAt = new WeakMap<ApiClient, number>();

  constructor(
    private readonly dataSource: DataSource,
    private readonly cache: KeyCache,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  /** The client of an `Authorization` header; undefined when there is none that may call. */
  async findClient(authorization: string | undefined): Promise<ApiClient | undefined> {
    const key = parseAuthorization(authorization);
    if (key === undefined) return undefined;
    const hash = hashOf(key);
    const client = await this.cache.find(hash.toString('base64'), () => this.loadClient(hash));
    if (!client || (client.expiresAt && client.expiresAt.getTime() <= Date.now())) return undefined;
    this.noteUse(client);
    return client;
  }

  private async loadClient(hash: Buffer): Promise<ApiClient | undefined> {
    const [row] = await withinDatabaseDeadline(query<ClientRow>(this.dataSource, SELECT_CLIENT, [hash]));
    return row && clientOf(row);
  }

  /** Not waited for: the time of last use is worth neither a delay nor a refused request. */
  private noteUse(client: ApiClient): void {
    const notedAt = this.notedAt.get(client);
    if (notedAt !== undefined && performance.now() - notedAt < NOTE_USE_EVERY_MS) return;
    this.notedAt.set(client, performance.now());
    this.dataSource.query(NOTE_USE, [client.keyId]).catch((error: unknown) => {
      this.logger.warn({ err: error, keyId: client.keyId }, 'key.use-not-noted');
    });
  }
}

function clientOf(row: ClientRow): ApiClient {
  const { accountId, accountName, accountCreatedAt, keyId, clientId, keyName, keyPrefix, allowedIps, allowedRoutes, expiresAt, ...plan } = row;
  return { keyId, clientId, keyName, keyPrefix, allowedIps, allowedRoutes, expiresAt, account: { id: accountId, name: accountName, createdAt: accountCreatedAt }, plan };
}
