import { accessChangedV1, AppError, newId, notFound, requirePlainName } from '@switchboard/contracts';
import { query, type Transaction, type Transactions } from '@switchboard/database';
import type { DataSource } from 'typeorm';
import { fingerprintOf, generateApiKey, hashOf, isWellFormedKey } from './api-key';
import { normaliseRange } from '../http/addresses';
import { isRouteRule } from './route-rules';
import { requireAccount } from './accounts.service';
import { recordAudit } from './audit-log';

export const KEY_STATES = ['active', 'expired', 'revoked'] as const;
export type KeyState = (typeof KEY_STATES)[number];

/** A key as it may be shown: never the key itself. */
export interface KeyRecord {
  keyId: string;
  accountId: string;
  name: string;
  state: KeyState;
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

/** What may be changed of a key; what is absent stays. An empty list allows all. */
export interface KeyChange {
  name?: string;
  allowedIps?: string[];
  allowedRoutes?: string[];
  /** null: never ends. */
  expiresAt?: Date | null;
}

/** Which key: of this account only; for operators, who give no account, any. */
export interface KeyPlace {
  keyId: string;
  accountId?: string;
}

/** Which keys of an account; what is absent leaves none out. */
export interface KeyFilter {
  state?: KeyState;
  limit?: number;
  /** Only keys older than this one, by its id. */
  before?: string;
}

/** Who calls by a key, or by the one that replaces it, and the newest of these. */
export interface KeyClient {
  clientId: string;
  keyId: string;
  name: string;
}

/** The key, which nobody can read again, and its record. */
export interface IssuedKey {
  apiKey: string;
  record: KeyRecord;
}

interface InsertedKey extends NewKey {
  /** The API client it belongs to; one of its own when absent. */
  clientId?: string;
}

const STATE =
  "CASE WHEN revoked_at IS NOT NULL THEN 'revoked' WHEN expires_at <= now() THEN 'expired' ELSE 'active' END";
const COLUMNS = `id AS "keyId", account_id AS "accountId", name, ${STATE} AS state, prefix, last_four AS "lastFour", allowed_ips AS "allowedIps",
  allowed_routes AS "allowedRoutes", expires_at AS "expiresAt", revoked_at AS "revokedAt", last_used_at AS "lastUsedAt", created_at AS "createdAt"`;
const INSERT = `INSERT INTO api_keys (id, account_id, name, sha256, prefix, last_four, allowed_ips, allowed_routes, expires_at, client_id)
  VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10) RETURNING ${COLUMNS}`;

/** The API clients whose keys work. $1 account, $2 most */
const CLIENTS = `
  SELECT DISTINCT ON (client_id) client_id AS "clientId", id AS "keyId", name FROM api_keys
  WHERE account_id = $1 AND revoked_at IS NULL AND (expires_at IS NULL OR expires_at > now())
  ORDER BY client_id, id DESC LIMIT $2`;

/** After `$1` key and `$2` account. */
const PLACE = 'id = $1 AND ($2::text IS NULL OR account_id = $2)';
/** $1 account, $2 state, $3 the id that all lie below, $4 most rows; null means any */
const LIST = `
  SELECT ${COLUMNS} FROM api_keys
  WHERE account_id = $1 AND ($2::text IS NULL OR ${STATE} = $2) AND ($3::text IS NULL OR id COLLATE "C" < $3)
  ORDER BY id COLLATE "C" DESC LIMIT $4`;

/** API keys, as operators and the owners of an account issue and revoke them. */
export class KeysService {
  constructor(
    private readonly dataSource: DataSource,
    private readonly transactions: Transactions,
  ) {}

  /**
   * Issues a key.
   * @throws AppError NOT_FOUND for the account, INVALID_PARAMETER for an address, route or expiry that is none
   */
  async createKey(key: NewKey, actor: string): Promise<IssuedKey> {
    requirePlainName(key.name);
    const lists = { allowedIps: key.allowedIps.map(rangeOf), allowedRoutes: key.allowedRoutes.map(ruleOf) };
    return this.transactions.run(async (tx) => {
      await requireAccount(tx, key.accountId);
      const issued = await insertKey(tx, { ...key, ...lists });
      await recordAudit(tx, {
        actor,
        action: 'key.create',
        accountId: key.accountId,
        target: issued.record.keyId,
        details: shown(issued.record),
      });
      // A gateway may hold it to be unknown.
      tx.publish(accessChangedV1, { keyId: issued.record.keyId });
      return issued;
    });
  }

  /**
   * Issues a key that takes the place of another one, which goes on working for a while.
   * The new one has the old one's name, lists and expiry, and is the same API client.
   * @param overlapHours how long both work; 0 ends the old one at once
   * @throws AppError NOT_FOUND, INVALID_PARAMETER when the key has ended
   */
  rotateKey(
    { keyId, accountId }: KeyPlace,
    overlapHours: number,
    actor: string,
  ): Promise<IssuedKey & { replaced: KeyRecord }> {
    return this.transactions.run(async (tx) => {
      const [old] = await tx.query<KeyRecord & { clientId: string; hasEnded: boolean }>(
        `SELECT ${COLUMNS}, coalesce(client_id, id) AS "clientId", (revoked_at IS NOT NULL OR expires_at <= now()) IS TRUE AS "hasEnded"
         FROM api_keys WHERE ${PLACE} FOR UPDATE`,
        [keyId, accountId ?? null],
      );
      if (!old) throw noSuchKey({ keyId, accountId });
      if (old.hasEnded)
        throw new AppError('INVALID_PARAMETER', { message: `the key ${keyId} has ended: create a new one` });
      const issued = await insertKey(tx, { ...old, expiresAt: old.expiresAt ?? undefined });
      const [replaced] = await tx.query<KeyRecord>(
        `UPDATE api_keys SET expires_at = least(coalesce(expires_at, 'infinity'), now() + make_interval(hours => $2)) WHERE id = $1 RETURNING ${COLUMNS}`,
        [keyId, overlapHours],
      );
      if (!replaced) throw noSuchKey({ keyId, accountId });
      const details = { ...shown(issued.record), replaces: keyId, overlapHours };
      await recordAudit(tx, {
        actor,
        action: 'key.rotate',
        accountId: old.accountId,
        target: issued.record.keyId,
        details,
      });
      tx.publish(accessChangedV1, { keyId });
      return { ...issued, replaced };
    });
  }

