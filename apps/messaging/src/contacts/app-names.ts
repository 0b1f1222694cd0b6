import { canonicalPhone } from '@switchboard/contracts';
import { batchOf, type Transaction } from '@switchboard/database';
import { findOrMakeContacts } from './find-contacts';

/** Names that `SET_APP_NAMES` sets, one entry per contact. Null removes the name. */
const NAMES = batchOf({ contactId: 'text', name: 'text', at: 'timestamptz' }, { from: 2 });

/**
 * Sets the names that a business gave its contacts in its phone app. Ignores a change that is older than the stored
 * one.
 * $1 account, then `NAMES`
 */
const SET_APP_NAMES = `
  WITH locked AS MATERIALIZED (
    -- Locks contacts in the same order as callbacks do, to prevent deadlocks.
    SELECT id FROM contacts WHERE id = ANY (${NAMES.list('contactId')}) AND account_id = $1 ORDER BY id FOR NO KEY UPDATE
  )
  UPDATE contacts SET app_name = change.name, app_name_at = change.at
  FROM ${NAMES.unnest('change')} JOIN locked ON locked.id = change.contact_id
  WHERE contacts.id = change.contact_id AND contacts.account_id = $1
    AND (app_name_at IS NULL OR change.at >= app_name_at)
  RETURNING contacts.id`;

/** $1 account, $2 match keys */
const FIND_KNOWN = `
  SELECT id, phone_key AS "phoneKey" FROM contacts WHERE account_id = $1 AND phone_key = ANY ($2::text[])`;

interface NamedPerson {
  phone: string;
  at: string;
}

/**
 * Sets the names and creates contacts for unknown phone numbers.
 * @returns the number of applied names
 */
export async function setAppNames(
  tx: Transaction,
  accountId: string,
  names: readonly (NamedPerson & { name: string })[],
): Promise<number> {
  const people = names.map(({ phone }) => ({ phone, userId: null, name: null, username: null }));
  const ids = await findOrMakeContacts(tx, accountId, people);
  const given = names.map(({ name, at }, index) => ({ contactId: ids[index] ?? '', name, at }));
  const rows = await tx.query(SET_APP_NAMES, [accountId, ...NAMES.parameters(given)]);
  return rows.length;
}

/**
 * Removes the names of known contacts. Creates no contacts.
 * @returns the number of updated contacts
 */
export async function clearAppNames(
  tx: Transaction,
  accountId: string,
  people: readonly NamedPerson[],
): Promise<number> {
  const timeOf = new Map(people.map(({ phone, at }) => [canonicalPhone(phone), at]));
  const known = await tx.query<{ id: string; phoneKey: string }>(FIND_KNOWN, [accountId, [...timeOf.keys()]]);
  const given = known.map(({ id, phoneKey }) => ({ contactId: id, name: null, at: timeOf.get(phoneKey) ?? null }));
  const rows = await tx.query(SET_APP_NAMES, [accountId, ...NAMES.parameters(given)]);
  return rows.length;
}
