import { batchOf, columnNames, columnsOf } from '@switchboard/database';
import { idOfPerson } from '../people/person-keys';
import { Block } from './block.entity';

const blocksOf = (contact: string): string => `
  blocks JOIN numbers ON numbers.id = blocks.number_id
    WHERE blocks.account_id = $1 AND blocks.phone_key IN (${contact}.phone_key, ${contact}.user_id)
      AND removed_at IS NULL`;

/** Returns SQL for the list of the account's numbers that block a contact at the platform. $1 account */
export const blockedOnColumn = (contact: string): string =>
  `ARRAY(SELECT DISTINCT phone_number FROM ${blocksOf(contact)}) AS "blockedOn"`;

/** Returns an SQL condition: a number of the account blocks a contact at the platform. $1 account */
export const isBlockedByNumber = (contact: string): string => `EXISTS (SELECT 1 FROM ${blocksOf(contact)})`;

/**
 * Returns all keys by which a contact may be blocked: the given one, and those of the stored contact. $1 account, $2
 * match key or null, $3 user id or null
 */
export const KEYS_OF_PERSON = `
  SELECT DISTINCT key FROM (
    SELECT unnest(ARRAY[$2::text, $3::text]) AS key
    UNION ALL SELECT unnest(ARRAY[phone_key, user_id]) FROM contacts
    WHERE account_id = $1 AND id = ANY (ARRAY${idOfPerson('$1', '$2', '$3')})
  ) AS keys WHERE key IS NOT NULL`;

/** Number whose block list is to be changed. */
export interface BlockingNumber {
  id: string;
  phoneNumber: string;
  phoneNumberId: string;
  sealedAccessToken: string;
}

/** Finds a number. $1 account, $2 phone number or null for the primary one */
export const FIND_BLOCKING_NUMBER = `
  SELECT id, phone_number AS "phoneNumber", phone_number_id AS "phoneNumberId",
    sealed_access_token AS "sealedAccessToken"
  FROM numbers WHERE account_id = $1 AND CASE WHEN $2::text IS NULL THEN is_primary ELSE phone_number = $2 END
    AND removed_at IS NULL`;

/** Delay between a change and the next read of the list, whatever the outcome. Longer than any call takes. */
const AFTER_CHANGE = "interval '1 minute'";
/** Interval between reads at other times, because contacts may also be blocked outside this service. */
const AT_REST = "interval '1 hour'";

/**
 * Schedules a read before the list is changed. The read then happens even if the process dies before it stores the
 * outcome.
 * $1 account, $2 number
 */
export const BEGIN_CHANGE = `
  INSERT INTO block_reads (number_id, account_id, due_at, changed_at)
  VALUES ($2, $1, now() + ${AFTER_CHANGE}, clock_timestamp())
  ON CONFLICT (number_id) DO UPDATE
  SET due_at = LEAST(block_reads.due_at, EXCLUDED.due_at), changed_at = EXCLUDED.changed_at`;

/** Records a change of the list, which invalidates reads that started earlier. $1 account, $2 number */
export const NOTE_CHANGE = `
  UPDATE block_reads SET changed_at = clock_timestamp() WHERE account_id = $1 AND number_id = $2`;

/** Makes the list due immediately after a change with an unknown outcome. $1 account, $2 number */
export const MAKE_DUE = 'UPDATE block_reads SET due_at = now() WHERE account_id = $1 AND number_id = $2';

/**
 * Stores a block. An existing block keeps its time. $1 account, $2 number, $3 phone number or user id, $4 its match key
 */
export const NOTE_BLOCK = `
  INSERT INTO blocks (account_id, number_id, phone, phone_key) VALUES ($1, $2, $3, $4)
  ON CONFLICT (number_id, phone_key) DO UPDATE SET phone_key = EXCLUDED.phone_key
  RETURNING blocked_at AS "blockedAt"`;

/** $1 account, $2 number, $3 keys of the person */
export const FORGET_BLOCK =
  'DELETE FROM blocks WHERE account_id = $1 AND number_id = $2 AND phone_key = ANY ($3::text[])';

/** Finds the earliest block of a person. $1 account, $2 number, $3 keys of the person */
export const FIND_BLOCK = `
  SELECT blocked_at AS "blockedAt" FROM blocks WHERE account_id = $1 AND number_id = $2 AND phone_key = ANY ($3::text[])
  ORDER BY id LIMIT 1`;

export interface BlockRow {
  id: string;
  /** Phone number or user id. */
  phone: string;
  name: string | null;
  userId: string | null;
  contactId: string | null;
  phoneNumber: string;
  blockedAt: Date;
}

const SHOWN = 'blocks JOIN numbers ON numbers.id = blocks.number_id AND removed_at IS NULL';

