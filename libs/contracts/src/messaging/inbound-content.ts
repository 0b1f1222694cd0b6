/**
 * Types of customers' messages that are shown as such (spec §11.3.7); any other is `unsupported`, and shows no more of
 * its content than what the platform calls it.
 */
export const INBOUND_TYPES = [
  'text',
  'image',
  'video',
  'audio',
  'document',
  'sticker',
  'location',
  'contacts',
  'button',
  'interactive',
  'reaction',
  'order',
] as const;
/** What a customer did that is on record: messages that are shown as such, and calls. */
export const INBOUND_RECORD_TYPES = [...INBOUND_TYPES, 'call'] as const;
const KNOWN_TYPES: ReadonlySet<string> = new Set(INBOUND_RECORD_TYPES);
/** What the platform, and versions of it before, call a message whose kind they do not tell in the type. */
const NAMELESS_TYPES: ReadonlySet<string> = new Set(['unsupported', 'unknown', '']);
/** Notices that a person has another number or user id; the platform has written the second one for the first. */
export const NUMBER_NOTICES: readonly unknown[] = ['user_changed_number', 'customer_changed_number'];
export const USER_ID_NOTICE = 'user_changed_user_id';
const IDENTITY_NOTICES: ReadonlySet<unknown> = new Set([...NUMBER_NOTICES, USER_ID_NOTICE]);
/** Returns the new phone number of such a notice, in digits; earlier versions of the platform call it `new_wa_id`. */
export function newPhoneIn(notice: object | null | undefined): string | undefined {
  const { wa_id, new_wa_id = wa_id } = (notice ?? {}) as Record<string, unknown>;
  return typeof new_wa_id === 'string' ? new_wa_id.replace(/[\s+()-]/g, '') : undefined;
}

/** Longer than any phone number or user id. */
const NAME_MAX_CHARACTERS = 256;
/** Longer than any name of a kind. */
const KIND_MAX_CHARACTERS = 64;

/** Every type that a list of messages shows. */
export const LISTED_TYPES = [...INBOUND_TYPES, 'template', 'unsupported', 'call'] as const;

/** Those whose content is a file that the gateway serves. */
const FILE_TYPES: ReadonlySet<string> = new Set(['image', 'video', 'audio', 'document', 'sticker']);

/** What a customer's message is called (spec §11.3.7). */
export function inboundType(type: string): string {
  return KNOWN_TYPES.has(type) ? type : 'unsupported';
}

/** What a customer's message is to the account that received it, in events and in lists alike (spec §5.1.3). */
export interface InboundContent {
  type: string;
  /** Stands under the name of the type; absent where there is nothing to show. */
  content?: unknown;
}

/**
 * The platform's content of a customer's message, in our words.
 * @param publicBaseUrl where customers reach the API, without the version
 */
export function inboundContent(
  type: string,
  content: object | null | undefined,
  publicBaseUrl: string,
): InboundContent {
  if (!KNOWN_TYPES.has(type)) return unsupported(type, content);
  if (!content) return { type };
  const renamed = camelCaseKeys(content);
  if (type === 'reaction') return { type, content: { ...(renamed as object), emoji: emojiOf(renamed) } };
  if (!FILE_TYPES.has(type) || typeof renamed !== 'object' || renamed === null || !('id' in renamed))
    return { type, content: renamed };
  const { id, ...rest } = renamed;
  // Of a file without an id of ours nothing can be fetched; what stands there instead is what the platform wrote.
  if (typeof id !== 'string') return { type, content: rest };
  // A file's link comes right after its id.
  return { type, content: { id, link: `${publicBaseUrl.replace(/\/$/, '')}/v1/media/${id}`, ...rest } };
}

/** Returns the emoji of a reaction; empty for a withdrawn one, for which the platform sends none or an empty one. */
function emojiOf(reaction: unknown): string {
  const { emoji } = reaction as { emoji?: unknown };
  return typeof emoji === 'string' ? emoji : '';
}

/** What the platform calls the kind is all that can be shown of it, and of a notice what it tells of the person. */
function unsupported(type: string, content: object | null | undefined): InboundContent {
  const told = content && 'type' in content ? content.type : undefined;
  const kind = NAMELESS_TYPES.has(type) ? told : type;
  const isNamed = typeof kind === 'string' && kind !== '' && kind.length <= KIND_MAX_CHARACTERS;
  if (!isNamed) return { type: 'unsupported' };
  return { type: 'unsupported', content: { type: kind, ...(type === 'system' && noticeOf(content)) } };
}

/** What a notice of the platform says of a person: the number, or the user id, that is theirs from now on. */
function noticeOf(content: object | null | undefined): Record<string, string> {
  const { type: notice, user_id: userId } = (content ?? {}) as Record<string, unknown>;
  if (!IDENTITY_NOTICES.has(notice)) return {};
  const phone = newPhoneIn(content);
  const told = Object.entries({ notice, phone, userId }).filter(([, value]) => isShortText(value));
  return Object.fromEntries(told) as Record<string, string>;
}

const isShortText = (value: unknown): boolean =>
  typeof value === 'string' && value !== '' && value.length <= NAME_MAX_CHARACTERS;

/** Names that could reach the prototype of a receiver's object. */
const UNSAFE_NAMES = new Set(['__proto__', 'constructor', 'prototype']);

/** A copy of parsed JSON whose keys are in camelCase (`mime_type` → `mimeType`), in their order. */
export function camelCaseKeys(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(camelCaseKeys);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).filter(([name]) => !UNSAFE_NAMES.has(name));
  return Object.fromEntries(entries.map(([name, inner]) => [camelCase(name), camelCaseKeys(inner)]));
}

function camelCase(name: string): string {
  return name.replace(/_([a-z0-9])/g, (_match, letter: string) => letter.toUpperCase());
}
