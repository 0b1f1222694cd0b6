import type { OtpSettings } from '@switchboard/contracts';
import { preparedQueries, type Transaction } from '@switchboard/database';
import type { DataSource } from 'typeorm';
import { FAILURE_WINDOW_SECONDS, MAX_FAILURES } from '../codes/verify-code.queries';
import { FIND_SETTINGS, SENDS_PER_PREFIX, settingsOr } from '../settings/settings.queries';
import { MAX_SENDS, PREFIX_WINDOW_SECONDS, SEND_WINDOW_SECONDS } from './limits';
import { FIND_SEND, type StoredSend } from './settle-send.queries';

/** SQL expression: the given times that are within the window, oldest first. */
const recent = (times: string, seconds: number): string =>
  `ARRAY(SELECT at FROM unnest(${times}) AS at WHERE at > now() - interval '${seconds} seconds' ORDER BY at)`;
const RECENT_OF_PREFIX = recent('p.sent_at', PREFIX_WINDOW_SECONDS);
const RECENT_OF_PHONE = recent('code.sent_at', SEND_WINDOW_SECONDS);

/**
 * Stores the send, or resumes one whose outcome is open. The caller may submit the message only before `due_at`. An
 * abandoned send was never submitted, so it starts again with a new reservation. Returns no row if the send is settled.
 * $1 message, $2 account, $3 phone, $4 minutes until it expires, $5 seconds until it is due
 */
const BEGIN_SEND = `
  INSERT INTO sends AS s (message_id, account_id, phone, expires_at, due_at)
  VALUES ($1, $2, $3, now() + make_interval(mins => $4::int), now() + make_interval(secs => $5::int))
  ON CONFLICT (message_id) DO UPDATE SET
    state = 'open',
    due_at = excluded.due_at,
    settled_at = NULL,
    attempt = CASE s.state WHEN 'abandoned' THEN s.attempt + 1 ELSE s.attempt END,
    began_at = CASE s.state WHEN 'abandoned' THEN now() ELSE s.began_at END,
    expires_at = CASE s.state WHEN 'abandoned' THEN excluded.expires_at ELSE s.expires_at END
  WHERE s.account_id = excluded.account_id AND s.phone = excluded.phone AND s.state IN ('open', 'abandoned')
  RETURNING attempt, expires_at AS "expiresAt", began_at = now() AS "isNew"`;

/** $1 account, $2 prefix, $3 maximum sends. Returns no row when the maximum is reached. */
const COUNT_PREFIX = `
  INSERT INTO prefixes AS p (account_id, prefix, sent_at) VALUES ($1, $2, ARRAY[now()])
  ON CONFLICT (account_id, prefix) DO UPDATE SET sent_at = ${RECENT_OF_PREFIX} || now(), touched_at = now()
  WHERE cardinality(${RECENT_OF_PREFIX}) < $3::int
  RETURNING prefix`;

/**
 * Records the send and stores its code beside the other valid codes of the phone. Returns no row when the send limit is
 * reached.
 * $1 account, $2 phone, $3 message, $4 hash, $5 minutes
 */
const ISSUE_CODE = `
  INSERT INTO codes AS code (account_id, phone, sent_at, issued)
  VALUES ($1, $2, ARRAY[now()], ARRAY[ROW($3, $4, now() + make_interval(mins => $5::int))::issued_code])
  ON CONFLICT (account_id, phone) DO UPDATE SET
    sent_at = ${RECENT_OF_PHONE} || now(),
    issued = ARRAY(
      SELECT ROW(send_id, hmac, expires_at)::issued_code FROM unnest(code.issued) WITH ORDINALITY
        AS valid (send_id, hmac, expires_at, position)
      WHERE expires_at > now() ORDER BY position
    ) || excluded.issued,
    touched_at = now()
  WHERE cardinality(${RECENT_OF_PHONE}) < ${MAX_SENDS}
  RETURNING phone`;

/** SQL expression: seconds until fewer than `most` of the times are within the window. */
const secondsUntilFree = (times: string, most: string, seconds: number): string =>
  `ceil(extract(epoch FROM (SELECT at FROM unnest(${times}) AS at ORDER BY at DESC OFFSET ${most} - 1 LIMIT 1) + interval '${seconds} seconds' - now()))::int`;
const freePrefixIn = (most: string): string =>
  `SELECT ${secondsUntilFree('sent_at', most, PREFIX_WINDOW_SECONDS)} AS seconds FROM prefixes WHERE account_id = $1 AND prefix = $2`;
