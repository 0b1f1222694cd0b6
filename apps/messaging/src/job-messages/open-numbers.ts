import { preparedQuery } from '@switchboard/database';
import type { DataSource } from 'typeorm';
import { WINDOW_IS_OPEN } from '../messages/service-window';
import { idOfPerson, keysOf } from '../people/person-keys';

/**
 * Finds a number among $2 with an open window for each contact: $5 if possible, else the one with the latest window.
 * $1 account, $2 numbers, $3 match keys and $4 user ids of the contacts, $5 preferred number
 */
const FIND_OPEN_NUMBERS = `
  SELECT DISTINCT ON (place) place::int - 1 AS index, phone_number AS "phoneNumber"
  FROM unnest($3::text[], $4::text[]) WITH ORDINALITY AS given (phone_key, user_id, place)
  JOIN service_windows ON contact_id = ANY (ARRAY(${idOfPerson('$1', 'given.phone_key', 'given.user_id')}))
    AND ${WINDOW_IS_OPEN}
  JOIN numbers ON numbers.id = number_id AND numbers.account_id = $1 AND removed_at IS NULL AND stopped_at IS NULL
    AND phone_number = ANY ($2::text[])
  ORDER BY place, phone_number = $5 DESC, last_inbound_at DESC`;

interface Windows {
  accountId: string;
  preferred: string | undefined;
  numbers: readonly string[];
  people: readonly string[];
}

/** Returns a number with an open window for each of the contacts that have one, by phone number or user id. */
export async function findOpenNumbers(
  dataSource: DataSource,
  { accountId, preferred, numbers, people }: Windows,
): Promise<Map<string, string>> {
  if (people.length === 0) return new Map();
  const keys = people.map(keysOf);
  const found = await preparedQuery<{ index: number; phoneNumber: string }>(dataSource, FIND_OPEN_NUMBERS, [
    accountId,
    numbers,
    keys.map(({ phoneKey }) => phoneKey),
    keys.map(({ userId }) => userId),
    preferred ?? null,
  ]);
  return new Map(found.map(({ index, phoneNumber }) => [people[index] ?? '', phoneNumber]));
}
