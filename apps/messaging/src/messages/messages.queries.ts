import {
  INBOUND_RECORD_TYPES,
  LABELS,
  type ListMessagesCommand,
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

/** A message as the list reads it. */
export interface MessageRow
  extends SeenRow,
    Pick<Message, Exclude<keyof typeof STORED, keyof MessageLabels>>,
    MessageLabels {
  /** Of the customer who wrote in. */
  userId: string | null;
  /** Of the customer, whoever wrote. */
  username: string | null;
  /** Name under which the account knows the contact. */
  contactName: string | null;
  context: ReferredMessage | null;
  /** Advertisement or post that led the customer here. */
  referral: object | null;
  /** What the upstream platform said is wrong with a customer's message. */
  errors: object[] | null;
}

/** What a list of messages is narrowed to. */
export interface MessageFilters extends Omit<ListMessagesCommand, 'page' | 'limit' | 'cursor' | 'phone'> {
  contactId?: string;
  /** The least id; takes the place of `since`. */
  from?: string;
  /** An id that all lie below; takes the place of `until`. */
  below: string;
}

/** @param rows what the rows are called in the statement */
const recordColumns = (rows: 'messages' | 'seen'): string => `
  ${selectList(STORED)},
  reference -> 'context' AS context, reference -> 'referral' AS referral, reference -> 'errors' AS errors,
  CASE direction WHEN 'inbound' THEN (
    SELECT user_id FROM contacts WHERE contacts.id = COALESCE(${rows}.contact_id, ${rows}.author_id) AND contacts.account_id = ${rows}.account_id
  ) END AS "userId",
  (SELECT username FROM contacts
   WHERE contacts.id = COALESCE(${rows}.contact_id, ${rows}.author_id) AND contacts.account_id = ${rows}.account_id) AS username,
  (SELECT COALESCE(name, app_name, contacts.profile_name) FROM contacts
   WHERE contacts.id = COALESCE(${rows}.contact_id, ${rows}.author_id) AND contacts.account_id = ${rows}.account_id) AS "contactName"`;

/** A list of messages, the newest first, and the parameters of its statements. */
export interface MessageList extends BoundedScan {
  params: unknown[];
}

const UNSUPPORTED = 'unsupported';

/**
 * Open messages, whose outcome is not known, are in every list that they match, from their first moment on: a message
 * that entered a list later would do so behind a caller who polls it. The indexes of lists hold settled messages only,
 * so open ones come from the short index of their own. Of the filters the first one with an index chooses the rows; the
 * others are judged row by row, since one index for each pair would cost every send and every status.
 */
export function messageList({
  accountId,
  contactId,
  jobId,
  clientRef,
  upstreamId,
  groupId,
  direction,
  status,
  type,
  from,
  below,
}: MessageFilters): MessageList {
  const params: unknown[] = [accountId];
  const sql = (text: string, value: unknown): string => text.replace('?', `$${params.push(value)}`);
  // What is unsupported bears its own name here: whatever no customer knows.
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
    // Files are fewer than all that came in.
    hasType && type !== 'text' && sql('type = ?', type),
    isInbound && "direction = 'inbound'",
    hasType && type === 'text' && sql('type = ?', type),
  ].filter((condition) => condition !== false);
  const hasState = status !== undefined && status !== 'failed' && status !== 'received' && !isOpen;
  const others = [
    direction === 'outbound' && "direction = 'outbound'",
    hasState && sql('state = ?', status),
    type === UNSUPPORTED && sql('type <> ALL (?::text[])', INBOUND_RECORD_TYPES),
  ].filter((condition) => condition !== false);
  const [chosen, ...rest] = indexed;
  const bounds = [sql('id < ?', below), from !== undefined && sql('id >= ?', from)];
  const conditions = ['account_id = $1', ...bounds, chosen].filter(Boolean);
  const rows = `SELECT * FROM messages WHERE ${conditions.join(' AND ')}`;
  const rowsOf = (): string => {
    // Either direction has an index of its own by the upstream's identifier.
    if (upstreamId !== undefined)
      return `SELECT * FROM (${rows} AND direction = 'outbound' UNION ALL ${rows} AND direction = 'inbound') AS named`;
    if (isOpen || clientRef !== undefined) return rows;
    // No message with another state is open, nor one that a customer wrote.
    if (isInbound || status !== undefined) return `${rows} AND settled`;
    // Two ordered parts are merged row by row. OFFSET keeps the order out of the second one: by it, the server would
    // read all messages for the few that are open.
    const part = (from: string): string => `(${from} ORDER BY id DESC LIMIT ${SCAN_LIMIT + 1})`;
    const open = `SELECT * FROM (${rows} AND NOT settled OFFSET 0) AS open`;
    return `SELECT * FROM (${part(`${rows} AND settled`)} UNION ALL ${part(open)}) AS joined`;
  };
  return {
    rows: rowsOf(),
    order: 'id DESC',
    key: 'id',
    matches: [...rest, ...others].join(' AND ') || undefined,
    params,
  };
}

/** One page of a list. Ids carry the time, so their order is that of every index. */
export function listMessagesSql(list: MessageList, place: Pick<Place, 'offset' | 'take'>): string {
  return boundedScan(list, { ...place, columns: recordColumns('seen') });
}

/** One message by our id. $1 account, $2 id */
export const FIND_MESSAGE = `SELECT ${recordColumns('messages')} FROM messages WHERE id = $2 AND account_id = $1`;

/** Messages by the upstream's identifier: one as a rule. $1 account, $2 identifier */
export const FIND_MESSAGE_BY_UPSTREAM_ID = ['outbound', 'inbound']
  .map(
    (direction) =>
      `SELECT ${recordColumns('messages')} FROM messages WHERE upstream_id = $2 AND direction = '${direction}' AND account_id = $1`,
  )
  .join(' UNION ALL ');

/**
 * A contact by one of their keys, and how long the conversation with them is, open messages included. $1 account, $2
 * match key of their phone or null, $3 user id or null
 */
export const FIND_CONVERSATION = `
  SELECT contacts.id, COALESCE(message_count, 0) + open.count AS "messageCount"
  FROM contacts LEFT JOIN conversations ON contact_id = contacts.id
    CROSS JOIN LATERAL (
      SELECT count(*)::int AS count FROM messages
      WHERE messages.account_id = $1 AND messages.contact_id = contacts.id AND NOT settled
    ) AS open
  WHERE contacts.account_id = $1 AND contacts.id = ANY (ARRAY${idOfPerson('$1', '$2', '$3')})`;
