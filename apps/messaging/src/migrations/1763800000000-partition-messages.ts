import { canonicalPhone, newId } from '@switchboard/contracts';
import type { MigrationInterface, QueryRunner } from 'typeorm';
import { firstPartitions } from '../messages/message-partitions';
import { contactIndexes, contactTables, searchFunctions } from './contact-tables';
import { messageTriggers } from './message-triggers';
import { createMessages, moveMessages, setOldTablesAside } from './partitioned-messages';

/** Whom an account wrote with, by the name under which messages hold them, and what is known of them. */
const FIND_CUSTOMERS = `
  SELECT account_id AS "accountId", customer, max(user_id) AS "userId", max(profile_name) AS "profileName", min(since) AS since
  FROM (
    SELECT account_id, customer, NULL AS user_id, NULL AS profile_name, created_at AS since FROM old_messages
    UNION ALL
    SELECT account_id, phone, user_id, profile_name, created_at FROM old_contacts
  ) AS known
  GROUP BY account_id, customer ORDER BY min(since)`;

interface Customer {
  accountId: string;
  customer: string;
  userId: string | null;
  profileName: string | null;
  since: Date;
}

const INSERT_CONTACT = `
  INSERT INTO contacts (id, account_id, phone, phone_key, user_id, profile_name, created_at) VALUES ($1, $2, $3, $4, $5, $6, $7)
  ON CONFLICT DO NOTHING`;

const NAME_CUSTOMER = `
  INSERT INTO customers (account_id, customer, contact_id)
  SELECT $1, $2, id FROM contacts WHERE account_id = $1 AND (phone_key = $3 OR user_id = $4) ORDER BY phone_key = $3 DESC NULLS LAST LIMIT 1`;

/** The window of a number that only notices came in on stays shut. */
const MOVE_WINDOWS = `
  INSERT INTO service_windows (number_id, contact_id, account_id, last_inbound_at)
  SELECT number_id, contact_id, min(account_id), max(last_inbound_at)
  FROM old_contacts JOIN customers USING (account_id) WHERE customer = phone AND last_inbound_at IS NOT NULL
  GROUP BY number_id, contact_id
  ON CONFLICT (number_id, contact_id) DO UPDATE SET last_inbound_at = EXCLUDED.last_inbound_at`;

const PART_ROWS = 5_000;
const PHONE = /^[1-9][0-9]{7,14}$/;

/** Messages in monthly parts, contacts once per account, conversations and totals beside them. */
export class PartitionMessages1763800000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    for (const sql of [...setOldTablesAside, ...createMessages(firstPartitions(new Date())), ...contactTables])
      await runner.query(sql);
    for (const sql of [...searchFunctions, ...contactIndexes, ...messageTriggers]) await runner.query(sql);
    await runner.query(
      'CREATE TEMPORARY TABLE customers (account_id text, customer text, contact_id text, PRIMARY KEY (account_id, customer)) ON COMMIT DROP',
    );
    for (const customer of (await runner.query(FIND_CUSTOMERS)) as Customer[]) await moveCustomer(runner, customer);
    await moveMessagesInParts(runner);
    for (const sql of [MOVE_WINDOWS, 'DROP TABLE old_messages, old_contacts']) await runner.query(sql);
  }

  /** Forward only: what was received since cannot be put back under the old keys. */
  async down(): Promise<void> {
    throw new Error('messages cannot be put back into one table');
  }
}

/** The triggers hold the rows of one statement in memory. */
async function moveMessagesInParts(runner: QueryRunner): Promise<void> {
  let last: string | undefined = '';
  while (last !== undefined) {
    const moved = (await runner.query(moveMessages, [last, PART_ROWS])) as { id: string }[];
    last = moved.at(-1)?.id;
  }
}

async function moveCustomer(
  runner: QueryRunner,
  { accountId, customer, userId, profileName, since }: Customer,
): Promise<void> {
  const phone = PHONE.test(customer) ? customer : null;
  const key = phone && canonicalPhone(phone);
  const user = userId ?? (phone ? null : customer);
  await runner.query(INSERT_CONTACT, [newId('ct'), accountId, phone, key, user, profileName, since]);
  await runner.query(NAME_CUSTOMER, [accountId, customer, key, user]);
}
