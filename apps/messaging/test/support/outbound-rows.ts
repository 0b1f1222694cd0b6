import { newId } from '@switchboard/contracts';
import type { DataSource } from 'typeorm';
import type { OutboundState } from '../../src/messages/message-state';
import { CUSTOMER, type TestAccount } from './start-messaging';

const MAKE_CONTACT = `
  INSERT INTO contacts (id, account_id, phone, phone_key) VALUES ($1, $2, $3, $3)
  ON CONFLICT (account_id, phone_key) WHERE phone_key IS NOT NULL DO UPDATE SET phone = EXCLUDED.phone RETURNING id`;

const INSERT = `
  INSERT INTO messages (id, account_id, number_id, contact_id, direction, sender, recipient, type, content, state,
    upstream_id, sending_since, send_attempts,
    created_at, sent_at, delivered_at, read_at, failed_at)
  SELECT id, $1, $2, $6, 'outbound', $3, $7, 'text', '{"body":"Hello"}', state, 'wamid.' || id, now(), 1,
    CASE WHEN state IN ('sending', 'unknown') THEN now() ELSE $8::timestamptz END,
    CASE state WHEN 'sent' THEN $8 END, CASE state WHEN 'delivered' THEN $8 END, CASE state WHEN 'read' THEN $8
      END, CASE state WHEN 'failed' THEN $8 END
  FROM unnest($4::text[], $5::text[]) AS message (id, state)`;

/**
 * Time at which settled messages were created and reached their state, without passing through earlier states.
 * Unsettled messages are new.
 */
export const CREATED_AT = '2026-09-26T10:00:00.000Z';

/**
 * Inserts outbound messages, one per state, with the upstream ids `wamid.<id>`.
 * @returns their ids
 */
export async function insertOutbound(
  dataSource: DataSource,
  account: TestAccount,
  states: readonly OutboundState[],
  to = CUSTOMER,
): Promise<string[]> {
  const ids = states.map(() => newId('msg'));
  const { accountId, numberId, phoneNumber } = account;
  const [contact] = await dataSource.query<{ id: string }[]>(MAKE_CONTACT, [newId('ct'), accountId, to]);
  await dataSource.query(INSERT, [accountId, numberId, phoneNumber, ids, states, contact?.id, to, CREATED_AT]);
  return ids;
}
