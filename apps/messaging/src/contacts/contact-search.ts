import { isRecipient } from '@switchboard/contracts';
import { query } from '@switchboard/database';
import type { DataSource } from 'typeorm';
import { keysOf } from '../people/person-keys';
import { FIND_BY_FRAGMENT, FIND_PERSON } from './contact-list.queries';

/**
 * Maximum number of matches of a rare fragment. The newest matches of a more common fragment are found quickly by
 * scanning the list.
 */
export const RARE_LIMIT = 1_000;

export interface Fragment {
  accountId: string;
  text: string;
  optedOut?: boolean;
}

/**
 * Returns the ids of all contacts that match a fragment, newest first, or null if there are more than `RARE_LIMIT`. A
 * complete phone number (any equivalent format) or user id matches only its own contact, not longer numbers that
 * contain it.
 */
export async function findRare(
  dataSource: DataSource,
  { accountId, text, optedOut }: Fragment,
): Promise<string[] | null> {
  const digits = text.replace(/[\s+]/g, '');
  const { phoneKey, userId } = keysOf(digits);
  const owner = isRecipient(digits)
    ? await query<{ id: string }>(dataSource, FIND_PERSON, [accountId, phoneKey, userId, optedOut ?? null])
    : [];
  if (owner.length > 0) return owner.map(({ id }) => id);
  const found = await query<{ id: string }>(dataSource, FIND_BY_FRAGMENT, [
    accountId,
    text,
    optedOut ?? null,
    RARE_LIMIT + 1,
  ]);
  if (found.length > RARE_LIMIT) return null;
  return found
    .map(({ id }) => id)
    .sort()
    .reverse();
}
