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
 * What a customer did to a message of theirs, in our terms; or what the business did to one of its own in its phone
 * app, where the person is the customer to whom it was written.
 */
export interface MessageChange extends Writer {
  /** Upstream's id of the change itself. */
  upstreamId: string;
  /** Upstream's id of the message that is changed. */
  originalId: string;
  groupId: string | null;
  /** The new content; null where the message is deleted. */
  edit: { type: string; content: object | null } | null;
  /** When the customer did it, ISO 8601. */
  at: string;
}

/** What a message is and shows, as far as a customer can change it. */
export interface Changeable {
  type: string;
  content: object | null;
  caption: string | null;
}

const FILE_TYPES: ReadonlySet<string> = new Set(['image', 'video', 'audio', 'document', 'sticker']);
/** What upstream says of a file that a message brought along; an edit changes none of it. */
const OF_FILE = ['id', 'url', 'mime_type', 'sha256'];

/** The edits and deletions of a callback, in its order; what names no message or nobody is left out. */
export function readChanges(value: UpstreamMessagesValue, now: Date): MessageChange[] {
  return (value.messages ?? []).filter(isChange).flatMap((message: Given): MessageChange[] => {
    const writer = readWriter(message, value.contacts ?? []);
    const change = readChange(message, now);
    return change && writer ? [{ ...change, ...writer, groupId: textOrNull(message.group_id) }] : [];
  });
}

/** What was changed, and how. Undefined for what names no message. */
export function readChange(message: Given, now: Date): Omit<MessageChange, keyof Writer | 'groupId'> | undefined {
  const { id: upstreamId, type } = message;
  const told = asObject(message[String(type)]);
  const originalId = textOrNull(told?.original_message_id);
  const edit = type === 'edit' ? readEdit(asObject(told?.message)) : null;
  if (typeof upstreamId !== 'string' || originalId === null || edit === undefined) return undefined;
  return { upstreamId, originalId, edit, at: timeOf(message, now).at };
}

/** Undefined where it says nothing that could be shown. */
function readEdit(message: Record<string, unknown> | null): MessageChange['edit'] | undefined {
  const type = message?.type;
  if (!message || typeof type !== 'string' || !TYPE.test(type)) return undefined;
  const content = contentOf(message as Given, type);
  return hasContent(type, content) ? { type, content } : undefined;
}

/**
 * What a message is after an edit. Of a file the caption alone changes: the file stays, under our id.
 * @param before undefined where the message is not on record
 */
export function edited(
  before: Changeable | undefined,
  { type, content }: { type: string; content: object | null },
): Changeable {
  if (!FILE_TYPES.has(type)) return { type, content, caption: null };
  const given = Object.fromEntries(Object.entries(content ?? {}).filter(([name]) => !OF_FILE.includes(name)));
  const caption = textOrNull(given.caption);
  // The file of an edit is that of the message, or nothing that anybody could fetch.
  if (!before || before.type !== type)
    return { type: before?.type ?? type, content: before?.content ?? given, caption };
  const kept = Object.fromEntries(Object.entries(before.content ?? {}).filter(([name]) => name !== 'caption'));
  return { type, content: { ...kept, ...(caption !== null && { caption }) }, caption };
}
