import { isRecipient } from '@switchboard/contracts';
import { query } from '@switchboard/database';
import type { DataSource } from 'typeorm';
import { keysOf } from '../people/person-keys';
import { FIND_BY_FRAGMENT, FIND_PERSON } from './contact-list.queries';

/** A fragment with more hits than this is common: the newest of them are found soon by looking at one after another. */
export const RARE_LIMIT = 1_000;

export interface Fragment {
  accountId: string;
  text: string;
  optedOut?: boolean;
}

/**
 * The ids of all contacts that a fragment finds, newest first; null when there are more than `RARE_LIMIT`. A whole
 * number that a contact has finds that contact alone, in any of its spellings, and so does a whole user id: longer
 * numbers that hold it as well are not looked for.
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
