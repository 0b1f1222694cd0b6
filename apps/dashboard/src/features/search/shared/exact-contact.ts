import type { Schemas } from '../../../api/client';

type Contacts = NonNullable<Schemas['SearchResults']['contacts']>;

/** Returns the form of a name or number in which a search compares it. */
const comparable = (text: string): string =>
  text
    .normalize('NFKD')
    .replace(/\p{M}|^[@+]/gu, '')
    .toLowerCase()
    .replace(/\s+/g, ' ')
    .trim();

/** Returns the only contact that has the text as its name, a word of it, its username or its number. */
export function exactContact({ contacts }: { contacts: Contacts | null }, text: string): Contacts[number] | undefined {
  const wanted = comparable(text);
  if (wanted === '' || !contacts) return undefined;
  const named = (isSame: (name: string) => boolean) =>
    contacts.filter(({ name, username, phone, userId }) =>
      [name, username, phone, userId].some((each) => each !== null && isSame(comparable(each))),
    );
  const same = named((name) => name === wanted);
  const [only, ...others] = same.length > 0 ? same : named((name) => name.split(' ').includes(wanted));
  return others.length === 0 ? only : undefined;
}
