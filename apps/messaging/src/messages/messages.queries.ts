import {
  INBOUND_RECORD_TYPES,
  LABELS,
  type ListMessagesCommand,
  MEDIA_TYPES,
  type MessageLabels,
  type ReferredMessage,
} from '@switchboard/contracts';
import {
  columnsOf,
  SCAN_LIMIT,
  boundedScan,
  type BoundedScan,
  type Place,
  type SeenRow,
  selectList,
} from '@switchboard/database';
import { idOfPerson } from '../people/person-keys';
import { Message } from './message.entity';

const STORED = columnsOf(Message, [
  'id',
  'upstreamId',
  'direction',
  'sender',
  'recipient',
  'profileName',
  'type',
  'content',
  'caption',
  'state',
  'error',
  'pricing',
  'heldReason',
  'jobId',
  'senderId',
  'createdAt',
  'receivedAt',
  'sentAt',
  'deliveredAt',
  'readAt',
  'failedAt',
  'editedAt',
  'deletedAt',
  'groupId',
  'origin',
  ...LABELS,
]);

/** A message as read for a list. */
export interface MessageRow
  extends SeenRow,
    Pick<Message, Exclude<keyof typeof STORED, keyof MessageLabels>>,
    MessageLabels {
  /** User id of the contact who wrote the message. */
  userId: string | null;
  /** Username of the contact, in either direction. */
  username: string | null;
  /** User id of the contact in the portfolio, the same for all its businesses. */
  parentUserId: string | null;
  contactName: string | null;
  context: ReferredMessage | null;
  /** Advertisement or post that led the contact here. */
  referral: object | null;
  /** Errors that the upstream platform reported about an inbound message. */
  errors: object[] | null;
  /** Stored file of a media message, whose size is null until the bytes are stored. */
  file: { id: string; bytes: number | null } | null;
}

export interface MessageFilters extends Omit<ListMessagesCommand, 'page' | 'limit' | 'cursor' | 'phone'> {
  contactId?: string;
  /** Lowest id, derived from `since`. */
  from?: string;
  /** Exclusive upper bound of the ids, derived from `until`. */
  below: string;
}

const FILE_TYPES = MEDIA_TYPES.map((type) => `'${type}'`).join(', ');

/** @param rows table alias in the statement */
const recordColumns = (rows: 'messages' | 'seen'): string => `
  ${selectList(STORED)},
  reference -> 'context' AS context, reference -> 'referral' AS referral, reference -> 'errors' AS errors,
  CASE WHEN type IN (${FILE_TYPES}) THEN (
    SELECT jsonb_build_object('id', media.id, 'bytes', bytes) FROM media
    WHERE message_id = ${rows}.id AND media.account_id = ${rows}.account_id AND removed_at IS NULL LIMIT 1
  ) END AS file,
  CASE direction WHEN 'inbound' THEN (
    SELECT user_id FROM contacts WHERE contacts.id = COALESCE(${rows}.contact_id, ${rows}.author_id) AND contacts.account_id = ${rows}.account_id
  ) END AS "userId",
  (SELECT username FROM contacts
   WHERE contacts.id = COALESCE(${rows}.contact_id, ${rows}.author_id) AND contacts.account_id = ${rows}.account_id) AS username,
  (SELECT parent_user_id FROM contacts
   WHERE contacts.id = COALESCE(${rows}.contact_id, ${rows}.author_id) AND contacts.account_id = ${rows}.account_id) AS "parentUserId",
  (SELECT COALESCE(name, app_name, contacts.profile_name) FROM contacts
   WHERE contacts.id = COALESCE(${rows}.contact_id, ${rows}.author_id) AND contacts.account_id = ${rows}.account_id) AS "contactName"`;

/** A message list, newest first, with the parameters of its statements. */
export interface MessageList extends BoundedScan {
  params: unknown[];
}

const UNSUPPORTED = 'unsupported';

/** Types whose texts are searched. Templates are not among them: the service does not store their texts. */
const SEARCHED_TYPES = ['text', 'image', 'video', 'document', 'interactive', 'button'];
const isSearched = SEARCHED_TYPES.map((type) => `'${type}'`).join(', ');
/** Maximum characters of a message that are searched, because removing accents takes time (ADR 87). */
const SEARCHED_CHARACTERS = 1_000;
/** Maximum messages that a page of a search in texts scans, so that long texts also stay within the statement limit. */
const SEARCHED_MESSAGES = 500;

/**
 * Condition: the fragment is in a text or caption. No index serves it, so that sends and callbacks pay nothing for it
 * (ADR 87). One-time passwords never match. The separator keeps a fragment from matching across two texts.
 */
const HOLDS_TEXT = `NOT is_secret AND type IN (${isSearched}) AND strpos(search_form(left(CASE type
  WHEN 'text' THEN content ->> 'body'
  WHEN 'button' THEN content ->> 'text'
  WHEN 'interactive' THEN concat_ws(chr(31), content #>> '{body,text}', content #>> '{button_reply,title}', content #>> '{list_reply,title}')
  ELSE concat_ws(chr(31), caption, content ->> 'caption', content ->> 'filename')
END, ${SEARCHED_CHARACTERS})), search_form(?)) > 0`;

