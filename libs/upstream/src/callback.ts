import type { UpstreamMessagesValue, UpstreamTemplateValue } from './types';

/** Inbound messages, statuses, preferences and errors of one number. */
export interface MessagesChange {
  wabaId: string;
  value: UpstreamMessagesValue;
}

export interface TemplateChange {
  wabaId: string;
  /** Time of the change, in Unix seconds. */
  time?: number;
  field: string;
  value: UpstreamTemplateValue;
}

/** Change of a number or its account: quality, limits, restrictions, names. */
export interface NumberChange {
  wabaId: string;
  /** Time of the change, in Unix seconds. */
  time?: number;
  field: string;
  value: Record<string, unknown>;
}

/** Change of an unsupported field, which is stored and acknowledged with 200. */
export interface OtherChange {
  wabaId: string;
  time?: number;
  field: string;
  value: unknown;
}

export interface SplitCallback {
  messages: MessagesChange[];
  templates: TemplateChange[];
  numbers: NumberChange[];
  /** Data shared by the business's phone app: message history and contact names. */
  appData: MessagesChange[];
  others: OtherChange[];
}

type JsonObject = Record<string, unknown>;

const LISTS = [
  'contacts',
  'messages',
  'statuses',
  'errors',
  'user_preferences',
  'calls',
  'message_echoes',
  'state_sync',
] as const;
const COMMON = ['messaging_product', 'metadata', 'contacts'];
/**
 * The only list to read from changes of a field, in addition to the common members. For example, the statuses in field
 * `calls` are those of calls, not of messages.
 */
const LIST_OF_FIELD: Readonly<Record<string, string>> = { calls: 'calls', smb_message_echoes: 'message_echoes' };
const MESSAGE_FIELDS = ['messages', 'user_preferences'];
const ACCOUNT_FIELDS = ['account_update', 'account_alerts', 'account_review_update', 'business_capability_update'];

function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function objectsOf(value: unknown): JsonObject[] {
  return Array.isArray(value) ? value.filter(isObject) : [];
}

/** Maximum length of an id or field name, in characters. The platform's are shorter. */
const MAX_TEXT = 256;

/** Converts an id to text. Ids are usually strings and sometimes numbers. String() would throw on some objects. */
function textOf(value: unknown): string {
  return typeof value === 'string' || typeof value === 'number' ? String(value).slice(0, MAX_TEXT) : '';
}

/** Names of the ids of messages, contacts, groups and numbers, all of which are indexed. */
const ID_NAMES: ReadonlySet<string> = new Set([
  'id',
  'from',
  'from_user_id',
  'from_parent_user_id',
  'to',
  'to_user_id',
  'to_parent_user_id',
  'thread_id',
  'recipient_id',
  'recipient_user_id',
  'recipient_parent_user_id',
  'group_id',
  'wa_id',
  'user_id',
  'parent_user_id',
  'previous_user_id',
  'original_message_id',
]);

/**
 * Returns the objects of a list. Drops those with oversized ids, which no index can store, so that the rest is not
 * lost.
 */
function updatesOf(list: unknown): JsonObject[] {
  return objectsOf(list).map((update) => withoutLongIds(update));
}

/** @param levels number of nested levels to check too */
function withoutLongIds(given: JsonObject, levels = 1): JsonObject {
  const isLong = (name: string, member: unknown): boolean =>
    ID_NAMES.has(name) && typeof member === 'string' && member.length > MAX_TEXT;
  const members = Object.entries(given)
    .filter(([name, member]) => !isLong(name, member))
    .map(([name, member]) => [name, levels > 0 && isObject(member) ? withoutLongIds(member, levels - 1) : member]);
  return Object.fromEntries(members) as JsonObject;
}

/** Ensures that each list, if present, contains only objects and that the number's id is text. */
function toMessagesValue(value: JsonObject): UpstreamMessagesValue {
  const checked: JsonObject = { ...value };
  for (const list of LISTS) {
    if (list in value) checked[list] = updatesOf(value[list]);
  }
  const { metadata } = value;
  if (!isObject(metadata)) delete checked.metadata;
  else if ('phone_number_id' in metadata)
    checked.metadata = { ...metadata, phone_number_id: textOf(metadata.phone_number_id) };
  return withWriters(checked);
}

