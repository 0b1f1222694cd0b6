import { query } from '@switchboard/database';
import type { DataSource } from 'typeorm';
import { labelKey } from './label.entity';
import { CONTACTS_WITH_LABEL, FIND_LABEL, HAVING_LABEL } from './labels.queries';

/** Maximum number of contacts of a rare label. Conversations of a more common one are found by scanning the list. */
const RARE_LIMIT = 1_000;

const idOf = ({ id }: { id: string }): string => id;

/** Returns the id of the label with this name, ignoring case; undefined if the account has none. */
export async function findLabel(dataSource: DataSource, accountId: string, name: string): Promise<string | undefined> {
  return (await query<{ id: string }>(dataSource, FIND_LABEL, [accountId, labelKey(name)]))[0]?.id;
}

/** Returns those of the contacts that have the label, in the same order. */
export async function withLabel(
  dataSource: DataSource,
  { accountId, labelId, contactIds }: { accountId: string; labelId: string; contactIds: readonly string[] },
): Promise<string[]> {
  const rows = await query<{ id: string }>(dataSource, HAVING_LABEL, [accountId, labelId, contactIds]);
  const having = new Set(rows.map(idOf));
  return contactIds.filter((id) => having.has(id));
}

/** Returns the ids of all contacts with the label, or null if there are more than `RARE_LIMIT`. */
export async function contactsWithLabel(
  dataSource: DataSource,
  accountId: string,
  labelId: string,
): Promise<string[] | null> {
  const rows = await query<{ id: string }>(dataSource, CONTACTS_WITH_LABEL, [accountId, labelId, RARE_LIMIT + 1]);
  return rows.length > RARE_LIMIT ? null : rows.map(idOf);
}
