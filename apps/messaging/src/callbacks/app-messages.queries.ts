import type { MessageError } from '@switchboard/contracts';
import type { Transaction } from '@switchboard/database';
import type { NumberOwner } from '../numbers/numbers.queries';
import { captionOf, type MessageBody } from './inbound-messages';

/** A message of the business's phone app that is to be stored. */
export interface AppMessage extends Omit<MessageBody, 'isDated'> {
  id: string;
  direction: 'inbound' | 'outbound';
  /** The customer. */
  contactId: string;
  /** The customer's phone number, or user id, as the message names them. */
  person: string;
  /** The customer's profile name; of what the customer wrote. */
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
 * Which of these messages are stored already, whoever told them. Either direction has an index of its own. $1 account,
 * $2 number, $3 upstream ids
 */
const FIND_STORED = { inbound: stored('inbound'), outbound: stored('outbound') };

/**
 * Stores messages whose customers are locked. What the business wrote was created and sent when it was written. $1
 * account, $2 number, $3 the number's phone, $4 origin, then lists: $5 our ids, $6 upstream ids, $7 directions, $8
 * contacts, $9 the customers' numbers or user ids, $10 names, $11 types, $12 contents, $13 captions, $14 media, $15
 * references, $16 times, $17 states, $18 errors, $19 when it was edited and $20 when it was deleted, before it was told
 */
const STORE = `
  INSERT INTO messages (id, account_id, number_id, contact_id, direction, sender, recipient, profile_name, upstream_id,
    type, content, caption, media_id, reference, state, error, origin, created_at, received_at, accepted_at, sent_at,
    failed_at, edited_at, deleted_at)
  SELECT id, $1, $2, contact_id, direction, CASE direction WHEN 'inbound' THEN person ELSE $3 END,
    CASE direction WHEN 'inbound' THEN $3 ELSE person END, name, upstream_id,
    type, content, caption, media_id, reference, state, error, $4, CASE direction WHEN 'inbound' THEN now() ELSE at END,
    CASE direction WHEN 'inbound' THEN at END, CASE direction WHEN 'outbound' THEN at END,
    CASE WHEN state IN ('sent', 'delivered', 'read') THEN at END, CASE state WHEN 'failed' THEN at END,
    edited_at, deleted_at
  FROM unnest($5::text[], $6::text[], $7::text[], $8::text[], $9::text[], $10::text[], $11::text[], $12::jsonb[],
    $13::text[], $14::text[], $15::jsonb[], $16::timestamptz[], $17::text[], $18::jsonb[], $19::timestamptz[],
    $20::timestamptz[])
    AS message (id, upstream_id, direction, contact_id, person, name, type, content, caption, media_id, reference, at,
      state, error, edited_at, deleted_at)
  ORDER BY id
  ON CONFLICT (id) DO NOTHING
  RETURNING id`;

/** @returns the upstream ids of those of one direction that are stored */
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

/** @returns how many were not there yet */
export async function storeAppMessages(
  tx: Transaction,
  { accountId, id: numberId, phoneNumber }: NumberOwner,
  origin: 'business_app' | 'history',
  messages: readonly AppMessage[],
): Promise<number> {
  if (messages.length === 0) return 0;
  const rows = await tx.query(STORE, [
    accountId,
    numberId,
    phoneNumber,
    origin,
    messages.map(({ id }) => id),
    messages.map(({ upstreamId }) => upstreamId),
    messages.map(({ direction }) => direction),
    messages.map(({ contactId }) => contactId),
    messages.map(({ person }) => person),
    messages.map(({ name }) => name),
    messages.map(({ type }) => type),
    messages.map(({ content }) => content && JSON.stringify(content)),
    messages.map(({ content }) => captionOf(content)),
    messages.map(({ media }) => media?.id ?? null),
    messages.map(({ reference }) => reference && JSON.stringify(reference)),
    messages.map(({ at }) => at),
    messages.map(({ state }) => state),
    messages.map(({ error }) => error && JSON.stringify(error)),
    messages.map(({ editedAt }) => editedAt),
    messages.map(({ deletedAt }) => deletedAt),
  ]);
  return rows.length;
}
