import { query } from '@switchboard/database';
import type { DataSource } from 'typeorm';
import { FIND_BY_FRAGMENT } from './contact-list.queries';

/** A fragment with more hits than this is common: the newest of them are found soon by looking at one after another. */
export const RARE_LIMIT = 1_000;

export interface Fragment {
  accountId: string;
  text: string;
  optedOut?: boolean;
}

/** The ids of all contacts that a fragment finds, newest first; null when there are more than `RARE_LIMIT`. */
export async function findRare(dataSource: DataSource, { accountId, text, optedOut }: Fragment): Promise<string[] | null> {
  const found = await query<{ id: string }>(dataSource, FIND_BY_FRAGMENT, [accountId, text, optedOut ?? null, RARE_LIMIT + 1]);
  if (found.length > RARE_LIMIT) return null;
  return found
    .map(({ id }) => id)
    .sort()
    .reverse();
}
