import { isPhone, maskPhone } from '@switchboard/contracts';
import { query } from '@switchboard/database';
import type { DataSource } from 'typeorm';
import { COUNT_ANSWERS_NAMING, MASK_ANSWERS_NAMING } from '../idempotency/idempotency.queries';

/**
 * Looks through a page of the inbox for a person, and removes what names them: what it holds for others was published
 * when it was stored, and nobody reads it again. A page ends at its last id, null after the last one. $1 the names they
 * have, $2 the last id of the page before, $3 most rows, $4 whether only to count
 */
const DELETE_CALLBACKS_NAMING = `
  WITH page AS MATERIALIZED (
    SELECT id,
      EXISTS (SELECT FROM unnest($1::text[]) AS name WHERE position(convert_to(name, 'UTF8') IN body) > 0) AS "isNaming"
    FROM callback_inbox WHERE id > $2 ORDER BY id LIMIT $3
  ), gone AS (
    DELETE FROM callback_inbox USING page WHERE callback_inbox.id = page.id AND "isNaming" AND NOT $4
  )
  SELECT count(*) FILTER (WHERE "isNaming")::int AS callbacks, max(id) AS "lastId" FROM page`;

/** Bodies may be 3 MB each. */
const CALLBACKS_PER_STEP = 500;

/** Whom to forget. */
interface Person {
  accountId: string;
  /** Every name they are known by: phones, and what the upstream platform calls them. */
  names: string[];
  dryRun: boolean;
}

/**
 * Removes the upstream platform's callbacks that name the person, as they came. They belong to no account, since one
 * may report on several; all that they brought is with its owner since they were stored.
 * @param tell hears how many have gone after each step
 * @returns how many went, or would go
 */
export async function eraseCallbacks(
  db: DataSource,
  { names, dryRun }: Person,
  tell: (soFar: number) => void,
): Promise<number> {
  let erased = 0;
  for (let after: string | null = ''; after !== null; ) {
    const [page]: { callbacks: number; lastId: string | null }[] = await query(db, DELETE_CALLBACKS_NAMING, [
      names,
      after,
      CALLBACKS_PER_STEP,
      dryRun,
    ]);
    after = page?.lastId ?? null;
    erased += page?.callbacks ?? 0;
    if (page?.callbacks) tell(erased);
  }
  return erased;
}

/** Masks the person's phones in the answers that the account's Idempotency-Keys are kept with. @returns in how many */
export async function maskAnswers(db: DataSource, { accountId, names, dryRun }: Person): Promise<number> {
  let masked = 0;
  for (const phone of names.filter(isPhone)) {
    if (dryRun)
      masked += (await query<{ answers: number }>(db, COUNT_ANSWERS_NAMING, [accountId, phone]))[0]?.answers ?? 0;
    else masked += (await query(db, MASK_ANSWERS_NAMING, [accountId, phone, maskPhone(phone)])).length;
  }
  return masked;
}
