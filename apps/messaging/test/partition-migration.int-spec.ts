import { newId } from '@switchboard/contracts';
import { createTestDatabase, type TestDatabase } from '@switchboard/testing';
import { migrations } from '../src/migrations';
import { PartitionMessages1763800000000 } from '../src/migrations/1763800000000-partition-messages';

const ACCOUNT = 'acc_1';

describe('the move of messages into months', () => {
  let database: TestDatabase;

  beforeAll(async () => {
    database = await createTestDatabase('messaging', migrations.slice(0, 1));
  });
  afterAll(() => database.drop());

  const sql = <T>(text: string, ...params: unknown[]): Promise<T[]> => database.dataSource.query(text, params);

  it('keeps every message and makes one contact of all that was known of a person', async () => {
    for (const id of ['num_1', 'num_2']) {
      await sql(
        "INSERT INTO numbers (id, account_id, phone_number, phone_number_id, waba_id, sealed_access_token, status, is_primary) VALUES ($1, $2, $1, $1, '1', 'x', 'CONNECTED', false)",
        id,
        ACCOUNT,
      );
    }
    const insert = `INSERT INTO messages (id, account_id, number_id, direction, sender, recipient, type, state, upstream_id, received_at)
      VALUES ($1, $2, 'num_1', $3, $4, $5, 'text', $6, $1, CASE $3 WHEN 'inbound' THEN now() END)`;
    const ids = Array.from({ length: 4 }, () => newId('msg'));
    await sql(insert, ids[0], ACCOUNT, 'inbound', '551187654321', '1', 'received');
    await sql(insert, ids[1], ACCOUNT, 'outbound', '1', '5511987654321', 'delivered');
    await sql(insert, ids[2], ACCOUNT, 'inbound', 'US.42', '1', 'received');
    await sql(insert, ids[3], ACCOUNT, 'outbound', '1', '5511987654321', 'unknown');
    const contact = `INSERT INTO contacts (id, account_id, number_id, phone, user_id, profile_name, last_inbound_at) VALUES ($1, $2, $3, $4, $5, $6, now() - interval '1 hour')`;
    await sql(contact, newId('ct'), ACCOUNT, 'num_1', '551187654321', 'US.7', 'Ana');
    await sql(contact, newId('ct'), ACCOUNT, 'num_2', '551187654321', null, null);
    await sql(contact, newId('ct'), ACCOUNT, 'num_1', 'US.42', 'US.42', 'Bo');

    const runner = database.dataSource.createQueryRunner();
    await runner.startTransaction();
    await new PartitionMessages1763800000000().up(runner);
    await runner.commitTransaction();
    await runner.release();

    expect(await sql('SELECT phone, phone_key, user_id, profile_name FROM contacts ORDER BY profile_name')).toEqual([
      { phone: '551187654321', phone_key: '551187654321', user_id: 'US.7', profile_name: 'Ana' },
      { phone: null, phone_key: null, user_id: 'US.42', profile_name: 'Bo' },
    ]);
    const moved = await sql(
      'SELECT messages.id, state, profile_name FROM messages JOIN contacts ON contacts.id = contact_id ORDER BY messages.id'.replace(
        'profile_name',
        'contacts.profile_name',
      ),
    );
    expect(moved).toEqual([
      { id: ids[0], state: 'received', profile_name: 'Ana' },
      { id: ids[1], state: 'delivered', profile_name: 'Ana' },
      { id: ids[2], state: 'received', profile_name: 'Bo' },
      { id: ids[3], state: 'unknown', profile_name: 'Ana' },
    ]);
    expect(await sql('SELECT number_id FROM service_windows ORDER BY number_id, last_inbound_at')).toEqual([
      { number_id: 'num_1' },
      { number_id: 'num_1' },
      { number_id: 'num_2' },
    ]);
    expect(await sql('SELECT message_count, unread_count FROM conversations ORDER BY message_count DESC')).toEqual([
      { message_count: 2, unread_count: 0 },
      { message_count: 1, unread_count: 1 },
    ]);
    const totals = await sql<{ list: string; total: number }>(
      'SELECT list, sum(total)::int AS total FROM list_totals GROUP BY list ORDER BY list',
    );
    expect(totals.map(({ list, total }) => `${list} ${total}`)).toEqual([
      'contacts 2',
      'conversations 2',
      'inbound 2',
      'outbound 1',
    ]);
    expect(
      await sql("SELECT to_regclass('old_messages') AS messages, to_regclass('old_contacts') AS contacts"),
    ).toEqual([{ messages: null, contacts: null }]);
  });
});
