import { idOfPerson } from '../people/person-keys';

/** A message to which another one refers. */
export interface ReferredRow {
  /** Null if the upstream platform did not accept it. */
  upstreamId: string | null;
  direction: 'inbound' | 'outbound';
  type: string;
  at: Date;
}

const COLUMNS = `upstream_id AS "upstreamId", direction, type, COALESCE(received_at, messages.created_at) AS at`;
/**
 * SQL condition: the message belongs to the account and to the conversation between its number and the contact.
 * $1 account, $3 number, $4 the contact's match key or null, $5 user id or null
 */
const IN_CONVERSATION = `
  messages.account_id = $1 AND number_id = $3
    AND contact_id = ANY (ARRAY${idOfPerson('$1', '$4', '$5')})`;

/** Finds the message by internal id. $1 account, $2 id, $3 number, $4 and $5 the contact's keys */
export const FIND_REFERRED = `SELECT ${COLUMNS} FROM messages WHERE messages.id = $2 AND ${IN_CONVERSATION}`;

/**
 * Finds the message by upstream id. Each direction has its own index. $2 upstream id, other parameters as in
 * `FIND_REFERRED`
 */
export const FIND_REFERRED_BY_UPSTREAM_ID = ['inbound', 'outbound']
  .map(
    (direction) =>
      `SELECT ${COLUMNS} FROM messages WHERE upstream_id = $2 AND direction = '${direction}' AND ${IN_CONVERSATION}`,
  )
  .join(' UNION ALL ');
