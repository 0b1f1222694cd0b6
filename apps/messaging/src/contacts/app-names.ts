import { canonicalPhone } from '@switchboard/contracts';
import { batchOf, type Transaction } from '@switchboard/database';
import { findOrMakeContacts } from './find-contacts';

/** Names that `SET_APP_NAMES` sets, each contact once; null removes the name. */
const NAMES = batchOf({ contactId: 'text', name: 'text', at: 'timestamptz' }, { from: 2 });

/**
 * The names that a business gave its contacts in its phone app; an older change that arrives late counts for nothing.
 * $1 account, then `NAMES`
 */
const SET_APP_NAMES = `
  WITH locked AS MATERIALIZED (
    -- In the order in which callbacks lock contacts, so that nobody runs into a deadlock.
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

/** Notes the names; who is not known yet becomes a contact. @returns how many counted */
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
 * Takes the names of contacts away, and nothing else of them; nobody becomes a contact by it.
 * @returns how many counted
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