const withOnly = (value: JsonObject, list: string): JsonObject =>
  Object.fromEntries(Object.entries(value).filter(([name]) => name === list || COMMON.includes(name)));

/**
 * Flattens a change of field `history` into messages, each with its chat; standalone messages, such as those whose
 * media arrive later; and the progress of the history.
 */
function toHistoryValue(value: JsonObject): UpstreamMessagesValue {
  const chunks = objectsOf(value.history);
  const threads = chunks.flatMap((chunk) => objectsOf(chunk.threads));
  const ofThread = ({ id, messages }: JsonObject): JsonObject[] =>
    objectsOf(messages).map((message) => ({ ...withoutContext(message), thread_id: id }));
  const history = updatesOf([...threads.flatMap(ofThread), ...objectsOf(value.messages).map(withoutContext)]);
  const progress = chunks.flatMap((chunk) => [
    ...(isObject(chunk.metadata) ? [chunk.metadata] : []),
    ...objectsOf(chunk.errors),
  ]);
  const given = { history, history_progress: [...progress, ...objectsOf(value.errors)] };
  const lists = Object.fromEntries(Object.entries(given).filter(([, list]) => list.length > 0));
  return { ...toMessagesValue(withOnly(value, '')), ...lists };
}

function withoutContext({ history_context: context, ...message }: JsonObject): JsonObject {
  return isObject(context) ? { ...message, history_status: context.status } : message;
}

/** Adds the sender to anonymous messages, if the callback has exactly one contact. */
function withWriters(value: UpstreamMessagesValue): UpstreamMessagesValue {
  const { contacts = [], messages } = value;
  const [contact] = contacts;
  if (!messages || !contact || contacts.length > 1) return value;
  const { wa_id, user_id, parent_user_id } = contact;
  const writer = {
    ...(wa_id !== undefined && { from: wa_id }),
    ...(user_id !== undefined && { from_user_id: user_id }),
    ...(parent_user_id !== undefined && { from_parent_user_id: parent_user_id }),
  };
  return {
    ...value,
    messages: messages.map((message) => (message.from || message.from_user_id ? message : { ...message, ...writer })),
  };
}

/** Also checks the keys, because some template callbacks were documented with a wrong field name. */
function isAboutTemplate(field: string, value: JsonObject): boolean {
  return (
    field.startsWith('message_template_') || field === 'template_category_update' || 'message_template_id' in value
  );
}

function isAboutNumber(field: string): boolean {
  return field.startsWith('phone_number_') || ACCOUNT_FIELDS.includes(field);
}

function addChange(split: SplitCallback, change: OtherChange): void {
  const { wabaId, time, field, value } = change;
  const list = Object.hasOwn(LIST_OF_FIELD, field) ? LIST_OF_FIELD[field] : undefined;
  if (!isObject(value)) split.others.push(change);
  else if (MESSAGE_FIELDS.includes(field)) split.messages.push({ wabaId, value: toMessagesValue(value) });
  else if (list !== undefined) split.messages.push({ wabaId, value: toMessagesValue(withOnly(value, list)) });
  else if (field === 'history') split.appData.push({ wabaId, value: toHistoryValue(value) });
  else if (field === 'smb_app_state_sync')
    split.appData.push({ wabaId, value: toMessagesValue(withOnly(value, 'state_sync')) });
  else if (isAboutTemplate(field, value)) split.templates.push({ wabaId, time, field, value });
  else if (isAboutNumber(field)) split.numbers.push({ wabaId, time, field, value });
  else split.others.push(change);
}

/**
 * Splits a parsed callback into its changes, preserving their order and all unknown fields. Never throws: invalid
 * entries and changes are skipped, and changes of an unknown shape are added to `others`.
 */
export function splitCallback(body: unknown): SplitCallback {
  const split: SplitCallback = { messages: [], templates: [], numbers: [], appData: [], others: [] };
  if (!isObject(body)) return split;
  for (const entry of objectsOf(body.entry)) {
    const wabaId = textOf(entry.id);
    const time = typeof entry.time === 'number' ? entry.time : undefined;
    for (const { field, value } of objectsOf(entry.changes)) {
      addChange(split, { wabaId, time, field: textOf(field), value });
    }
  }
  return split;
}
