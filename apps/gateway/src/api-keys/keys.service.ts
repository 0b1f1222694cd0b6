import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { accessChangedV1, AppError, newId, notFound, requirePlainName } from '@switchboard/contracts';
import { type Transaction, Transactions } from '@switchboard/database';
import type { EntityManager, Repository } from 'typeorm';
import { fingerprintOf, generateApiKey, hashOf, isWellFormedKey } from './api-key';
import { ApiKey, keyIsActive, keyState, type KeyState } from './api-key.entity';
import { normaliseRange } from '../http/addresses';
import { isRouteRule } from './route-rules';
import { requireAccount } from '../accounts/accounts.service';
import { recordAudit } from '../audit-log/audit-log';

export { KEY_STATES, type KeyState } from './api-key.entity';

/** API key without its secret. */
export type KeyRecord = Omit<ApiKey, 'sha256' | 'clientId'>;

export interface NewKey {
  accountId: string;
  name: string;
  allowedIps: string[];
  allowedRoutes: string[];
  expiresAt?: Date | null;
}

/** Change to a key. Absent fields stay unchanged; an empty list allows everything. */
export interface KeyChange {
  name?: string;
  allowedIps?: string[];
  allowedRoutes?: string[];
  /** Expiry time; null for a key that never expires. */
  expiresAt?: Date | null;
}

/** Identifies a key of the given account, or of any account if absent (for operators). */
export interface KeyRef {
  keyId: string;
  accountId?: string;
}

export interface KeyFilter {
  state?: KeyState;
  limit?: number;
  /** Id of a key; only older keys match. */
  before?: string;
}

/** API client with its newest key. A client keeps its id when its key is rotated. */
export interface KeyClient {
  clientId: string;
  keyId: string;
  name: string;
}

/** Plain-text key, which cannot be read again, and its record. */
export interface IssuedKey {
  apiKey: string;
  record: KeyRecord;
}

interface InsertedKey extends NewKey {
  /** API client for which to issue the key; a new one if absent. */
  clientId?: string;
}

/** Lists API clients that have a valid key. $1 account, $2 limit */
const CLIENTS = `
  SELECT DISTINCT ON (client_id) client_id AS "clientId", id AS "keyId", name FROM api_keys k
  WHERE account_id = $1 AND ${keyIsActive('k')}
  ORDER BY client_id, id DESC LIMIT $2`;

/** Creates, rotates, changes, lists and revokes API keys. `ClientLookup` in `auth/` authenticates them. */
@Injectable()
export class KeysService {
  constructor(
    @InjectRepository(ApiKey) private readonly keys: Repository<ApiKey>,
    private readonly transactions: Transactions,
  ) {}

