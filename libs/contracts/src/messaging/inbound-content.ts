/**
 * Types of inbound messages that are shown as such (spec §11.3.7). Any other is `unsupported` and shows only its
 * upstream type.
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
/** Types of stored contact activity: messages shown as such, and calls. */
export const INBOUND_RECORD_TYPES = [...INBOUND_TYPES, 'call'] as const;
const KNOWN_TYPES: ReadonlySet<string> = new Set(INBOUND_RECORD_TYPES);
/** Upstream types, current and former, of messages whose kind is not in the type. */
const NAMELESS_TYPES: ReadonlySet<string> = new Set(['unsupported', 'unknown', '']);
/** Notices of a new number or user id of a contact; the platform has used the second name for the first. */
export const NUMBER_NOTICES: readonly unknown[] = ['user_changed_number', 'customer_changed_number'];
export const USER_ID_NOTICE = 'user_changed_user_id';
const IDENTITY_NOTICES: ReadonlySet<unknown> = new Set([...NUMBER_NOTICES, USER_ID_NOTICE]);
/** Returns the new phone number in such a notice, in digits; earlier versions of the platform name it `new_wa_id`. */
export function newPhoneIn(notice: object | null | undefined): string | undefined {
  const { wa_id, new_wa_id = wa_id } = (notice ?? {}) as Record<string, unknown>;
  return typeof new_wa_id === 'string' ? new_wa_id.replace(/[\s+()-]/g, '') : undefined;
}

/** Longer than any phone number or user id. */
const NAME_MAX_CHARACTERS = 256;
/** Longer than any name of a type. */
const KIND_MAX_CHARACTERS = 64;

/** All types that a list of messages shows. */
export const LISTED_TYPES = [...INBOUND_TYPES, 'template', 'unsupported', 'call'] as const;

/** Types whose content is a file that the gateway serves. */
const FILE_TYPES: ReadonlySet<string> = new Set(['image', 'video', 'audio', 'document', 'sticker']);

/** Returns the public type of an inbound message (spec §11.3.7). */
export function inboundType(type: string): string {
  return KNOWN_TYPES.has(type) ? type : 'unsupported';
}

/** Public form of an inbound message, in events and in lists (spec §5.1.3). */
export interface InboundContent {
  type: string;
  /** Content under the name of the type; absent if there is nothing to show. */
  content?: unknown;
}

/**
 * Converts the upstream content of an inbound message to the public format.
 * @param publicBaseUrl base URL of the API for customers, without the version
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
  // A file without an internal id cannot be fetched; keeps the upstream content instead.
  if (typeof id !== 'string') return { type, content: rest };
  // The link of a file follows its id.
  return { type, content: { id, link: `${publicBaseUrl.replace(/\/$/, '')}/v1/media/${id}`, ...rest } };
}

/** Returns the emoji of a reaction; empty for a removed one, for which the platform sends none or an empty one. */
function emojiOf(reaction: unknown): string {
  const { emoji } = reaction as { emoji?: unknown };
  return typeof emoji === 'string' ? emoji : '';
}

/** Returns the upstream type, which is all that can be shown, and the identity in a notice. */
function unsupported(type: string, content: object | null | undefined): InboundContent {
  const told = content && 'type' in content ? content.type : undefined;
  const kind = NAMELESS_TYPES.has(type) ? told : type;
  const isNamed = typeof kind === 'string' && kind !== '' && kind.length <= KIND_MAX_CHARACTERS;
  if (!isNamed) return { type: 'unsupported' };
  return { type: 'unsupported', content: { type: kind, ...(type === 'system' && noticeOf(content)) } };
}

/** Reads the new number or user id of a contact from a notice. */
function noticeOf(content: object | null | undefined): Record<string, string> {
  const { type: notice, user_id: userId } = (content ?? {}) as Record<string, unknown>;
  if (!IDENTITY_NOTICES.has(notice)) return {};
  const phone = newPhoneIn(content);
  const told = Object.entries({ notice, phone, userId }).filter(([, value]) => isShortText(value));
  return Object.fromEntries(told) as Record<string, string>;
}

const isShortText = (value: unknown): boolean =>
  typeof value === 'string' && value !== '' && value.length <= NAME_MAX_CHARACTERS;

/** Names that could change the prototype of a receiver's object. */
const UNSAFE_NAMES = new Set(['__proto__', 'constructor', 'prototype']);

/** Copies parsed JSON with keys in camelCase (`mime_type` → `mimeType`), in their order. */
export function camelCaseKeys(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(camelCaseKeys);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).filter(([name]) => !UNSAFE_NAMES.has(name));
  return Object.fromEntries(entries.map(([name, inner]) => [camelCase(name), camelCaseKeys(inner)]));
}

function camelCase(name: string): string {
  return name.replace(/_([a-z0-9])/g, (_match, letter: string) => letter.toUpperCase());
}
