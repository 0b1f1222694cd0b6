import { AppError, newId } from '@switchboard/contracts';
import { query, type Transactions } from '@switchboard/database';
import type { DataSource } from 'typeorm';
import { fingerprintOf, generateApiKey, hashOf, isWellFormedKey } from '../access/api-key';
import { normaliseRange } from '../access/addresses';
import { isRouteRule } from '../access/route-rules';
import { requireAccount } from './accounts.service';
import { recordAudit } from './audit-log';

/** A key as it may be shown: never the key itself. */
export interface KeyRecord {
  keyId: string;
  accountId: string;
  name: string;
  prefix: string;
  lastFour: string;
  allowedIps: string[];
  allowedRoutes: string[];
  expiresAt: Date | null;
  revokedAt: Date | null;
  lastUsedAt: Date | null;
  createdAt: Date;
}

export interface NewKey {
  accountId: string;
  name: string;
  allowedIps: string[];
  allowedRoutes: string[];
  expiresAt?: Date;
}

const COLUMNS = `id AS "keyId", account_id AS "accountId", name, prefix, last_four AS "lastFour", allowed_ips AS "allowedIps",
  allowed_routes AS "allowedRoutes", expires_at AS "expiresAt", revoked_at AS "revokedAt", last_used_at AS "lastUsedAt", created_at AS "createdAt"`;
const INSERT = `INSERT INTO api_keys (id, account_id, name, sha256, prefix, last_four, allowed_ips, allowed_routes, expires_at)
  VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9) RETURNING ${COLUMNS}`;

/** API keys, as operators issue and revoke them. */
export class KeysService {
  constructor(
    private readonly dataSource: DataSource,
    private readonly transactions: Transactions,
  ) {}

  /**
   * Issues a key.
   * @returns the key, which nobody can read again, and its record
   * @throws AppError NOT_FOUND for the account, INVALID_PARAMETER for an address, route or expiry that is none
   */
  createKey(key: NewKey, actor: string): Promise<{ apiKey: string; record: KeyRecord }> {
    const { accountId, name, expiresAt } = key;
    const allowedIps = key.allowedIps.map(rangeOf);
    const allowedRoutes = key.allowedRoutes.map(ruleOf);
    const apiKey = generateApiKey();
    const { sha256, prefix, lastFour } = fingerprintOf(apiKey);
    return this.transactions.run(async (tx) => {
      await requireAccount(tx.manager, accountId);
      const values = [newId('key'), accountId, name, sha256, prefix, lastFour, allowedIps, allowedRoutes, expiresAt ?? null];
      const [record] = await tx.query<KeyRecord>(INSERT, values);
      if (!record) throw new Error('INSERT … RETURNING gave no row');
      const details = { name, prefix, lastFour, allowedIps, allowedRoutes, expiresAt };
      await recordAudit(tx, { actor, action: 'key.created', accountId, target: record.keyId, details });
      return { apiKey, record };
    });
  }

  /** @throws AppError NOT_FOUND when there is no such account */
  async listKeys(accountId: string): Promise<KeyRecord[]> {
    await requireAccount(this.dataSource, accountId);
    return query<KeyRecord>(this.dataSource, `SELECT ${COLUMNS} FROM api_keys WHERE account_id = $1 ORDER BY created_at, id`, [accountId]);
  }

  /**
   * Ends a key at once and for ever. Doing it again changes nothing.
   * @throws AppError NOT_FOUND
   */
  revokeKey(keyId: string, actor: string): Promise<KeyRecord> {
    return this.transactions.run(async (tx) => {
      const [record] = await tx.query<KeyRecord>(
        `UPDATE api_keys SET revoked_at = coalesce(revoked_at, now()) WHERE id = $1 RETURNING ${COLUMNS}`,
        [keyId],
      );
      if (!record) throw new AppError('NOT_FOUND', { message: `not found: there is no key ${keyId}` });
      await recordAudit(tx, { actor, action: 'key.revoked', accountId: record.accountId, target: keyId });
      return record;
    });
  }

  /** Whether the text is a key of this account that works now. */
  async isActiveKey(apiKey: string, accountId: string): Promise<boolean> {
    if (!isWellFormedKey(apiKey)) return false;
    const rows = await query(
      this.dataSource,
      'SELECT 1 FROM api_keys WHERE sha256 = $1 AND account_id = $2 AND revoked_at IS NULL AND (expires_at IS NULL OR expires_at > now())',
      [hashOf(apiKey), accountId],
    );
    return rows.length > 0;
  }
}

function rangeOf(text: string): string {
  const range = normaliseRange(text);
  if (range === undefined) throw new AppError('INVALID_PARAMETER', { message: `${text} is not an IPv4 or IPv6 address or CIDR range` });
  return range;
}

function ruleOf(text: string): string {
  if (!isRouteRule(text)) throw new AppError('INVALID_PARAMETER', { message: `${text} is not a route such as 'GET /v1/messages' or '* /v1/jobs/*'` });
  return text;
}
