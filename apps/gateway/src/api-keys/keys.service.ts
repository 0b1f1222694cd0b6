import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { accessChangedV1, AppError, newId, notFound, requirePlainName } from '@switchboard/contracts';
import { type Transaction, Transactions } from '@switchboard/database';
import { type EntityManager, IsNull, Raw, type Repository } from 'typeorm';
import { fingerprintOf, generateApiKey, hashOf, isWellFormedKey } from './api-key';
import { ApiKey, keyState, type KeyState } from './api-key.entity';
import { normaliseRange } from '../http/addresses';
import { isRouteRule } from './route-rules';
import { requireAccount } from '../accounts/accounts.service';
import { recordAudit } from '../audit-log/audit-log';

export { KEY_STATES, type KeyState } from './api-key.entity';

/** A key as it may be shown: never the key itself. */
export type KeyRecord = Omit<ApiKey, 'sha256' | 'clientId'>;

export interface NewKey {
  accountId: string;
  name: string;
  allowedIps: string[];
  allowedRoutes: string[];
  expiresAt?: Date | null;
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

/** The API clients whose keys work. $1 account, $2 most */
const CLIENTS = `
  SELECT DISTINCT ON (client_id) client_id AS "clientId", id AS "keyId", name FROM api_keys
  WHERE account_id = $1 AND revoked_at IS NULL AND (expires_at IS NULL OR expires_at > now())
  ORDER BY client_id, id DESC LIMIT $2`;

/** API keys, as operators and the owners of an account issue and revoke them. */
@Injectable()
export class KeysService {
  constructor(
    @InjectRepository(ApiKey) private readonly keys: Repository<ApiKey>,
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
      const old = await tx.manager
        .createQueryBuilder(ApiKey, 'key')
        .addSelect('key.clientId')
        .where(placeOf({ keyId, accountId }))
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
        .where(placeOf({ keyId, accountId }))
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

  /** Changes what a key may do. @throws AppError NOT_FOUND, INVALID_PARAMETER for an address or route that is none */
  setKey({ keyId, accountId }: KeyPlace, change: KeyChange, actor: string): Promise<KeyRecord> {
    const allowedIps = change.allowedIps?.map(rangeOf);
    const allowedRoutes = change.allowedRoutes?.map(ruleOf);
    return this.transactions.run(async (tx) => {
      await tx.manager.update(ApiKey, placeOf({ keyId, accountId }), { ...change, allowedIps, allowedRoutes });
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

  /** The newest first. @throws AppError NOT_FOUND when there is no such account */
  async listKeys(accountId: string, { state, before, limit }: KeyFilter = {}): Promise<KeyRecord[]> {
    await requireAccount(this.keys, accountId);
    const list = this.keys.createQueryBuilder('key').where({ accountId }).orderBy('key.keyId COLLATE "C"', 'DESC');
    if (state !== undefined) list.andWhere(`${keyState('key')} = :state`, { state });
    if (before !== undefined) list.andWhere('key.keyId COLLATE "C" < :before', { before });
    return list.limit(limit).getMany();
  }

  /** The API clients of an account whose keys work. */
  clientsOf(accountId: string, { limit }: { limit: number }): Promise<KeyClient[]> {
    return this.keys.query(CLIENTS, [accountId, limit]);
  }

  /** @throws AppError NOT_FOUND */
  findKey(place: KeyPlace): Promise<KeyRecord> {
    return requireKey(this.keys, place);
  }

  /**
   * Ends a key at once and for ever. Doing it again changes nothing.
   * @throws AppError NOT_FOUND
   */
  revokeKey({ keyId, accountId }: KeyPlace, actor: string): Promise<KeyRecord> {
    return this.transactions.run(async (tx) => {
      await tx.manager.update(ApiKey, placeOf({ keyId, accountId }), {
        revokedAt: () => 'coalesce(revoked_at, now())',
      });
      const record = await requireKey(tx, { keyId, accountId });
      await recordAudit(tx, { actor, action: 'key.revoke', accountId: record.accountId, target: keyId });
      tx.publish(accessChangedV1, { keyId });
      return record;
    });
  }

  /** Whether the text is a key of this account that works now. */
  async isActiveKey(apiKey: string, accountId: string): Promise<boolean> {
    if (!isWellFormedKey(apiKey)) return false;
    return this.keys.existsBy({
      sha256: hashOf(apiKey),
      accountId,
      revokedAt: IsNull(),
      expiresAt: Raw((expiresAt) => `(${expiresAt} IS NULL OR ${expiresAt} > now())`),
    });
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
async function requireKey({ manager }: { manager: EntityManager }, place: KeyPlace): Promise<KeyRecord> {
  const key = await manager.findOneBy(ApiKey, placeOf(place));
  if (!key) throw noSuchKey(place);
  return key;
}

/** TypeORM's condition for a key; of any account where none is given. */
function placeOf({ keyId, accountId }: KeyPlace): KeyPlace {
  return accountId === undefined ? { keyId } : { keyId, accountId };
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
