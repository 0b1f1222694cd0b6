import { idOfPerson } from '../people/person-keys';

/** A message that another one refers to. */
export interface ReferredRow {
  /** Null where the upstream platform did not take it. */
  upstreamId: string | null;
  direction: 'inbound' | 'outbound';
  type: string;
  /** When it was written. */
  at: Date;
}

const COLUMNS = `upstream_id AS "upstreamId", direction, type, COALESCE(received_at, messages.created_at) AS at`;
/**
 * SQL: of the account, between its number and the person. $1 account, $3 number, $4 the person's match key or null, $5
 * user id or null
 */
const IN_CONVERSATION = `
  messages.account_id = $1 AND number_id = $3
    AND contact_id = ANY (ARRAY${idOfPerson('$1', '$4', '$5')})`;

/** By our id. $1 account, $2 id, $3 number, $4 and $5 the person's keys */
export const FIND_REFERRED = `SELECT ${COLUMNS} FROM messages WHERE messages.id = $2 AND ${IN_CONVERSATION}`;

/** By the upstream's identifier; either direction has an index of its own. $2 identifier, the others as above */
export const FIND_REFERRED_BY_UPSTREAM_ID = ['inbound', 'outbound']
  .map(
    (direction) =>
      `SELECT ${COLUMNS} FROM messages WHERE upstream_id = $2 AND direction = '${direction}' AND ${IN_CONVERSATION}`,
  )
  .join(' UNION ALL ');