/** Lists blocks, newest first. $1 account, $2 exclusive upper bound of the ids, or null, $3 offset, $4 maximum rows */
export const LIST_BLOCKS = `
  SELECT blocks.id::text, blocks.phone, COALESCE(contacts.name, app_name, profile_name) AS name,
    contacts.id AS "contactId", contacts.user_id AS "userId", phone_number AS "phoneNumber", blocked_at AS "blockedAt"
  FROM ${SHOWN}
  LEFT JOIN LATERAL (
    SELECT * FROM contacts WHERE account_id = $1 AND phone_key = blocks.phone_key
    UNION ALL SELECT * FROM contacts WHERE account_id = $1 AND user_id = blocks.phone_key
    LIMIT 1
  ) AS contacts ON true
  WHERE blocks.account_id = $1 AND ($2::bigint IS NULL OR blocks.id < $2)
  ORDER BY blocks.id DESC OFFSET $3 LIMIT $4`;

/** Counts blocks up to a limit. $1 account, $2 limit */
export const COUNT_BLOCKS = `
  SELECT count(*)::int AS total FROM (SELECT 1 FROM ${SHOWN} WHERE blocks.account_id = $1 LIMIT $2) AS counted`;

/** Schedules reads for new numbers. The first read is some minutes after the number was added. */
export const ADD_READS = `
  INSERT INTO block_reads (number_id, account_id, due_at)
  SELECT id, account_id, created_at + interval '5 minutes' FROM numbers
  WHERE removed_at IS NULL AND NOT EXISTS (SELECT 1 FROM block_reads WHERE number_id = numbers.id)
  ON CONFLICT DO NOTHING`;

/** Number whose block list is due to be read. */
export interface DueList {
  id: string;
  accountId: string;
  phoneNumberId: string;
  sealedAccessToken: string;
  failures: number;
  /** Start of the read on the database clock, with microseconds. */
  begunAt: string;
}

/**
 * Claims the most overdue lists, across all accounts. If the reading process crashes, the list is due again after some
 * minutes. Lists of stopped numbers are not read.
 * $1 maximum rows
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

/** When the next list is due. */
export const NEXT_DUE_LIST = `
  SELECT min(due_at) FROM block_reads JOIN numbers ON numbers.id = number_id
  WHERE removed_at IS NULL AND stopped_at IS NULL`;

/**
 * Locks the schedule of a list and checks that the list has not changed since the read started.
 * $1 account, $2 number, $3 start of the read
 */
export const LOCK_READ = `
  SELECT changed_at < $3::timestamptz AS "isFresh" FROM block_reads WHERE account_id = $1 AND number_id = $2
  FOR UPDATE`;

const ROW = columnsOf(Block, ['phoneKey', 'phone']);

/** Entries of a block list. */
export const LISTED = batchOf(
  { ...ROW, /** User id of the person, if the list has it. */ userId: 'text' },
  { from: 3 },
);

/** Deletes blocks of people who are not on the list. $1 account, $2 number, then `LISTED` */
export const FORGET_OTHERS = `
  DELETE FROM blocks WHERE account_id = $1 AND number_id = $2
    AND NOT EXISTS (SELECT 1 FROM ${LISTED.unnest('listed')} WHERE listed.phone_key = blocks.phone_key)
    AND NOT EXISTS (SELECT 1 FROM ${LISTED.unnest('named')} WHERE named.user_id = blocks.phone_key)`;

/**
 * Stores the people on the list who have no block yet, by number or by user id. $1 account, $2 number, then `LISTED`
 */
export const NOTE_LISTED = `
  INSERT INTO blocks (account_id, number_id, ${columnNames(ROW)})
  SELECT $1, $2, ${columnNames(ROW)} FROM ${LISTED.unnest('listed')}
  WHERE NOT EXISTS (SELECT 1 FROM blocks AS known WHERE known.number_id = $2 AND known.phone_key = listed.user_id)
  ON CONFLICT (number_id, phone_key) DO NOTHING`;

/**
 * Schedules the next read. It follows soon if the list changed within the last minute, because the platform may still
 * be processing the change.
 * $1 account, $2 number
 */
export const FINISH_READ = `
  UPDATE block_reads
  SET failures = 0,
    due_at = now() + CASE WHEN changed_at > now() - ${AFTER_CHANGE} THEN ${AFTER_CHANGE} ELSE ${AT_REST} END
  WHERE account_id = $1 AND number_id = $2`;

/** Postpones a read that had no result. $1 account, $2 number, $3 seconds, $4 true if the platform failed */
export const REST_READ = `
  UPDATE block_reads
  SET due_at = now() + make_interval(secs => $3), failures = failures + $4::boolean::int
  WHERE account_id = $1 AND number_id = $2`;