const FREE_PREFIX_IN = freePrefixIn('$3::int');
const FREE_PHONE_IN = `SELECT ${secondsUntilFree('sent_at', String(MAX_SENDS), SEND_WINDOW_SECONDS)} AS seconds FROM codes WHERE account_id = $1 AND phone = $2`;

export interface NewSend {
  accountId: string;
  messageId: string;
  phone: string;
  prefix: string;
  hmac: Buffer;
  minutes: number;
}

export interface StartedSend {
  /** Number of the credit reservation. */
  attempt: number;
  expiresAt: Date;
  /** False when the send was resumed. */
  isNew: boolean;
}

/**
 * Checks the prefix limit without a lock, so that sends to sequential numbers do not queue for it. $1 account, $2
 * prefix
 */
const FIND_FULL_PREFIX = `${freePrefixIn(SENDS_PER_PREFIX)} AND cardinality(${recent('sent_at', PREFIX_WINDOW_SECONDS)}) >= ${SENDS_PER_PREFIX}`;

/** Returns the remaining seconds of the phone's verification lock, if any. $1 account, $2 phone */
const FIND_LOCK = `
  SELECT greatest(ceil(extract(epoch
    FROM recent.failed_at[1] + interval '${FAILURE_WINDOW_SECONDS} seconds' - now()))::int, 1) AS seconds
  FROM codes, LATERAL (SELECT ${recent('codes.failed_at', FAILURE_WINDOW_SECONDS)} AS failed_at) AS recent
  WHERE account_id = $1 AND phone = $2 AND cardinality(recent.failed_at) >= ${MAX_FAILURES}`;

export interface EarlierSend {
  /** The stored send of this message, if any. */
  earlier?: StoredSend;
  settings: OtpSettings;
  /** Seconds until the prefix has room for a new send. Undefined when it has room now. */
  prefixFreeIn?: number;
  /** Seconds until verification is unlocked for the phone. Undefined when it is not locked. */
  unlockedIn?: number;
}

/** Reads the earlier send, the settings, the prefix limit and the verification lock in one round trip. */
export async function lookUp(
  dataSource: DataSource,
  { accountId, messageId, phone, prefix }: Pick<NewSend, 'accountId' | 'messageId' | 'phone' | 'prefix'>,
): Promise<EarlierSend> {
  const [sends, settings, full, locked] = (await preparedQueries(dataSource, [
    [FIND_SEND, [messageId, accountId]],
    [FIND_SETTINGS, [accountId]],
    [FIND_FULL_PREFIX, [accountId, prefix]],
    [FIND_LOCK, [accountId, phone]],
  ])) as [StoredSend[], OtpSettings[], FreeIn[], FreeIn[]];
  return {
    earlier: sends[0],
    settings: settingsOr(settings),
    prefixFreeIn: full.length === 0 ? undefined : secondsOf(full),
    unlockedIn: locked.length === 0 ? undefined : secondsOf(locked),
  };
}

/** @returns undefined when the send is settled */
export async function insertSend(
  tx: Transaction,
  { messageId, accountId, phone, minutes }: NewSend,
  dueSeconds: number,
): Promise<StartedSend | undefined> {
  const [begun] = await tx.queryPrepared<StartedSend>(BEGIN_SEND, [messageId, accountId, phone, minutes, dueSeconds]);
  return begun;
}

/**
 * Counts a send to the prefix.
 * @returns undefined when it is allowed, otherwise the seconds until it is
 */
export async function countPrefix(
  tx: Transaction,
  { accountId, prefix }: NewSend,
  most: number,
): Promise<number | undefined> {
  const [counted] = await tx.queryPrepared(COUNT_PREFIX, [accountId, prefix, most]);
  return counted ? undefined : secondsOf(await tx.query(FREE_PREFIX_IN, [accountId, prefix, most]));
}

/**
 * Counts a send to the phone and issues its code.
 * @returns undefined when it is allowed, otherwise the seconds until it is
 */
export async function issueCode(
  tx: Transaction,
  { accountId, phone, messageId, hmac, minutes }: NewSend,
): Promise<number | undefined> {
  const [issued] = await tx.queryPrepared(ISSUE_CODE, [accountId, phone, messageId, hmac, minutes]);
  return issued ? undefined : secondsOf(await tx.query(FREE_PHONE_IN, [accountId, phone]));
}

interface FreeIn {
  seconds: number | null;
}

function secondsOf([row]: FreeIn[]): number {
  return Math.max(row?.seconds ?? 1, 1);
}
