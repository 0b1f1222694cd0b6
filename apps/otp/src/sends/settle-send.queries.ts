import type { AppErrorBody } from '@switchboard/contracts';
import { preparedQuery, query, type Transaction } from '@switchboard/database';
import type { DataSource } from 'typeorm';

export type SendState = 'open' | 'accepted' | 'failed' | 'abandoned';

export interface SendIds {
  accountId: string;
  messageId: string;
  attempt: number;
}

export interface StoredSend extends SendIds {
  phone: string;
  state: SendState;
  expiresAt: Date;
  upstreamId: string | null;
  refusal: AppErrorBody | null;
}

const STORED_SEND = `
  message_id AS "messageId", account_id AS "accountId", attempt, phone, state, expires_at AS "expiresAt", upstream_id AS "upstreamId", refusal`;

/** $1 message, $2 account */
export const FIND_SEND = `SELECT ${STORED_SEND} FROM sends WHERE message_id = $1 AND account_id = $2`;

export async function findSend(
  dataSource: DataSource,
  { accountId, messageId }: Pick<SendIds, 'accountId' | 'messageId'>,
): Promise<StoredSend | undefined> {
  const [stored] = await preparedQuery<StoredSend>(dataSource, FIND_SEND, [messageId, accountId]);
  return stored;
}

/**
 * `dueAt` restricts the update to a send that has not been resumed since it became due at that time. Null matches any.
 */
const SETTLE_SEND = `
  UPDATE sends SET state = :state, upstream_id = :upstreamId, refusal = :refusal::jsonb, settled_at = now()
  WHERE message_id = :messageId AND account_id = :accountId AND attempt = :attempt AND state = 'open'
    AND (:dueAt::timestamptz IS NULL OR due_at = :dueAt)
  RETURNING phone, began_at::text AS "beganAt"`;

export interface SettledAs {
  state: Exclude<SendState, 'open'>;
  upstreamId?: string;
  refusal?: AppErrorBody;
  dueAt?: string;
}

export interface SettledSend {
  phone: string;
  beganAt: string;
}

/** @returns undefined when the send is already settled or was resumed */
export async function settleSend(
  tx: Transaction,
  { messageId, accountId, attempt }: SendIds,
  as: SettledAs,
): Promise<SettledSend | undefined> {
  const { state, upstreamId, refusal, dueAt } = as;
  const [settled] = await tx.queryPrepared<SettledSend>(SETTLE_SEND, {
    messageId,
    accountId,
    attempt,
    state,
    upstreamId,
    refusal: refusal && JSON.stringify(refusal),
    dueAt,
  });
  return settled;
}

/**
 * Marks an accepted message as undelivered, once. Failed and abandoned sends were never submitted, so they are left
 * alone. $1 message, $2 account
 */
const MARK_UNDELIVERED = `
  UPDATE sends SET undelivered_at = now()
  WHERE message_id = $1 AND account_id = $2 AND undelivered_at IS NULL AND state IN ('open', 'accepted')
  RETURNING account_id AS "accountId", message_id AS "messageId", attempt`;

/** @returns undefined if the message was already marked or the send is unknown */
export async function markUndelivered(
  tx: Transaction,
  { accountId, messageId }: Pick<SendIds, 'accountId' | 'messageId'>,
): Promise<SendIds | undefined> {
  const [send] = await tx.query<SendIds>(MARK_UNDELIVERED, [messageId, accountId]);
  return send;
}

/** Removes the codes that were issued before the code of this send. $1 account, $2 phone, $3 message */
const REPLACE_EARLIER = `
  UPDATE codes SET touched_at = now(), issued = ARRAY(
    SELECT ROW(send_id, hmac, expires_at)::issued_code FROM unnest(issued) WITH ORDINALITY
      AS valid (send_id, hmac, expires_at, position)
    WHERE position >= coalesce((
      SELECT position FROM unnest(issued) WITH ORDINALITY AS own (send_id, hmac, expires_at, position)
        WHERE send_id = $3
    ), 1) ORDER BY position
  ) WHERE account_id = $1 AND phone = $2`;

/** Removes the send's code. $1 account, $2 phone, $3 message */
const WITHDRAW_CODE = `
  UPDATE codes SET touched_at = now(), issued = ARRAY(
    SELECT ROW(send_id, hmac, expires_at)::issued_code FROM unnest(issued) WITH ORDINALITY
      AS valid (send_id, hmac, expires_at, position)
    WHERE send_id <> $3 ORDER BY position
  ) WHERE account_id = $1 AND phone = $2`;

/** Removes a send that was never submitted from the counters. $1 account, $2 prefix, $3 start time */
const UNCOUNT_PREFIX =
  'UPDATE prefixes SET sent_at = array_remove(sent_at, $3::timestamptz) WHERE account_id = $1 AND prefix = $2';
/** $1 account, $2 phone, $3 start time */
const UNCOUNT_PHONE =
  'UPDATE codes SET sent_at = array_remove(sent_at, $3::timestamptz) WHERE account_id = $1 AND phone = $2';

export function replaceEarlierCodes(tx: Transaction, { accountId, messageId }: SendIds, phone: string): void {
  tx.queue(REPLACE_EARLIER, [accountId, phone, messageId]);
}

export function withdrawCode(tx: Transaction, { accountId, messageId }: SendIds, phone: string): void {
  tx.queue(WITHDRAW_CODE, [accountId, phone, messageId]);
}

/** Updates prefix before phone, the lock order of sends. */
export function uncountSend(
  tx: Transaction,
  accountId: string,
  { phone, prefix, beganAt }: SettledSend & { prefix: string },
): void {
  tx.queue(UNCOUNT_PREFIX, [accountId, prefix, beganAt]);
  tx.queue(UNCOUNT_PHONE, [accountId, phone, beganAt]);
}

/** An open send whose outcome must be determined. */
export interface DueSend extends SendIds {
  phone: string;
  /** Due time set by this claim. Text, because a Date would lose the microseconds. */
  dueAt: string;
}

/**
 * Claims open sends that no process is working on. If the claiming process crashes, its sends become due again.
 * $1 maximum, $2 seconds until they are due again
 */
const CLAIM_DUE = `
  WITH due AS MATERIALIZED (
    SELECT message_id FROM sends WHERE state = 'open' AND due_at < now() ORDER BY due_at LIMIT $1 FOR UPDATE SKIP LOCKED
  )
  UPDATE sends SET due_at = now() + make_interval(secs => $2::int) FROM due WHERE sends.message_id = due.message_id
  RETURNING sends.message_id AS "messageId", account_id AS "accountId", attempt, phone, due_at::text AS "dueAt"`;

/** When the next open send is due. */
export const NEXT_DUE = `SELECT min(due_at) FROM sends WHERE state = 'open'`;

export function claimDue(dataSource: DataSource, most: number, againSeconds: number): Promise<DueSend[]> {
  return query<DueSend>(dataSource, CLAIM_DUE, [most, againSeconds]);
}