  /** Changes what a key may do. @throws AppError NOT_FOUND, INVALID_PARAMETER for an address or route that is none */
  setKey({ keyId, accountId }: KeyPlace, change: KeyChange, actor: string): Promise<KeyRecord> {
    const allowedIps = change.allowedIps?.map(rangeOf);
    const allowedRoutes = change.allowedRoutes?.map(ruleOf);
    return this.transactions.run(async (tx) => {
      const [record] = await tx.query<KeyRecord>(
        `UPDATE api_keys SET name = coalesce($3, name), allowed_ips = coalesce($4::text[], allowed_ips),
           allowed_routes = coalesce($5::text[], allowed_routes),
           expires_at = CASE WHEN $6 THEN $7::timestamptz ELSE expires_at END WHERE ${PLACE} RETURNING ${COLUMNS}`,
        [
          keyId,
          accountId,
          change.name,
          allowedIps,
          allowedRoutes,
          change.expiresAt !== undefined,
          change.expiresAt,
        ].map((value) => value ?? null),
      );
      if (!record) throw noSuchKey({ keyId, accountId });
      await recordAudit(tx, {
        actor,
        action: 'key.set',
        accountId: record.accountId,
        target: keyId,
        details: shown(record),
      });
      tx.publish(accessChangedV1, { keyId });
      return record;
    });
  }

  /** The newest first. @throws AppError NOT_FOUND when there is no such account */
  async listKeys(accountId: string, { state, before, limit }: KeyFilter = {}): Promise<KeyRecord[]> {
    await requireAccount(this.dataSource, accountId);
    return query<KeyRecord>(this.dataSource, LIST, [accountId, state ?? null, before ?? null, limit ?? null]);
  }

  /** The API clients of an account whose keys work. */
  clientsOf(accountId: string, { limit }: { limit: number }): Promise<KeyClient[]> {
    return query<KeyClient>(this.dataSource, CLIENTS, [accountId, limit]);
  }

  /** @throws AppError NOT_FOUND */
  async findKey({ keyId, accountId }: KeyPlace): Promise<KeyRecord> {
    const [record] = await query<KeyRecord>(this.dataSource, `SELECT ${COLUMNS} FROM api_keys WHERE ${PLACE}`, [
      keyId,
      accountId ?? null,
    ]);
    if (!record) throw noSuchKey({ keyId, accountId });
    return record;
  }

  /**
   * Ends a key at once and for ever. Doing it again changes nothing.
   * @throws AppError NOT_FOUND
   */
  revokeKey({ keyId, accountId }: KeyPlace, actor: string): Promise<KeyRecord> {
    return this.transactions.run(async (tx) => {
      const [record] = await tx.query<KeyRecord>(
        `UPDATE api_keys SET revoked_at = coalesce(revoked_at, now()) WHERE ${PLACE} RETURNING ${COLUMNS}`,
        [keyId, accountId ?? null],
      );
      if (!record) throw noSuchKey({ keyId, accountId });
      await recordAudit(tx, { actor, action: 'key.revoke', accountId: record.accountId, target: keyId });
      tx.publish(accessChangedV1, { keyId });
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

async function insertKey(tx: Transaction, key: InsertedKey): Promise<IssuedKey> {
  const apiKey = generateApiKey();
  const { sha256, prefix, lastFour } = fingerprintOf(apiKey);
  const { accountId, name, allowedIps, allowedRoutes, expiresAt, clientId } = key;
  const values = [
    newId('key'),
    accountId,
    name,
    sha256,
    prefix,
    lastFour,
    allowedIps,
    allowedRoutes,
    expiresAt ?? null,
    clientId ?? null,
  ];
  const [record] = await tx.query<KeyRecord>(INSERT, values);
  if (!record) throw new Error('INSERT … RETURNING gave no row');
  return { apiKey, record };
}

/** What the audit log keeps of a key. */
function shown({ name, prefix, lastFour, allowedIps, allowedRoutes, expiresAt }: KeyRecord): Record<string, unknown> {
  return { name, prefix, lastFour, allowedIps, allowedRoutes, expiresAt };
}

/** An operator, who may ask for any account's key, reads which one there is not. */
function noSuchKey({ keyId, accountId }: KeyPlace): AppError {
  if (accountId !== undefined) return notFound('key');
  return new AppError('NOT_FOUND', { message: `not found: there is no key ${keyId}` });
}

function rangeOf(text: string): string {
  const range = normaliseRange(text);
  if (range === undefined)
    throw new AppError('INVALID_PARAMETER', { message: `${text} is not an IPv4 or IPv6 address or CIDR range` });
  return range;
}

function ruleOf(text: string): string {
  if (!isRouteRule(text))
    throw new AppError('INVALID_PARAMETER', {
      message: `${text} is not a route such as 'GET /v1/messages' or '* /v1/jobs/*'`,
    });
  return text;
}
