import type { MessageError } from '@switchboard/contracts';
import { batchOf, columnNames, columnsOf, type Transaction } from '@switchboard/database';
import { Message } from '../messages/message.entity';
import type { NumberOwner } from '../numbers/numbers.queries';
import { captionOf, type MessageBody } from './inbound-messages';

/** A message of the business's phone app to be stored. */
export interface AppMessage extends Omit<MessageBody, 'isDated'> {
  id: string;
  direction: 'inbound' | 'outbound';
  contactId: string;
  /** The contact's phone number or user id, as in the message. */
  person: string;
  /** The contact's profile name. Null for messages of the business. */
  name: string | null;
  state: 'received' | 'accepted' | 'sent' | 'delivered' | 'read' | 'failed';
  error: MessageError | null;
  editedAt: string | null;
  deletedAt: string | null;
}

const stored = (direction: AppMessage['direction']): string => `
  SELECT upstream_id AS "upstreamId" FROM messages
  WHERE direction = '${direction}' AND upstream_id = ANY ($3::text[]) AND account_id = $1 AND number_id = $2`;

/**
 * Finds which of these messages are already stored, from any source. One statement per direction, because each
 * direction has its own index.
 * $1 account, $2 number, $3 upstream ids
 */
const FIND_STORED = { inbound: stored('inbound'), outbound: stored('outbound') };

const STORED = columnsOf(Message, [
  'id',
  'upstreamId',
  'direction',
  'contactId',
  'profileName',
  'type',
  'content',
  'caption',
  'mediaId',
  'reference',
  'state',
  'error',
  'editedAt',
  'deletedAt',
]);
const STORED_NAMES = columnNames(STORED);

const APP_MESSAGES = batchOf({ ...STORED, person: 'text', at: 'timestamptz' }, { from: 5 });

/**
 * Stores messages whose contacts are locked. Messages of the business count as created and sent at the time they were
 * written.
 * $1 account, $2 number, $3 the number's phone, $4 origin, then `APP_MESSAGES`
 */
const STORE = `
  INSERT INTO messages (${STORED_NAMES}, account_id, number_id, sender, recipient, origin, created_at, received_at,
    accepted_at, sent_at, failed_at)
  SELECT ${STORED_NAMES}, $1, $2, CASE direction WHEN 'inbound' THEN person ELSE $3 END,
    CASE direction WHEN 'inbound' THEN $3 ELSE person END, $4, CASE direction WHEN 'inbound' THEN now() ELSE at END,
    CASE direction WHEN 'inbound' THEN at END, CASE direction WHEN 'outbound' THEN at END,
    CASE WHEN state IN ('sent', 'delivered', 'read') THEN at END, CASE state WHEN 'failed' THEN at END
  FROM ${APP_MESSAGES.unnest('message')}
  ORDER BY id
  ON CONFLICT (id) DO NOTHING
  RETURNING id`;

/** @returns the upstream ids of the stored messages of one direction */
export async function findStoredApp(
  tx: Transaction,
  { accountId, id: numberId }: NumberOwner,
  direction: AppMessage['direction'],
  upstreamIds: readonly string[],
): Promise<Set<string>> {
  if (upstreamIds.length === 0) return new Set();
  const rows = await tx.query<{ upstreamId: string }>(FIND_STORED[direction], [accountId, numberId, upstreamIds]);
  return new Set(rows.map(({ upstreamId }) => upstreamId));
}

/** @returns the number of new messages */
export async function storeAppMessages(
  tx: Transaction,
  { accountId, id: numberId, phoneNumber }: NumberOwner,
  origin: 'business_app' | 'history',
  messages: readonly AppMessage[],
): Promise<number> {
  if (messages.length === 0) return 0;
  const lists = APP_MESSAGES.parameters(messages, {
    profileName: ({ name }) => name,
    caption: ({ content }) => captionOf(content),
    mediaId: ({ media }) => media?.id ?? null,
  });
  const rows = await tx.query(STORE, [accountId, numberId, phoneNumber, origin, ...lists]);
  return rows.length;
}
