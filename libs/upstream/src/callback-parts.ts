import { jsonBytes, type PartLimits } from '@switchboard/contracts';
import type { MessagesChange } from './callback';
import type { UpstreamContact, UpstreamMessagesValue } from './types';

/** Lists whose items are the updates of a change. Contacts are no updates, because they only describe them. */
const UPDATE_LISTS = [
  'messages',
  'statuses',
  'user_preferences',
  'errors',
  'calls',
  'message_echoes',
  'history',
  'history_progress',
  'state_sync',
] as const;
type UpdateList = (typeof UPDATE_LISTS)[number];
/** Lists with content in their items. The content of an oversized item is dropped. */
const WITH_CONTENT: ReadonlySet<UpdateList> = new Set<UpdateList>(['messages', 'message_echoes', 'history']);

/** Maximum size of the common members of updates, and of a contact, in bytes as JSON. Real ones take a tenth. */
const COMMON_MAX_BYTES = 8_192;
const CONTACT_MAX_BYTES = 4_096;
/** Maximum number of contacts for a single update. */
const CONTACTS_MAX = 8;
/** Maximum length of a text kept in an oversized update, in characters. */
const TEXT_MAX_CHARACTERS = 256;
/** Members that identify an update, its message and its contacts. All others are removed from an oversized update. */
const NAMING = [
  'id',
  'from',
  'from_user_id',
  'from_parent_user_id',
  'timestamp',
  'status',
  'recipient_id',
  'recipient_user_id',
  'recipient_parent_user_id',
  'wa_id',
  'user_id',
  'parent_user_id',
  'category',
  'value',
  'code',
  'biz_opaque_callback_data',
  'group_id',
  'event',
  'direction',
  'to',
  'to_user_id',
  'to_parent_user_id',
  'thread_id',
  'history_status',
];
const COMMON_NAMING = ['messaging_product', 'display_phone_number', 'phone_number_id'];
/** Replacement content, with the platform's own code for messages that it cannot deliver. */
const UNSUPPORTED = {
  type: 'unsupported',
  errors: [{ code: 131051, title: 'Message type unknown', message: 'The content is too large' }],
};

interface Part {
  wabaId: string;
  /** Common members of all updates of the part, serialized for comparison. */
  common: string;
  value: UpstreamMessagesValue;
  updates: number;
  bytes: number;
}

/**
 * Splits or merges updates into parts of bounded size. A callback may have one change with a thousand updates, or a
 * thousand changes with one update each. Adjacent updates of one number share a part, in order, and each part includes
 * the contacts that its updates mention. An update larger than half a part keeps only its identifying members, and an
 * oversized message gets the type `unsupported`.
 * @param limits maximum number of updates per part, and its maximum size in bytes as JSON, at least 64 KB
 */
export function partsOfMessages(changes: readonly MessagesChange[], limits: PartLimits): MessagesChange[] {
  const parts: Part[] = [];
  for (const { wabaId, value } of changes) {
    const { contacts = [] } = value;
    const common = commonWithin(commonOf(value));
    const updates = UPDATE_LISTS.flatMap((list) => (value[list] ?? []).map((update) => ({ list, update })));
    const text = JSON.stringify(common);
    const empty = { wabaId, common: text, value: common, updates: 0, bytes: Buffer.byteLength(text) };
    if (updates.length === 0) {
      const isWhole = jsonBytes(value) <= limits.bytes;
      parts.push({ ...empty, value: isWhole ? value : common, common: '', updates: limits.items });
      continue;
    }
    const contactsOf = updates.length === 1 ? () => contacts.slice(0, CONTACTS_MAX) : contactLookup(contacts);
    for (const { list, update } of updates) {
      const named = contactsOf(update).map(contactWithin);
      const taken = updateWithin(list, update, limits.bytes / 2);
      const contactBytes = named.reduce((sum, { bytes }) => sum + bytes, 0);
      const part = partWithRoom(parts, empty, { ...limits, bytes: limits.bytes - taken.bytes - contactBytes });
      ((part.value[list] ??= []) as object[]).push(taken.update);
      part.updates += 1;
      part.bytes += taken.bytes;
      for (const { contact, bytes } of named) part.bytes += addContact(part.value, contact) ? bytes : 0;
    }
  }
  return parts.map(({ wabaId, value }) => ({ wabaId, value }));
}

/** Returns the last part if it belongs to the same number and has room, otherwise a new part. */
function partWithRoom(parts: Part[], wanted: Part, limits: PartLimits): Part {
  const last = parts.at(-1);
  const isSame = last && last.wabaId === wanted.wabaId && last.common === wanted.common;
  if (isSame && last.updates < limits.items && last.bytes <= limits.bytes) return last;
  const part = { ...wanted, value: { ...wanted.value } };
  parts.push(part);
  return part;
}

function updateWithin(
  list: UpdateList,
  update: Record<string, unknown>,
  maxBytes: number,
): { update: Record<string, unknown>; bytes: number } {
  const bytes = jsonBytes(update);
  if (bytes <= maxBytes) return { update, bytes };
  const kept = { ...namingOf(update, NAMING), ...(WITH_CONTENT.has(list) && UNSUPPORTED) };
  return { update: kept, bytes: jsonBytes(kept) };
}

function commonOf(value: UpstreamMessagesValue): UpstreamMessagesValue {
  const lists: ReadonlySet<string> = new Set(['contacts', ...UPDATE_LISTS]);
  return Object.fromEntries(Object.entries(value).filter(([name]) => !lists.has(name)));
}

function commonWithin(common: UpstreamMessagesValue): UpstreamMessagesValue {
  if (jsonBytes(common) <= COMMON_MAX_BYTES) return common;
  return { ...namingOf(common, COMMON_NAMING), metadata: namingOf(common.metadata ?? {}, COMMON_NAMING) };
}

function contactWithin(contact: UpstreamContact): { contact: UpstreamContact; bytes: number } {
  const bytes = jsonBytes(contact);
  if (bytes <= CONTACT_MAX_BYTES) return { contact, bytes };
  return { contact: namingOf(contact, NAMING), bytes: CONTACT_MAX_BYTES };
}

/** Returns the members with these names whose values are short. */
function namingOf(value: object, names: readonly string[]): Record<string, unknown> {
  const isShort = (member: unknown): boolean =>
    typeof member === 'number' || (typeof member === 'string' && member.length <= TEXT_MAX_CHARACTERS);
  return Object.fromEntries(Object.entries(value).filter(([name, member]) => names.includes(name) && isShort(member)));
}

function contactLookup(contacts: readonly UpstreamContact[]): (update: Record<string, unknown>) => UpstreamContact[] {
  const byName = new Map<unknown, UpstreamContact>();
  for (const contact of contacts)
    for (const name of [contact.wa_id, contact.user_id]) if (name) byName.set(name, contact);
  return ({ from, from_user_id, recipient_id, recipient_user_id, wa_id, user_id, to, to_user_id, thread_id }) =>
    [from, from_user_id, recipient_id, recipient_user_id, wa_id, user_id, to, to_user_id, thread_id]
      .map((name) => byName.get(name))
      .filter((contact) => contact !== undefined);
}

/** @returns whether the contact was added, because it was missing */
function addContact(value: UpstreamMessagesValue, contact: UpstreamContact): boolean {
  const known = (value.contacts ??= []);
  if (known.includes(contact)) return false;
  known.push(contact);
  return true;
}
