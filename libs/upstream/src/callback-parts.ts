import type { MessagesChange } from './callback';
import type { UpstreamContact, UpstreamMessagesValue } from './types';

/** The lists whose items are the updates of a change; contacts only explain them. */
const UPDATE_LISTS = ['messages', 'statuses', 'user_preferences', 'errors'] as const;

interface Part {
  wabaId: string;
  /** What all updates of the part have in common, as text to compare by. */
  common: string;
  value: UpstreamMessagesValue;
  updates: number;
}

/**
 * The same updates in parts of bounded size: a callback may bring one change with a thousand updates, or a thousand changes
 * with one each. Neighbours of one number are put together, in their order; each part has the contacts its updates name.
 * @param limit most updates of a part
 */
export function partsOfMessages(changes: readonly MessagesChange[], limit: number): MessagesChange[] {
  const parts: Part[] = [];
  for (const change of changes) {
    const { wabaId, value } = change;
    const { contacts = [], messages, statuses, user_preferences, errors, ...common } = value;
    const lists = { messages, statuses, user_preferences, errors };
    const updates = UPDATE_LISTS.flatMap((list) => (lists[list] ?? []).map((update) => ({ list, update })));
    if (updates.length === 0) {
      parts.push({ ...change, common: '', updates: limit });
      continue;
    }
    const text = JSON.stringify(common);
    const contactsOf = updates.length === 1 ? () => contacts : contactLookup(contacts);
    for (const { list, update } of updates) {
      const part = partWithRoom(parts, { wabaId, common: text, value: common, updates: 0 }, limit);
      ((part.value[list] ??= []) as object[]).push(update);
      part.updates += 1;
      for (const contact of contactsOf(update)) addContact(part.value, contact);
    }
  }
  return parts.map(({ wabaId, value }) => ({ wabaId, value }));
}

/** The last part when it is about the same number and not full, otherwise a new one. */
function partWithRoom(parts: Part[], wanted: Part, limit: number): Part {
  const last = parts.at(-1);
  if (last && last.wabaId === wanted.wabaId && last.common === wanted.common && last.updates < limit) return last;
  const part = { ...wanted, value: { ...wanted.value } };
  parts.push(part);
  return part;
}

function contactLookup(contacts: readonly UpstreamContact[]): (update: Record<string, unknown>) => UpstreamContact[] {
  const byName = new Map<unknown, UpstreamContact>();
  for (const contact of contacts) for (const name of [contact.wa_id, contact.user_id]) if (name) byName.set(name, contact);
  return ({ from, from_user_id, recipient_id, recipient_user_id, wa_id, user_id }) =>
    [from, from_user_id, recipient_id, recipient_user_id, wa_id, user_id].map((name) => byName.get(name)).filter((contact) => contact !== undefined);
}

function addContact(value: UpstreamMessagesValue, contact: UpstreamContact): void {
  const known = (value.contacts ??= []);
  if (!known.includes(contact)) known.push(contact);
}
