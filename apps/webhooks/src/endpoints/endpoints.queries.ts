import type { Transaction } from '@switchboard/database';
import { type EntityManager, IsNull } from 'typeorm';
import { Endpoint } from './endpoint.entity';

/** Maximum number of endpoints per account. It bounds the number of connections that one account can cause. */
export const MAX_ENDPOINTS_PER_ACCOUNT = 20;

/** Serialises commands that add or remove endpoints of an account. */
export async function lockAccount(tx: Transaction, accountId: string): Promise<void> {
  await tx.query(`SELECT pg_advisory_xact_lock(hashtext('endpoints'), hashtext($1))`, [accountId]);
}

/** Returns the account's endpoints in creation order, locked until the end of the transaction. */
export function listForChange(tx: Transaction, accountId: string): Promise<Endpoint[]> {
  return tx.manager.find(Endpoint, {
    where: { accountId },
    order: { id: 'ASC' },
    lock: { mode: 'pessimistic_write' },
  });
}

export type NewEndpoint = Pick<
  Endpoint,
  | 'id'
  | 'accountId'
  | 'url'
  | 'sealedVerifyToken'
  | 'sealedSecret'
  | 'kinds'
  | 'maxInFlight'
  | 'acceptsAny2xx'
  | 'hasExtendedRetries'
  // Id of the command that set the URL and the secret. Repeating the command keeps the first secret.
  | 'setBy'
>;

export async function insertEndpoint({ manager }: Transaction, endpoint: NewEndpoint): Promise<Endpoint> {
  await manager.insert(Endpoint, endpoint);
  return manager.findOneByOrFail(Endpoint, { id: endpoint.id, accountId: endpoint.accountId });
}

/** Properties that commands may change. */
export type EndpointChanges = Partial<Omit<Endpoint, 'id' | 'accountId' | 'createdAt' | 'updatedAt' | 'deletedAt'>>;

/**
 * Sets the given properties.
 * @returns null if the account has no such endpoint
 */
export async function changeEndpoint(
  { manager }: { manager: EntityManager },
  { accountId, id }: Pick<Endpoint, 'accountId' | 'id'>,
  changes: EndpointChanges,
): Promise<Endpoint | null> {
  await manager.update(Endpoint, { accountId, id, deletedAt: IsNull() }, changes);
  return manager.findOneBy(Endpoint, { accountId, id });
}

const PROMOTE = `
  UPDATE endpoints SET sealed_secret = sealed_next_secret, sealed_next_secret = NULL, rotation_ends_at = NULL,
    rotated_by = NULL
  WHERE account_id = $1 AND id = $2 AND rotation_ends_at <= now()`;

const ROTATE = `
  UPDATE endpoints SET sealed_next_secret = CASE WHEN rotated_by = $4 THEN sealed_next_secret ELSE $3 END,
    rotation_ends_at = CASE WHEN rotated_by = $4 THEN rotation_ends_at ELSE now() + interval '24 hours'
      END, rotated_by = $4, updated_at = now()
  WHERE account_id = $1 AND id = $2 AND deleted_at IS NULL`;

/**
 * Adds a new secret, which signs beside the old one for 24 hours and replaces any unconfirmed secret. Once its 24 hours
 * are over, an unconfirmed secret has become the only one.
 * @param rotatedBy id of the command; repeating the command returns the same secret
 */
export async function rotateSecret(
  tx: Transaction,
  endpoint: { accountId: string; id: string; sealedSecret: string; rotatedBy: string },
): Promise<Endpoint | null> {
  const { accountId, id, sealedSecret, rotatedBy } = endpoint;
  await tx.query(PROMOTE, [accountId, id]);
  await tx.query(ROTATE, [accountId, id, sealedSecret, rotatedBy]);
  return tx.manager.findOneBy(Endpoint, { accountId, id });
}

const CONFIRM = `
  UPDATE endpoints SET sealed_secret = sealed_next_secret, sealed_next_secret = NULL, rotation_ends_at = NULL,
    rotated_by = NULL, updated_at = now()
  WHERE account_id = $1 AND id = $2 AND deleted_at IS NULL AND sealed_next_secret IS NOT NULL
  RETURNING 1`;

/**
 * Makes the new secret the only one.
 * @returns null if there is no new secret or no such endpoint
 */
export async function confirmRotation(tx: Transaction, accountId: string, id: string): Promise<Endpoint | null> {
  const [confirmed] = await tx.query(CONFIRM, [accountId, id]);
  return confirmed ? tx.manager.findOneBy(Endpoint, { accountId, id }) : null;
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
 * Deletes an endpoint and drops its waiting deliveries.
 * @returns the number of dropped deliveries, or undefined if there is no such endpoint
 */
export async function deleteEndpoint(tx: Transaction, accountId: string, id: string): Promise<number | undefined> {
  const { affected } = await tx.manager.update(
    Endpoint,
    { accountId, id, deletedAt: IsNull() },
    { deletedAt: () => 'now()' },
  );
  if (affected === 0) return undefined;
  return (await tx.query(DROP_WAITING, [accountId, id])).length;
}
