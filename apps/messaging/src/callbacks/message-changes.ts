import type { UpstreamMessagesValue } from '@switchboard/upstream';
import {
  asObject,
  contentOf,
  type Given,
  hasContent,
  isChange,
  readWriter,
  textOrNull,
  timeOf,
  TYPE,
  type Writer,
} from './inbound-messages';

/**
 * Edit or deletion by a contact, or by the business in its phone app. In the latter case, the `Writer` fields identify
 * the recipient.
 */
export interface MessageChange extends Writer {
  /** Upstream id of the change itself. */
  upstreamId: string;
  /** Upstream id of the changed message. */
  originalId: string;
  groupId: string | null;
  /** New content. Null for a deletion. */
  edit: { type: string; content: object | null } | null;
  /** Time of the change, ISO 8601. */
  at: string;
}

/** Fields of a message that an edit can change. */
export interface Changeable {
  type: string;
  content: object | null;
  caption: string | null;
}

const FILE_TYPES: ReadonlySet<string> = new Set(['image', 'video', 'audio', 'document', 'sticker']);
/** Fields of a media file from upstream, which an edit does not change. */
const OF_FILE = ['id', 'url', 'mime_type', 'sha256'];

/** Reads the edits and deletions of a callback, in order. Skips changes without a message or an author. */
export function readChanges(value: UpstreamMessagesValue, now: Date): MessageChange[] {
  return (value.messages ?? []).filter(isChange).flatMap((message: Given): MessageChange[] => {
    const writer = readWriter(message, value.contacts ?? []);
    const change = readChange(message, now);
    return change && writer ? [{ ...change, ...writer, groupId: textOrNull(message.group_id) }] : [];
  });
}

/** Reads a change. Returns undefined if it refers to no message. */
export function readChange(message: Given, now: Date): Omit<MessageChange, keyof Writer | 'groupId'> | undefined {
  const { id: upstreamId, type } = message;
  const told = asObject(message[String(type)]);
  const originalId = textOrNull(told?.original_message_id);
  const edit = type === 'edit' ? readEdit(asObject(told?.message)) : null;
  if (typeof upstreamId !== 'string' || originalId === null || edit === undefined) return undefined;
  return { upstreamId, originalId, edit, at: timeOf(message, now).at };
}

/** Reads the new content. Returns undefined if there is nothing to show. */
function readEdit(message: Record<string, unknown> | null): MessageChange['edit'] | undefined {
  const type = message?.type;
  if (!message || typeof type !== 'string' || !TYPE.test(type)) return undefined;
  const content = contentOf(message as Given, type);
  return hasContent(type, content) ? { type, content } : undefined;
}

/**
 * Returns a message after an edit. An edit of media changes only the caption; the file keeps its internal id.
 * @param before undefined if the message is not stored
 */
export function edited(
  before: Changeable | undefined,
  { type, content }: { type: string; content: object | null },
): Changeable {
  if (!FILE_TYPES.has(type)) return { type, content, caption: null };
  const given = Object.fromEntries(Object.entries(content ?? {}).filter(([name]) => !OF_FILE.includes(name)));
  const caption = textOrNull(given.caption);
  // Omit the file in the edit: either it is the message's own file, or it cannot be fetched.
  if (!before || before.type !== type)
    return { type: before?.type ?? type, content: before?.content ?? given, caption };
  const kept = Object.fromEntries(Object.entries(before.content ?? {}).filter(([name]) => name !== 'caption'));
  return { type, content: { ...kept, ...(caption !== null && { caption }) }, caption };
}
