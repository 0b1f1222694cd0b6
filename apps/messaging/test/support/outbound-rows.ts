import { newId } from '@switchboard/contracts';
import type { DataSource } from 'typeorm';
import type { OutboundState } from '../../src/messages/message-state';
import type { TestAccount } from './start-messaging';

const INSERT = `
  INSERT INTO messages (id, account_id, number_id, direction, sender, recipient, type, content, state, upstream_id, sending_since, send_attempts)
  SELECT id, $1, $2, 'outbound', $3, '919812345678', 'text', '{"body":"Hello"}', state, 'wamid.' || id, now(), 1
  FROM unnest($4::text[], $5::text[]) AS message (id, state)`;

/** Messages that were sent before, one per state; their upstream identifiers are `wamid.<id>`. @returns their ids */
export async function insertOutbound(dataSource: DataSource, account: TestAccount, states: readonly OutboundState[]): Promise<string[]> {
  const ids = states.map(() => newId('msg'));
  await dataSource.query(INSERT, [account.accountId, account.numberId, account.phoneNumber, ids, states]);
  return ids;
}
