import { isParentUserId } from '@switchboard/contracts';
import { query } from '@switchboard/database';
import type { DataSource } from 'typeorm';
import { idOfPerson } from './person-keys';

/** $1 account, $2 parent user id */
const FIND_OWN_ID = `
  SELECT COALESCE(user_id, phone) AS person FROM contacts
  WHERE account_id = $1 AND id = ANY (ARRAY${idOfPerson('$1', 'NULL', '$2')})`;

/**
 * Returns the business's own identifier of a known contact that was given by the user id that several businesses share;
 * any other identifier unchanged.
 */
export async function ownIdOf(dataSource: DataSource, accountId: string, person: string): Promise<string> {
  if (!isParentUserId(person)) return person;
  const [row] = await query<{ person: string }>(dataSource, FIND_OWN_ID, [accountId, person]);
  return row?.person ?? person;
}
