import { batchOf, columnsOf } from '@switchboard/database';
import { Message } from '../messages/message.entity';

/** Seconds that `FIND_STORED` scans: the lowest id of each and of the following second. */
export const SECONDS = batchOf({ first: 'text', next: 'text' }, { from: 6 });

/**
 * Finds stored messages at any position in their second. $1 account, $2 number, $3 lower bound of the ids, $4 exclusive
 * upper bound, $5 upstream ids, then `SECONDS`
 */
export const FIND_STORED = `
  SELECT upstream_id AS "upstreamId" FROM ${SECONDS.unnest('second')}
  JOIN messages ON messages.id >= second.first AND messages.id < second.next
  -- Overall bounds let the planner exclude other partitions.
  WHERE messages.id >= $3 AND messages.id < $4 AND account_id = $1 AND number_id = $2 AND settled
    AND direction = 'inbound' AND upstream_id = ANY ($5::text[])`;

/**
 * Finds messages without a time of their own by contact, because each report assigns them to another second.
 * $1 account, $2 contacts, $3 upstream ids
 */
export const FIND_UNDATED = `
  SELECT upstream_id AS "upstreamId" FROM messages
  WHERE account_id = $1 AND contact_id = ANY ($2::text[]) AND direction = 'inbound' AND upstream_id = ANY ($3::text[])
  UNION
  SELECT upstream_id FROM messages
  WHERE account_id = $1 AND group_id IS NOT NULL AND author_id = ANY ($2::text[]) AND upstream_id = ANY ($3::text[])`;

export const INBOUND = batchOf(
  columnsOf(Message, [
    'id',
    'upstreamId',
    'sender',
    'profileName',
    'type',
    'content',
    'receivedAt',
    'contactId',
    'caption',
    'mediaId',
    'reference',
    'groupId',
    'authorId',
    'editedAt',
    'deletedAt',
  ]),
  { from: 4 },
);

/**
 * Stores inbound messages whose contacts are locked, and returns the ids of the new ones. $1 account, $2 number, $3 the
 * number's phone, then `INBOUND`
 */
export const STORE_INBOUND = `
  INSERT INTO messages (account_id, number_id, direction, recipient, state, ${INBOUND.names})
  SELECT $1, $2, 'inbound', $3, 'received', ${INBOUND.names} FROM ${INBOUND.unnest('message')}
  ORDER BY id
  ON CONFLICT (id) DO NOTHING
  RETURNING id`;
