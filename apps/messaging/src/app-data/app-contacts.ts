import { canonicalPhone, isPhone } from '@switchboard/contracts';
import type { UpstreamMessagesValue, UpstreamStateSync } from '@switchboard/upstream';
import { asObject, textOrNull } from '../callbacks/inbound-messages';
import { isTimely, upstreamTime } from '../upstream/upstream-time';

/** A contact's name in the phone app of a business, valid from the given time. */
export interface AppContact {
  phone: string;
  /** Null if the contact was removed in the phone app. */
  name: string | null;
  /** ISO 8601. */
  at: string;
}

const NAME_MAX_CHARACTERS = 256;
const REMOVED = 'remove';
const NAMED = ['add', 'edit'];

/**
 * Reads the contacts of a chunk, one entry per contact. The newest change wins; of two changes within the same second,
 * the later one in the chunk. Skips entries without a phone number or a name.
 * @param arrivedAt time of the report from upstream, used for changes without a time
 */
export function readAppContacts({ state_sync: changes = [] }: UpstreamMessagesValue, arrivedAt: Date): AppContact[] {
  const newest = new Map<string, AppContact>();
  for (const given of changes) {
    const read = readOne(given, arrivedAt);
    const key = read && canonicalPhone(read.phone);
    if (!read || key === undefined || read.at < (newest.get(key)?.at ?? '')) continue;
    newest.set(key, read);
  }
  return [...newest.values()];
}

function readOne({ type, contact, action, metadata }: UpstreamStateSync, arrivedAt: Date): AppContact | undefined {
  const given = asObject(contact);
  const phone = (textOrNull(given?.phone_number) ?? '').replace(/[\s+()-]/g, '');
  if (type !== 'contact' || !isPhone(phone)) return undefined;
  const timestamp = asObject(metadata)?.timestamp;
  const at = isTimely(timestamp, arrivedAt) ? upstreamTime(timestamp, arrivedAt) : arrivedAt.toISOString();
  if (action === REMOVED) return { phone, name: null, at };
  const name = [given?.full_name, given?.first_name].map(nameOf).find((each) => each !== '');
  return typeof action === 'string' && NAMED.includes(action) && name !== undefined ? { phone, name, at } : undefined;
}

const nameOf = (given: unknown): string =>
  Array.from((textOrNull(given) ?? '').trim())
    .slice(0, NAME_MAX_CHARACTERS)
    .join('');