/**
 * Builds the list. Open messages, whose outcome is unknown, are in every matching list from the start. If they were
 * added later, a polling client would have paged past them. The indexes of lists contain only settled messages, so open
 * ones are read from their own small index. The first filter with an index selects the rows, and the other filters are
 * checked per row, because an index for each pair would slow down every send and status.
 */
export function messageList({
  accountId,
  contactId,
  jobId,
  clientRef,
  upstreamId,
  groupId,
  text,
  direction,
  status,
  type,
  from,
  below,
}: MessageFilters): MessageList {
  const params: unknown[] = [accountId];
  const limit = text === undefined ? SCAN_LIMIT : SEARCHED_MESSAGES;
  const sql = (text: string, value: unknown): string => text.replace('?', `$${params.push(value)}`);
  // Unsupported messages are inbound and stored under their upstream type.
  const isInbound = direction === 'inbound' || status === 'received' || type === UNSUPPORTED;
  const isOpen = status === 'unknown';
  const hasType = type !== undefined && type !== UNSUPPORTED;
  const indexed = [
    upstreamId !== undefined && sql('upstream_id = ?', upstreamId),
    clientRef !== undefined && sql('client_ref = ?', clientRef),
    isOpen && 'NOT settled',
    groupId !== undefined && sql('group_id = ?', groupId),
    contactId !== undefined && sql('contact_id = ?', contactId),
    jobId !== undefined && sql('job_id = ?', jobId),
    status === 'failed' && 'failed',
    // There are fewer media messages than inbound messages, so filter by type first.
    hasType && type !== 'text' && sql('type = ?', type),
    isInbound && "direction = 'inbound'",
    hasType && type === 'text' && sql('type = ?', type),
  ].filter((condition) => condition !== false);
  const hasState = status !== undefined && status !== 'failed' && status !== 'received' && !isOpen;
  const others = [
    direction === 'outbound' && "direction = 'outbound'",
    hasState && sql('state = ?', status),
    type === UNSUPPORTED && sql('type <> ALL (?::text[])', INBOUND_RECORD_TYPES),
    text !== undefined && sql(HOLDS_TEXT, text),
  ].filter((condition) => condition !== false);
  const [chosen, ...rest] = indexed;
  const bounds = [sql('id < ?', below), from !== undefined && sql('id >= ?', from)];
  const conditions = ['account_id = $1', ...bounds, chosen].filter(Boolean);
  const rows = `SELECT * FROM messages WHERE ${conditions.join(' AND ')}`;
  const rowsOf = (): string => {
    // One query per direction, because each direction has its own index by upstream id.
    if (upstreamId !== undefined)
      return `SELECT * FROM (${rows} AND direction = 'outbound' UNION ALL ${rows} AND direction = 'inbound') AS named`;
    if (isOpen || clientRef !== undefined) return rows;
    // Only an outbound message without another status can be open.
    if (isInbound || status !== undefined) return `${rows} AND settled`;
    // Merges ordered parts. OFFSET prevents the planner from using the order in the last part, for which it would
    // scan all messages to find the few open ones.
    const part = (from: string): string => `(${from} ORDER BY id DESC LIMIT ${limit + 1})`;
    const open = `SELECT * FROM (${rows} AND NOT settled OFFSET 0) AS open`;
    // A search skips the messages of a bulk job, which would fill the scan.
    const ofTypes =
      text === undefined || chosen !== undefined ? [''] : SEARCHED_TYPES.map((one) => ` AND type = '${one}'`);
    const settled = ofTypes.map((ofType) => part(`${rows} AND settled${ofType}`));
    return `SELECT * FROM (${[...settled, part(open)].join(' UNION ALL ')}) AS joined`;
  };
  return {
    rows: rowsOf(),
    order: 'id DESC',
    key: 'id',
    matches: [...rest, ...others].join(' AND ') || undefined,
    limit,
    params,
  };
}

/** Builds the query for one page of a list. Ids contain the time, so all indexes share their order. */
export function listMessagesSql(list: MessageList, place: Pick<Place, 'offset' | 'take'>): string {
  return boundedScan(list, { ...place, columns: recordColumns('seen') });
}

/** Finds one message by internal id. $1 account, $2 id */
export const FIND_MESSAGE = `SELECT ${recordColumns('messages')} FROM messages WHERE id = $2 AND account_id = $1`;

/** Finds messages by upstream id, usually one. $1 account, $2 upstream id */
export const FIND_MESSAGE_BY_UPSTREAM_ID = ['outbound', 'inbound']
  .map(
    (direction) =>
      `SELECT ${recordColumns('messages')} FROM messages WHERE upstream_id = $2 AND direction = '${direction}' AND account_id = $1`,
  )
  .join(' UNION ALL ');

/**
 * Finds a contact by one of its keys, with the number of messages in the conversation, including open ones.
 * $1 account, $2 match key of the phone number or null, $3 user id or null
 */
export const FIND_CONVERSATION = `
  SELECT contacts.id, COALESCE(message_count, 0) + open.count AS "messageCount"
  FROM contacts LEFT JOIN conversations ON contact_id = contacts.id
    CROSS JOIN LATERAL (
      SELECT count(*)::int AS count FROM messages
      WHERE messages.account_id = $1 AND messages.contact_id = contacts.id AND NOT settled
    ) AS open
  WHERE contacts.account_id = $1 AND contacts.id = ANY (ARRAY${idOfPerson('$1', '$2', '$3')})`;
