import { newId } from '@switchboard/contracts';
import { migrations } from '../apps/messaging/src/migrations';
import { createBenchDatabase, withClient } from './harness/database';

export const PHONE_NUMBER_ID = '200000000000002';

const INSERT_NUMBER = `
  INSERT INTO numbers (id, account_id, phone_number, phone_number_id, waba_id, sealed_access_token, status, is_primary)
  VALUES ($1, $2, '15550783881', '${PHONE_NUMBER_ID}', '100000000000001', 'v1.none', 'CONNECTED', true)`;
const INSERT_CONTACT =
  "INSERT INTO contacts (id, account_id, phone, phone_key) VALUES ($1, $2, '919812345678', '919812345678')";
const INSERT_MESSAGES = `
  INSERT INTO messages (id, account_id, number_id, contact_id, direction, sender, recipient, type, content, state,
    upstream_id, accepted_at)
  SELECT id, $1, $2, $3, 'outbound', '15550783881', '919812345678', 'text', '{"body":"Hello"}', 'accepted',
    'wamid.' || id, now()
  FROM unnest($4::text[]) AS id`;
/** Baseline table that stores nothing but a status per message. */
const MAKE_FLOOR = `
  CREATE TABLE floor (id text PRIMARY KEY, upstream_id text NOT NULL UNIQUE, body jsonb, status text NOT NULL, updated_at timestamptz NOT NULL DEFAULT now())`;
const FILL_FLOOR = `INSERT INTO floor (id, upstream_id, body, status) SELECT id, 'wamid.' || id, '{"body":"Hello"}', 'accepted' FROM unnest($1::text[]) AS id`;
export const FLOOR_UPDATE = 'UPDATE floor SET status = $2, updated_at = $3 WHERE upstream_id = $1';

/**
 * Creates a separate database with accepted messages, and the same messages in a plain table.
 * @returns its URL and the ids of the messages
 */
export async function prepareDatabase(serverUrl: string, count: number): Promise<{ url: string; ids: string[] }> {
  const url = await createBenchDatabase(serverUrl, { schema: 'messaging', migrations });
  const ids = Array.from({ length: count }, () => newId('msg'));
  const [accountId, numberId, contactId] = [newId('acc'), newId('num'), newId('ct')];
  await withClient(url, async (client) => {
    await client.query('SET search_path TO messaging');
    await client.query(INSERT_NUMBER, [numberId, accountId]);
    await client.query(INSERT_CONTACT, [contactId, accountId]);
    await client.query(INSERT_MESSAGES, [accountId, numberId, contactId, ids]);
    await client.query(MAKE_FLOOR);
    await client.query(FILL_FLOOR, [ids]);
    await client.query('ANALYZE');
  });
  return { url, ids };
}
