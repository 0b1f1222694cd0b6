import { isRecipient, maskPhone } from '@switchboard/contracts';
import { query } from '@switchboard/database';
import type { DataSource } from 'typeorm';
import { COUNT_ANSWERS_NAMING, MASK_ANSWERS_NAMING } from '../idempotency/idempotency.queries';

const CALLBACKS_PER_STEP = 2_000;
/** Maximum bytes per step. Bodies can have 3 MB, but most are less than a thousandth of that. */
const BYTES_PER_STEP = 16_777_216;

/**
 * Scans a page of the inbox and deletes the callbacks that name the contact. Their content for others was published
 * when they were stored and is not read again. Only bodies that contain an identifier as a complete JSON string are
 * examined further. Returns the last id of the page as the cursor, or null after the last page. $1 identifiers as JSON
 * strings, $2 and $3 patterns of the keys that name the contact and the account's numbers, $4 cursor, $5 whether to
 * only count
 */
const DELETE_CALLBACKS_NAMING = `
  WITH ahead AS MATERIALIZED (
    SELECT id, octet_length(body) AS bytes FROM callback_inbox WHERE id > $4 ORDER BY id LIMIT ${CALLBACKS_PER_STEP}
  ), page AS MATERIALIZED (
    SELECT callback_inbox.id,
      CASE WHEN EXISTS (SELECT FROM unnest($1::text[]) AS name WHERE position(convert_to(name, 'UTF8') IN body) > 0)
        THEN encode(body, 'escape') ~ $2 AND encode(body, 'escape') ~ $3 ELSE false END AS "isNaming"
    FROM (SELECT id, sum(bytes) OVER (ORDER BY id) - bytes AS "bytesBefore" FROM ahead) AS measured
      JOIN callback_inbox USING (id)
    WHERE "bytesBefore" < ${BYTES_PER_STEP}
  ), gone AS (
    DELETE FROM callback_inbox USING page WHERE callback_inbox.id = page.id AND "isNaming" AND NOT $5
  )
  SELECT count(*) FILTER (WHERE "isNaming")::int AS callbacks, max(id) AS "lastId" FROM page`;

/**
 * Keys under which callbacks name contacts, including keys that the service does not read, since callbacks are stored
 * completely.
 */
const NAMING_KEYS = '(from|to|input|customer|wa_id|recipient_id|([a-z]+_)*user_id)';

interface Person {
  accountId: string;
  /** All identifiers of the contact: phone numbers and upstream ids. */
  names: string[];
  dryRun: boolean;
}

/** Contact to erase from an account's callbacks. */
interface PersonInCallbacks extends Person {
  /** Upstream ids of the account's own numbers. Callbacks about other accounts' numbers are kept. */
  phoneNumberIds: string[];
  /** Cursor of the scan: the last scanned callback; empty at the start. */
  after: string;
}

/**
 * Deletes stored callbacks about the account's numbers that name the contact, from a bounded part of the inbox. Their
 * content was published when they were stored.
 * @returns the number of callbacks deleted, or to delete in a dry run, and the next cursor; null after the last page
 */
export async function eraseCallbacks(
  db: DataSource,
  { names, phoneNumberIds, after, dryRun }: PersonInCallbacks,
): Promise<{ callbacks: number; lastId: string | null }> {
  if (phoneNumberIds.length === 0) return { callbacks: 0, lastId: null };
  const [page] = await query<{ callbacks: number; lastId: string | null }>(db, DELETE_CALLBACKS_NAMING, [
    names.map((name) => JSON.stringify(name)),
    patternOf(NAMING_KEYS, names),
    patternOf('phone_number_id', phoneNumberIds),
    after,
    dryRun,
  ]);
  return page ?? { callbacks: 0, lastId: null };
}

/** Returns a pattern for a JSON key whose value equals one of the given strings. */
function patternOf(key: string, values: readonly string[]): string {
  const literal = values.map((value) => value.replaceAll(/[^A-Za-z0-9]/g, String.raw`\$&`));
  return String.raw`"${key}"\s*:\s*"(${literal.join('|')})"`;
}

/**
 * Masks the contact's phone numbers and user ids in the responses stored for the account's Idempotency-Keys.
 * @returns the number of responses
 */
export async function maskAnswers(db: DataSource, { accountId, names, dryRun }: Person): Promise<number> {
  let masked = 0;
  for (const phone of names.filter(isRecipient)) {
    if (dryRun)
      masked += (await query<{ answers: number }>(db, COUNT_ANSWERS_NAMING, [accountId, phone]))[0]?.answers ?? 0;
    else masked += (await query(db, MASK_ANSWERS_NAMING, [accountId, phone, maskPhone(phone)])).length;
  }
  return masked;
}

/** Deletes open sends to a contact. $1 account, $2 names */
const DELETE_OPEN_SENDS = `
  DELETE FROM open_sends WHERE account_id = $1 AND command #>> '{message,to}' = ANY ($2::text[])`;

/** Deletes sends to the contact that returned 504 and that messaging has not stored yet. */
export async function eraseOpenSends(db: DataSource, accountId: string, names: readonly string[]): Promise<void> {
  await query(db, DELETE_OPEN_SENDS, [accountId, names]);
}
