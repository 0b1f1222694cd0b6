import { isObject } from '../body-class';
import { formResponse, UNSAFE_NAMES } from './form-response';

/**
 * Inbound message types that the API shows (spec §11.3.7). Messages of any other type are `unsupported` and show only
 * their upstream type.
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
/** Types of stored contact activity: the shown message types and calls. */
export const INBOUND_RECORD_TYPES = [...INBOUND_TYPES, 'call'] as const;
const KNOWN_TYPES: ReadonlySet<string> = new Set(INBOUND_RECORD_TYPES);
/** Current and former upstream types of messages whose content names the actual type. */
const NAMELESS_TYPES: ReadonlySet<string> = new Set(['unsupported', 'unknown', '']);
/** Types of notices about a contact's new number or user id; the platform has used both names for the first. */
export const NUMBER_NOTICES: readonly unknown[] = ['user_changed_number', 'customer_changed_number'];
export const USER_ID_NOTICE = 'user_changed_user_id';
const IDENTITY_NOTICES: ReadonlySet<unknown> = new Set([...NUMBER_NOTICES, USER_ID_NOTICE]);
/** Returns the new phone number from such a notice, digits only. Earlier platform versions call it `new_wa_id`. */
export function newPhoneIn(notice: object | null | undefined): string | undefined {
  const { wa_id, new_wa_id = wa_id } = (notice ?? {}) as Record<string, unknown>;
  return typeof new_wa_id === 'string' ? new_wa_id.replace(/[\s+()-]/g, '') : undefined;
}

/** Maximum length, above that of any phone number or user id. */
const NAME_MAX_CHARACTERS = 256;
/** Maximum length, above that of any type name. */
const KIND_MAX_CHARACTERS = 64;

/** All message types in lists. */
export const LISTED_TYPES = [...INBOUND_TYPES, 'template', 'unsupported', 'call'] as const;

/** Types whose content is a file served by the gateway. */
const FILE_TYPES: ReadonlySet<string> = new Set(['image', 'video', 'audio', 'document', 'sticker']);

/** Returns the public type of an inbound message (spec §11.3.7). */
export function inboundType(type: string): string {
  return KNOWN_TYPES.has(type) ? type : 'unsupported';
}

/** Public form of an inbound message in events and lists (spec §5.1.3). */
export interface InboundContent {
  type: string;
  /** Content, keyed by type in events and lists; absent if there is nothing to show. */
  content?: unknown;
}

/**
 * Converts the upstream content of an inbound message to the public format.
 * @param publicBaseUrl base URL of the public API, without the version
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
  if (type === 'interactive') return { type, content: withParsedReply(renamed) };
  if (!FILE_TYPES.has(type) || typeof renamed !== 'object' || renamed === null || !('id' in renamed))
    return { type, content: renamed };
  const { id, ...rest } = renamed;
  // A file without an internal id cannot be downloaded, so its upstream content stays unchanged.
  if (typeof id !== 'string') return { type, content: rest };
  // The link must follow the id in the JSON.
  return { type, content: { id, link: `${publicBaseUrl.replace(/\/$/, '')}/v1/media/${id}`, ...rest } };
}

/**
 * Returns the emoji of a reaction, or an empty string if the reaction was removed. The platform then sends no emoji or
 * an empty one.
 */
function emojiOf(reaction: unknown): string {
  const { emoji } = reaction as { emoji?: unknown };
  return typeof emoji === 'string' ? emoji : '';
}

/**
 * Adds the parsed response of a form (spec §11.3.28), and converts the expiration of a call permission to a number
 * (spec §11.3.29).
 */
function withParsedReply(content: unknown): unknown {
  const { nfmReply, callPermissionReply } = content as Record<string, unknown>;
  if (isObject(nfmReply)) {
    const { responseJson } = nfmReply as { responseJson?: unknown };
    return { ...(content as object), nfmReply: { ...nfmReply, response: formResponse(responseJson) } };
  }
  if (!isObject(callPermissionReply)) return content;
  const { expirationTimestamp: end } = callPermissionReply as { expirationTimestamp?: unknown };
  // The platform sends a number or a string.
  if (typeof end !== 'string' || !/^\d{1,12}$/.test(end)) return content;
  const reply = { ...callPermissionReply, expirationTimestamp: Number(end) };
  return { ...(content as object), callPermissionReply: reply };
}

/** Returns the upstream type and, for a notice about a contact's identity, the new identity. */
function unsupported(type: string, content: object | null | undefined): InboundContent {
  const told = content && 'type' in content ? content.type : undefined;
  const kind = NAMELESS_TYPES.has(type) ? told : type;
  const isNamed = typeof kind === 'string' && kind !== '' && kind.length <= KIND_MAX_CHARACTERS;
  if (!isNamed) return { type: 'unsupported' };
  return { type: 'unsupported', content: { type: kind, ...(type === 'system' && noticeOf(content)) } };
}

/** Reads a contact's new number or user id from a notice. */
function noticeOf(content: object | null | undefined): Record<string, string> {
  const { type: notice, user_id: userId } = (content ?? {}) as Record<string, unknown>;
  if (!IDENTITY_NOTICES.has(notice)) return {};
  const phone = newPhoneIn(content);
  const told = Object.entries({ notice, phone, userId }).filter(([, value]) => isShortText(value));
  return Object.fromEntries(told) as Record<string, string>;
}

const isShortText = (value: unknown): boolean =>
  typeof value === 'string' && value !== '' && value.length <= NAME_MAX_CHARACTERS;

/** Copies parsed JSON with camelCase keys (`mime_type` → `mimeType`), preserving their order. */
export function camelCaseKeys(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(camelCaseKeys);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).filter(([name]) => !UNSAFE_NAMES.has(name));
  return Object.fromEntries(entries.map(([name, inner]) => [camelCase(name), camelCaseKeys(inner)]));
}

function camelCase(name: string): string {
  return name.replace(/_([a-z0-9])/g, (_match, letter: string) => letter.toUpperCase());
}
