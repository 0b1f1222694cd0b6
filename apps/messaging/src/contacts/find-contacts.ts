import { canonicalPhone, isPhone, newId } from '@switchboard/contracts';
import type { Transaction } from '@switchboard/database';
import { FIND_OR_MAKE_CONTACTS, type FoundContact, PERSONS } from './contacts.queries';
import { mergeContacts } from './merge-contacts';

/** A person as the upstream platform identifies them: by phone, by user id or by both. */
export interface Person {
  phone: string | null;
  userId: string | null;
  name: string | null;
  username: string | null;
  /** User id that several businesses share; absent where the platform does not report it. */
  parentUserId?: string | null;
}

/** $1 account, $2 contacts */
const FIND_PROFILE_NAMES = `
  SELECT id, profile_name AS name FROM contacts
  WHERE account_id = $1 AND id = ANY ($2::text[]) AND profile_name IS NOT NULL`;

const isNumber = (phone: string | null): phone is string => phone !== null && isPhone(phone);

/**
 * Finds or creates the contacts of people and updates them. The last name given for a person wins. If a known user id
 * now has a phone number, its contact is merged into the contact of that number.
 * @returns the contact ids, in the order of the people
 */
export async function findOrMakeContacts(
  tx: Transaction,
  accountId: string,
  people: readonly Person[],
): Promise<string[]> {
  const persons = new Map<string, Required<Person> & { key: string | null }>();
  const keyOfUser = new Map<string, string>();
  for (const { phone, userId } of people)
    if (isNumber(phone) && userId !== null && !keyOfUser.has(userId)) keyOfUser.set(userId, canonicalPhone(phone));
  const nameOfPerson = people.map(({ phone: given, userId: givenUserId, name, username, parentUserId }) => {
    // If the text is not a phone number, such as a short code, it identifies the person like a user id.
    const named = isNumber(given) ? given : null;
    const userId = givenUserId ?? (named === null ? given : null);
    const key = named === null ? (keyOfUser.get(userId ?? '') ?? null) : canonicalPhone(named);
    const id = key ?? userId ?? '';
    const earlier = persons.get(id);
    // A user id belongs to one person: the one with the first phone number given for it.
    const ownUserId = userId !== null && (keyOfUser.get(userId) ?? key) === key ? userId : null;
    persons.set(id, {
      phone: named ?? earlier?.phone ?? null,
      key,
      userId: ownUserId ?? earlier?.userId ?? null,
      name: name ?? earlier?.name ?? null,
      username: username ?? earlier?.username ?? null,
      parentUserId: parentUserId ?? earlier?.parentUserId ?? null,
    });
    return id;
  });
  const ordered = [...persons].sort(([one], [other]) => (one < other ? -1 : 1));
  const rows = ordered.map(([, { key, name, ...person }], ordinal) => ({
    ...person,
    ordinal,
    newId: newId('ct'),
    phoneKey: key,
    profileName: name,
  }));
  const found = await tx.query<FoundContact>(FIND_OR_MAKE_CONTACTS, [accountId, ...PERSONS.parameters(rows)]);
  for (const { id, sameIds } of found)
    for (const goneId of sameIds) await mergeContacts(tx, { accountId, goneId, keptId: id });
  const ids = new Map(found.map(({ ordinal, id }) => [ordered[ordinal]?.[0], id]));
  return nameOfPerson.map((id) => ids.get(id) ?? '');
}

/** Fills in the stored profile name if the platform sent none, as in its system notices. */
export async function withKnownNames<Named extends { contactId: string; name: string | null }>(
  tx: Transaction,
  accountId: string,
  messages: readonly Named[],
): Promise<Named[]> {
  const nameless = messages.filter(({ name }) => name === null).map(({ contactId }) => contactId);
  if (nameless.length === 0) return [...messages];
  const rows = await tx.query<{ id: string; name: string }>(FIND_PROFILE_NAMES, [accountId, nameless]);
  const names = new Map(rows.map(({ id, name }) => [id, name]));
  return messages.map((each) => ({ ...each, name: each.name ?? names.get(each.contactId) ?? null }));
}