  /**
   * Issues a key.
   * @throws AppError NOT_FOUND for the account, INVALID_PARAMETER for an invalid address or route
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
      // A gateway may have cached the key as unknown.
      tx.publish(accessChangedV1, { keyId: issued.record.keyId });
      return issued;
    });
  }

  /**
   * Issues a key that replaces another one, which stays valid for an overlap. The new key inherits the name, allow
   * lists, expiry and API client of the old one.
   * @param overlapHours hours during which both keys are valid; 0 expires the old one immediately
   * @throws AppError NOT_FOUND, INVALID_PARAMETER when the key has expired or was revoked
   */
  rotateKey(
    { keyId, accountId }: KeyRef,
    overlapHours: number,
    actor: string,
  ): Promise<IssuedKey & { replaced: KeyRecord }> {
    return this.transactions.run(async (tx) => {
      const old = await tx.manager
        .createQueryBuilder(ApiKey, 'key')
        .addSelect('key.clientId')
        .where(whereKey({ keyId, accountId }))
        .setLock('pessimistic_write')
        .getOne();
      if (!old) throw noSuchKey({ keyId, accountId });
      if (old.state !== 'active')
        throw new AppError('INVALID_PARAMETER', { message: `the key ${keyId} has ended: create a new one` });
      const issued = await insertKey(tx, { ...old, clientId: old.clientId ?? keyId });
      await tx.manager
        .createQueryBuilder()
        .update(ApiKey)
        .set({
          expiresAt: () => "least(coalesce(expires_at, 'infinity'), now() + make_interval(hours => :overlapHours))",
        })
        .where(whereKey({ keyId, accountId }))
        .setParameters({ overlapHours })
        .execute();
      const replaced = await requireKey(tx, { keyId, accountId });
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

  /** Changes a key. @throws AppError NOT_FOUND, INVALID_PARAMETER for an invalid address or route */
  setKey({ keyId, accountId }: KeyRef, change: KeyChange, actor: string): Promise<KeyRecord> {
    const allowedIps = change.allowedIps?.map(rangeOf);
    const allowedRoutes = change.allowedRoutes?.map(ruleOf);
    return this.transactions.run(async (tx) => {
      await tx.manager.update(ApiKey, whereKey({ keyId, accountId }), { ...change, allowedIps, allowedRoutes });
      const record = await requireKey(tx, { keyId, accountId });
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

  /** Lists keys, newest first. @throws AppError NOT_FOUND when there is no such account */
  async listKeys(accountId: string, { state, before, limit }: KeyFilter = {}): Promise<KeyRecord[]> {
    await requireAccount(this.keys, accountId);
    const list = this.keys.createQueryBuilder('key').where({ accountId }).orderBy('key.keyId COLLATE "C"', 'DESC');
    if (state !== undefined) list.andWhere(`${keyState('key')} = :state`, { state });
    if (before !== undefined) list.andWhere('key.keyId COLLATE "C" < :before', { before });
    return list.limit(limit).getMany();
  }

  clientsOf(accountId: string, { limit }: { limit: number }): Promise<KeyClient[]> {
    return this.keys.query(CLIENTS, [accountId, limit]);
  }

  /** @throws AppError NOT_FOUND */
  findKey(ref: KeyRef): Promise<KeyRecord> {
    return requireKey(this.keys, ref);
  }

  /**
   * Revokes a key permanently. Idempotent.
   * @throws AppError NOT_FOUND
   */
  revokeKey({ keyId, accountId }: KeyRef, actor: string): Promise<KeyRecord> {
    return this.transactions.run(async (tx) => {
      await tx.manager.update(ApiKey, whereKey({ keyId, accountId }), {
        revokedAt: () => 'coalesce(revoked_at, now())',
      });
      const record = await requireKey(tx, { keyId, accountId });
      await recordAudit(tx, { actor, action: 'key.revoke', accountId: record.accountId, target: keyId });
      tx.publish(accessChangedV1, { keyId });
      return record;
    });
  }

  /** Checks whether the text is a valid key of this account. */
  async isActiveKey(apiKey: string, accountId: string): Promise<boolean> {
    if (!isWellFormedKey(apiKey)) return false;
    return this.keys
      .createQueryBuilder('key')
      .where({ sha256: hashOf(apiKey), accountId })
      .andWhere(keyIsActive('key'))
      .getExists();
  }
}

async function insertKey(tx: Transaction, key: InsertedKey): Promise<IssuedKey> {
  const apiKey = generateApiKey();
  const keyId = newId('key');
  const { accountId, name, allowedIps, allowedRoutes, expiresAt, clientId } = key;
  await tx.manager.insert(ApiKey, {
    keyId,
    accountId,
    name,
    allowedIps,
    allowedRoutes,
    expiresAt,
    clientId,
    ...fingerprintOf(apiKey),
  });
  return { apiKey, record: await requireKey(tx, { keyId, accountId }) };
}

/** @throws AppError NOT_FOUND */
async function requireKey({ manager }: { manager: EntityManager }, ref: KeyRef): Promise<KeyRecord> {
  const key = await manager.findOneBy(ApiKey, whereKey(ref));
  if (!key) throw noSuchKey(ref);
  return key;
}

/** Returns a TypeORM `where` condition for a key. */
function whereKey({ keyId, accountId }: KeyRef): KeyRef {
  return accountId === undefined ? { keyId } : { keyId, accountId };
}

/** Returns the fields of a key for the audit log. */
function shown({ name, prefix, lastFour, allowedIps, allowedRoutes, expiresAt }: KeyRecord): Record<string, unknown> {
  return { name, prefix, lastFour, allowedIps, allowedRoutes, expiresAt };
}

/** Returns the error for a missing key. Names the key for operators, who may read keys of any account. */
function noSuchKey({ keyId, accountId }: KeyRef): AppError {
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
