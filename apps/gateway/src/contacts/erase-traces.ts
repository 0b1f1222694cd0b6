import { isRecipient, maskPhone } from '@switchboard/contracts';
import { query } from '@switchboard/database';
import type { DataSource } from 'typeorm';
import { COUNT_ANSWERS_NAMING, MASK_ANSWERS_NAMING } from '../idempotency/idempotency.queries';

const CALLBACKS_PER_STEP = 2_000;
/** Bodies may be 3 MB each, and most have less than a thousandth of it. */
const BYTES_PER_STEP = 16_777_216;

/**
 * Looks through a page of the inbox for a person, and removes what names them: what it holds for others was published
 * when it was stored, and nobody reads it again. Only a body that has a name as a whole JSON string is read any
 * further. A page ends at its last id, null after the last one. $1 the names they have, as JSON strings, $2 what names
 * them, $3 what names the account's numbers, both as patterns, $4 the last id of the page before, $5 whether only to
 * count
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

/** Where the upstream platform's callbacks name people; more than the service reads, as all of it is stored. */
const NAMING_KEYS = '(from|to|input|customer|wa_id|recipient_id|([a-z]+_)*user_id)';

/** Whom to forget. */
interface Person {
  accountId: string;
  /** Every name they are known by: phones, and what the upstream platform calls them. */
  names: string[];
  dryRun: boolean;
}

/** A person in the callbacks of an account. */
interface PersonInCallbacks extends Person {
  /** The account's own numbers as callbacks name them: what came for the numbers of others stays. */
  phoneNumberIds: string[];
  /** The last callback that was looked at; empty at the beginning. */
  after: string;
}

/**
 * Removes the upstream platform's callbacks for the account's numbers that name the person, as they came, from a
 * bounded part of the inbox; all that they brought is with its owner since they were stored.
 * @returns how many went, or would go, and where to go on; null after the last one
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

/** Matches a key of a JSON object whose value is one of these strings as a whole. */
function patternOf(key: string, values: readonly string[]): string {
  const literal = values.map((value) => value.replaceAll(/[^A-Za-z0-9]/g, String.raw`\$&`));
  return String.raw`"${key}"\s*:\s*"(${literal.join('|')})"`;
}

/**
 * Masks the person's phones and user ids in the answers that the account's Idempotency-Keys are kept with.
 * @returns in how many
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

/** $1 account, $2 names */
const DELETE_OPEN_SENDS = `
  DELETE FROM open_sends WHERE account_id = $1 AND command #>> '{message,to}' = ANY ($2::text[])`;

/** Forgets sends to the person that were answered 504 and that messaging has no row of yet. */
export async function eraseOpenSends(db: DataSource, accountId: string, names: readonly string[]): Promise<void> {
  await query(db, DELETE_OPEN_SENDS, [accountId, names]);
}
