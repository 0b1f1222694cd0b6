import { batchOf, columnsOf } from '@switchboard/database';
import { Block } from './block.entity';

/** SQL: the account's numbers that block a person at the platform, as a list. $1 account */
export const blockedOnColumn = (phoneKey: string): string => `
  ARRAY(SELECT phone_number FROM blocks JOIN numbers ON numbers.id = blocks.number_id
    WHERE blocks.account_id = $1 AND blocks.phone_key = ${phoneKey} AND removed_at IS NULL) AS "blockedOn"`;

/** A number whose block list is changed. */
export interface BlockingNumber {
  id: string;
  phoneNumber: string;
  phoneNumberId: string;
  sealedAccessToken: string;
}

/** $1 account, $2 the wanted number or null for the primary one */
export const FIND_BLOCKING_NUMBER = `
  SELECT id, phone_number AS "phoneNumber", phone_number_id AS "phoneNumberId",
    sealed_access_token AS "sealedAccessToken"
  FROM numbers WHERE account_id = $1 AND CASE WHEN $2::text IS NULL THEN is_primary ELSE phone_number = $2 END
    AND removed_at IS NULL`;

/** How long after a change the platform's list is read, whatever became of the change: longer than any call lasts. */
const AFTER_CHANGE = "interval '1 minute'";
/** How old what we know of a list may be otherwise: people are blocked elsewhere, too. */
const AT_REST = "interval '1 hour'";

/**
 * The list is about to be changed: it is read soon, even if nobody is left to write the outcome down.
 * $1 account, $2 number
 */
export const BEGIN_CHANGE = `
  INSERT INTO block_reads (number_id, account_id, due_at, changed_at)
  VALUES ($2, $1, now() + ${AFTER_CHANGE}, clock_timestamp())
  ON CONFLICT (number_id) DO UPDATE
  SET due_at = LEAST(block_reads.due_at, EXCLUDED.due_at), changed_at = EXCLUDED.changed_at`;

/** The list has changed: what was read of it before says nothing any more. $1 account, $2 number */
export const NOTE_CHANGE = `
  UPDATE block_reads SET changed_at = clock_timestamp() WHERE account_id = $1 AND number_id = $2`;

/** Nobody knows what became of a change: the list is read at once. $1 account, $2 number */
export const MAKE_DUE = 'UPDATE block_reads SET due_at = now() WHERE account_id = $1 AND number_id = $2';

/** The first time stands. $1 account, $2 number, $3 phone, $4 its match key */
export const NOTE_BLOCK = `
  INSERT INTO blocks (account_id, number_id, phone, phone_key) VALUES ($1, $2, $3, $4)
  ON CONFLICT (number_id, phone_key) DO UPDATE SET phone_key = EXCLUDED.phone_key
  RETURNING blocked_at AS "blockedAt"`;

/** $1 account, $2 number, $3 match key */
export const FORGET_BLOCK = 'DELETE FROM blocks WHERE account_id = $1 AND number_id = $2 AND phone_key = $3';

/** $1 account, $2 number, $3 match key */
export const FIND_BLOCK = `
  SELECT blocked_at AS "blockedAt" FROM blocks WHERE account_id = $1 AND number_id = $2 AND phone_key = $3`;

/** A block as the list reads it. */
export interface BlockRow {
  id: string;
  phone: string;
  name: string | null;
  contactId: string | null;
  phoneNumber: string;
  blockedAt: Date;
}

const SHOWN = 'blocks JOIN numbers ON numbers.id = blocks.number_id AND removed_at IS NULL';

/** The newest first. $1 account, $2 only older ones than this or null, $3 how many to pass over, $4 most rows */
export const LIST_BLOCKS = `
  SELECT blocks.id::text, blocks.phone, COALESCE(contacts.name, app_name, profile_name) AS name,
    contacts.id AS "contactId", phone_number AS "phoneNumber", blocked_at AS "blockedAt"
  FROM ${SHOWN}
  LEFT JOIN contacts ON contacts.account_id = $1 AND contacts.phone_key = blocks.phone_key
  WHERE blocks.account_id = $1 AND ($2::bigint IS NULL OR blocks.id < $2)
  ORDER BY blocks.id DESC OFFSET $3 LIMIT $4`;

