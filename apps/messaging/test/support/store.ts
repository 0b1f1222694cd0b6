import { canonicalPhone, newId } from '@switchboard/contracts';
import { createTestDatabase, type TestDatabase } from '@switchboard/testing';
import { inboundMessageId } from '../../src/messages/message-id';
import { migrations } from '../../src/migrations';

export interface StoredAccount {
  accountId: string;
  numberId: string;
}

export interface StoredMessage {
  with: string;
  direction?: 'inbound' | 'outbound';
  state?: string;
  at?: Date;
  type?: string;
  content?: object;
  jobId?: string;
}

export interface TestStore extends TestDatabase {
  addAccount(): Promise<StoredAccount>;
  /**
   * Adds a number to the account.
   * @returns the account with that number as its sender
   */
  addNumber(account: StoredAccount): Promise<StoredAccount & { phoneNumber: string }>;
  /**
   * Adds a contact.
   * @returns the id of the contact
   */
  addContact(
    account: StoredAccount,
    phone: string,
    fields?: { name?: string; profileName?: string; optedOut?: boolean },
  ): Promise<string>;
  /**
   * Inserts messages in one statement, in the form that sends and callbacks leave them.
   * @returns their ids
   */
  addMessages(account: StoredAccount, messages: readonly StoredMessage[]): Promise<string[]>;
  totals(account: StoredAccount): Promise<Record<string, number>>;
}

const INSERT = `
  INSERT INTO messages (id, account_id, number_id, contact_id, direction, sender, recipient, type, content, state,
    received_at, job_id, upstream_id, created_at, sending_since)
  SELECT message.id, $1, $2, contacts.id, direction, CASE direction WHEN 'inbound' THEN phone ELSE '15550783881' END,
    CASE direction WHEN 'inbound' THEN '15550783881' ELSE phone END, type, content, state, CASE direction
      WHEN 'inbound' THEN at END, job_id, 'wamid.' || message.id, at, at
  FROM unnest($3::text[], $4::text[], $5::text[], $6::text[], $7::jsonb[], $8::text[], $9::timestamptz[], $10::text[])
    AS message (id, key, direction, type, content, state, at, job_id)
  JOIN contacts ON contacts.account_id = $1 AND phone_key = key`;

/** Creates a database with the messaging schema, without the service. */
export async function createStore(): Promise<TestStore> {
  const database = await createTestDatabase('messaging', migrations);
  const { dataSource } = database;
  let count = 0;
  const addContact: TestStore['addContact'] = async ({ accountId }, phone, fields = {}) => {
    const { name = null, profileName = null, optedOut = false } = fields;
    const sql = `INSERT INTO contacts (id, account_id, phone, phone_key, name, profile_name, opted_out) VALUES ($1, $2, $3, $4, $5, $6, $7)
      ON CONFLICT (account_id, phone_key) WHERE phone_key IS NOT NULL DO UPDATE SET phone = EXCLUDED.phone
        RETURNING id`;
    const [row] = await dataSource.query<{ id: string }[]>(sql, [
      newId('ct'),
      accountId,
      phone,
      canonicalPhone(phone),
      name,
      profileName,
      optedOut,
    ]);
    return row?.id ?? '';
  };
  return {
    ...database,
    addContact,
    addNumber: async ({ accountId }) => {
      count += 1;
      const [numberId, phoneNumber] = [newId('num'), `1555099${3_000 + count}`];
      const sql = `INSERT INTO numbers (id, account_id, phone_number, phone_number_id, waba_id, sealed_access_token, status, is_primary) VALUES ($1, $2, $3, $3, '1', 'v1.x', 'CONNECTED', false)`;
      await dataSource.query(sql, [numberId, accountId, phoneNumber]);
      return { accountId, numberId, phoneNumber };
    },
    addAccount: async () => {
      count += 1;
      const account = { accountId: newId('acc'), numberId: newId('num') };
      const sql = `INSERT INTO numbers (id, account_id, phone_number, phone_number_id, waba_id, sealed_access_token, status, is_primary) VALUES ($1, $2, $3, $3, '1', 'v1.x', 'CONNECTED', true)`;
      await dataSource.query(sql, [account.numberId, account.accountId, `1555078${3_000 + count}`]);
      return account;
    },
    addMessages: async (account, messages) => {
      for (const phone of new Set(messages.map((message) => message.with))) await addContact(account, phone);
      const rows = messages.map((message) => {
        count += 1;
        const { direction = 'outbound', at = new Date(), type = 'text' } = message;
        const id = inboundMessageId({ numberId: account.numberId, upstreamId: String(count), at });
        return {
          id,
          ...message,
          direction,
          at,
          type,
          content: message.content ?? { body: 'Hello' },
          state: message.state ?? (direction === 'inbound' ? 'received' : 'sent'),
        };
      });
      const column = (read: (row: (typeof rows)[number]) => unknown) => rows.map(read);
      await dataSource.query(INSERT, [
        account.accountId,
        account.numberId,
        column(({ id }) => id),
        column((row) => canonicalPhone(row.with)),
        column(({ direction }) => direction),
        column(({ type }) => type),
        column(({ content }) => JSON.stringify(content)),
        column(({ state }) => state),
        column(({ at }) => at),
        column(({ jobId }) => jobId ?? null),
      ]);
      return rows.map(({ id }) => id);
    },
    totals: async ({ accountId }) => {
      const sql = 'SELECT list, sum(total)::int AS total FROM list_totals WHERE account_id = $1 GROUP BY list';
      const rows = await dataSource.query<{ list: string; total: number }[]>(sql, [accountId]);
      return Object.fromEntries(rows.map(({ list, total }) => [list, total]));
    },
  };
}

export const minutesAgo = (minutes: number): Date => new Date(Date.now() - minutes * 60_000);
