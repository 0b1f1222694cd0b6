import { randomUUID } from 'node:crypto';
import { eventually } from '@switchboard/testing';
import pg from 'pg';
import { newAccount, type TestAccount } from './support/account';
import { post } from './support/api';
import { done, readKept } from './support/installation';
import { control, freshPhone, writeInAny } from './support/simulator';
import { approved } from './support/templates';

interface Person {
  phone: string;
  userId: string;
  parentUserId: string;
  username: string;
  name: string;
}

/**
 * Lists the columns of all tables, with bytes converted to text. Excludes copies of published messages, which expire
 * within minutes (ADR 54).
 */
const COLUMNS = `
  SELECT table_schema || '.' || table_name AS table, array_agg(
    CASE data_type WHEN 'bytea' THEN 'encode(' || quote_ident(column_name) || ', ''escape'')'
    ELSE quote_ident(column_name) || '::text' END) AS columns
  FROM information_schema.columns JOIN information_schema.tables USING (table_schema, table_name)
  WHERE table_type = 'BASE TABLE' AND table_schema NOT IN ('pg_catalog', 'information_schema')
    AND table_name <> 'published'
  GROUP BY table_schema, table_name ORDER BY 1`;

describe('the erasure of a contact', () => {
  let account: TestAccount;
  let database: pg.Client;

  beforeAll(async () => {
    account = await newAccount('Erasure');
    await approved(account, ['hello_world', 'verification_code']);
    database = new pg.Client({ connectionString: readKept<{ postgres: { url: string } }>('infra.json').postgres.url });
    await database.connect();
  }, 120_000);
  afterAll(() => database.end());

  const template = { name: 'hello_world', language: { code: 'en_US' } };
  const call = async (path: string, body: object): Promise<Record<string, unknown>> => {
    const headers = { 'idempotency-key': randomUUID() };
    return (await post(path, body, { apiKey: account.apiKey, headers })).body;
  };

  /** Returns the tables with rows that contain any of the texts. */
  async function tablesWith(texts: readonly string[]): Promise<string[]> {
    const { rows } = await database.query<{ table: string; columns: string[] }>(COLUMNS);
    const found: string[] = [];
    for (const { table, columns } of rows) {
      const sql = `SELECT 1 FROM ${table} WHERE concat_ws(' ', ${columns.join(', ')}) LIKE ANY ($1) LIMIT 1`;
      if ((await database.query(sql, [texts.map((text) => `%${text}%`)])).rowCount !== 0) found.push(table);
    }
    return found;
  }

  async function newPerson(): Promise<Person> {
    const phone = freshPhone();
    const [username, name] = [`erased.${phone.slice(-8)}`, `Erased ${phone.slice(-8)}`];
    const wanted = { phone, name, username: `@${username}`, hidePhone: true, parentUserId: true };
    return { ...(await control<Person>('POST', '/people', wanted)), username, name };
  }

  it.each(['phone', 'userId', 'parentUserId'] as const)(
    'removes every identifier from all tables, given a %s',
    async (given) => {
      const person = await newPerson();
      const { phone, userId, parentUserId } = person;
      const write = (more: object) =>
        writeInAny({ from: phone, to: account.phoneNumber, type: 'text', text: { body: 'Hello' }, ...more });
      await write({});
      const isKnown = async (name: string): Promise<void> =>
        expect((await account.api.listMessages({ phone: name })).messages.length).toBeGreaterThan(0);
      await eventually(() => isKnown(userId));
      const text = { type: 'text', text: { body: 'Hi' } };
      for (const to of [userId, parentUserId])
        expect(await call('/messages/send', { to, ...text })).toMatchObject({ success: true });
      const clientRef = 'x'.repeat(129);
      const job = { type: 'template', template, recipients: [userId, { to: parentUserId, clientRef }] };
      const held = await call('/messages/send/bulk', { ...job, hold: true });
      expect(held).toMatchObject({ accepted: 1, rejected: 1 });
      const { jobId } = await call('/messages/send/bulk', { ...job, recipients: [parentUserId] });
      await eventually(async () =>
        expect((await account.api.getJob({ jobId: String(jobId) })).job).toMatchObject({
          status: 'completed',
          read: 1,
        }),
      );
      // From now on the platform reports the phone number, so the contact has all identifiers.
      await write({ hidePhone: false });
      await eventually(() => isKnown(phone));
      expect(await call('/messages/send', { to: phone, ...text })).toMatchObject({ success: true });
      await call(`/contacts/${userId}/block`, {});
      await eventually(async () => {
        const { messages } = await account.api.listMessages({ phone, direction: 'outbound' });
        expect(messages.map(({ status }) => status)).toEqual(['read', 'read', 'read', 'read']);
      });
      const names = Object.values(person).filter((name) => typeof name === 'string');
      expect((await tablesWith(names)).length).toBeGreaterThan(5);
      const words = ['--account', account.accountId, '--phone', person[given], '--yes'];
      expect(await done('contacts', 'erase', ...words)).toMatchObject({ messages: 6, recipients: 3 });
      expect(await tablesWith(names)).toEqual([]);
    },
    60_000,
  );
});