/** $1 account, $2 where the count ends */
export const COUNT_BLOCKS = `
  SELECT count(*)::int AS total FROM (SELECT 1 FROM ${SHOWN} WHERE blocks.account_id = $1 LIMIT $2) AS counted`;

/** Every number has a turn, the first one some minutes after it was added. */
export const ADD_READS = `
  INSERT INTO block_reads (number_id, account_id, due_at)
  SELECT id, account_id, created_at + interval '5 minutes' FROM numbers
  WHERE removed_at IS NULL AND NOT EXISTS (SELECT 1 FROM block_reads WHERE number_id = numbers.id)
  ON CONFLICT DO NOTHING`;

/** A number whose block list is to be read. */
export interface DueList {
  id: string;
  accountId: string;
  phoneNumberId: string;
  sealedAccessToken: string;
  failures: number;
  /** When the reading began, by the database's clock and to the microsecond. */
  begunAt: string;
}

/**
 * Takes the lists that wait longest, whosever they are. One whose reader ends comes up again after some minutes. Of a
 * stopped number nothing is read. $1 most rows
 */
export const CLAIM_DUE_LISTS = `
  UPDATE block_reads SET due_at = now() + interval '5 minutes'
  FROM numbers
  WHERE numbers.id = block_reads.number_id AND block_reads.number_id IN (
    SELECT number_id FROM block_reads JOIN numbers AS due ON due.id = number_id
    WHERE due_at <= now() AND due.removed_at IS NULL AND due.stopped_at IS NULL
    ORDER BY due_at LIMIT $1 FOR UPDATE OF block_reads SKIP LOCKED)
  RETURNING numbers.id, numbers.account_id AS "accountId", phone_number_id AS "phoneNumberId",
    sealed_access_token AS "sealedAccessToken", failures, clock_timestamp()::text AS "begunAt"`;

/** Whether the list was left alone since the reading began. $1 account, $2 number, $3 when it began */
export const LOCK_READ = `
  SELECT changed_at < $3::timestamptz AS "isFresh" FROM block_reads WHERE account_id = $1 AND number_id = $2
  FOR UPDATE`;

/** $1 account, $2 number, $3 the match keys of everybody on the list */
export const FORGET_OTHERS = `
  DELETE FROM blocks WHERE account_id = $1 AND number_id = $2
    AND NOT EXISTS (SELECT 1 FROM unnest($3::text[]) AS listed (phone_key) WHERE listed.phone_key = blocks.phone_key)`;

/** Entries of a block list that `NOTE_LISTED` inserts. */
export const LISTED = batchOf(columnsOf(Block, ['phoneKey', 'phone']), { from: 3 });

/** $1 account, $2 number, then `LISTED` */
export const NOTE_LISTED = `
  INSERT INTO blocks (account_id, number_id, ${LISTED.names})
  SELECT $1, $2, ${LISTED.names} FROM ${LISTED.unnest('listed')}
  ON CONFLICT (number_id, phone_key) DO NOTHING`;

/**
 * A change of the last minute may still be under way at the platform, its caller gone: then the list is read once more
 * soon. $1 account, $2 number
 */
export const FINISH_READ = `
  UPDATE block_reads
  SET failures = 0,
    due_at = now() + CASE WHEN changed_at > now() - ${AFTER_CHANGE} THEN ${AFTER_CHANGE} ELSE ${AT_REST} END
  WHERE account_id = $1 AND number_id = $2`;

/** What was read is not used. $1 account, $2 number, $3 seconds, $4 whether the platform failed */
export const REST_READ = `
  UPDATE block_reads
  SET due_at = now() + make_interval(secs => $3), failures = failures + $4::boolean::int
  WHERE account_id = $1 AND number_id = $2`;
