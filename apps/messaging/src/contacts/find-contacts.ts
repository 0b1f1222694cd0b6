import { isPhone, newId } from '@switchboard/contracts';
import type { Transaction } from '@switchboard/database';
import { FIND_OR_MAKE_CONTACTS, type FoundContact } from './contacts.queries';
import { phoneMatchKey } from './phone-match';

/** Somebody who wrote, as the upstream platform named them: by phone, by its own user id, or by both. */
export interface Person {
  phone: string | null;
  userId: string | null;
  name: string | null;
}

/**
 * The contacts of people who wrote, made or brought up to date; a later name of the same person wins.
 * @returns their ids, in the order of the people
 */
export async function findOrMakeContacts(tx: Transaction, accountId: string, people: readonly Person[]): Promise<string[]> {
  const persons = new Map<string, Person & { key: string | null }>();
  const nameOfKey = people.map(({ phone: given, userId, name }) => {
    // What is no phone number, such as a short code, is known by its text alone.
    const phone = given !== null && isPhone(given) ? given : null;
    const key = phone && phoneMatchKey(phone);
    const id = key ?? userId ?? given ?? '';
    const earlier = persons.get(id);
    persons.set(id, { phone, key, userId: userId ?? earlier?.userId ?? (phone ? null : id), name: name ?? earlier?.name ?? null });
    return id;
  });
  const ordered = [...persons].sort(([one], [other]) => (one < other ? -1 : 1));
  const found = await tx.query<FoundContact>(FIND_OR_MAKE_CONTACTS, [
    accountId,
    ordered.map((_each, ordinal) => ordinal),
    ordered.map(() => newId('ct')),
    ordered.map(([, { phone }]) => phone),
    ordered.map(([, { key }]) => key),
    ordered.map(([, { userId }]) => userId),
    ordered.map(([, { name }]) => name),
  ]);
  const ids = new Map(found.map(({ ordinal, id }) => [ordered[ordinal]?.[0], id]));
  return nameOfKey.map((id) => ids.get(id) ?? '');
}
