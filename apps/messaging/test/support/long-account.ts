import { firstIdAt } from '@switchboard/contracts';
import type { DataSource } from 'typeorm';
import type { TestAccount } from './start-messaging';

/**
 * Generates ids in the order of `n`: the prefix of an id of that time, followed by the number in the alphabet of ids.
 */
const INSERT = `
  INSERT INTO messages (id, account_id, number_id, contact_id, direction, sender, recipient, type, content, state,
    upstream_id, sending_since, send_attempts)
  SELECT id, $2, $3, $4, 'outbound', $5, '919812345678', 'text', '{"body":"Hello"}', CASE WHEN n <= $7 THEN 'sent'
    ELSE 'read' END, 'wamid.' || id, now(), 1
  FROM (SELECT n, left($1, 20) || lpad(to_hex(n), 10, '0') AS id FROM generate_series(1, $6::int) AS n) AS numbered`;

export interface LongAccount {
  count: number;
  /** Number of the oldest messages whose last status is `sent`. All others are read. */
  sent: number;
  /** Time at which the messages were sent. */
  at: Date;
  contactId: string;
}

/** Adds messages that were sent within one second, together with the data that triggers would derive. */
export async function addManyMessages(
  dataSource: DataSource,
  { accountId, numberId, phoneNumber }: TestAccount,
  { count, sent, at, contactId }: LongAccount,
): Promise<void> {
  await dataSource.query('ALTER TABLE messages DISABLE TRIGGER USER');
  await dataSource.query(INSERT, [
    firstIdAt('msg', at.getTime()),
    accountId,
    numberId,
    contactId,
    phoneNumber,
    count,
    sent,
  ]);
  await dataSource.query('ALTER TABLE messages ENABLE TRIGGER USER');
  await dataSource.query("INSERT INTO list_totals (account_id, list, slot, total) VALUES ($1, 'outbound', 99, $2)", [
    accountId,
    count,
  ]);
  await dataSource.query('ANALYZE messages');
}
