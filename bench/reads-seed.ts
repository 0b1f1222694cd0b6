import { newId } from '@switchboard/contracts';
import { dataSourceOptions, runMigrations } from '@switchboard/database';
import { randomBytes } from 'node:crypto';
import { DataSource } from 'typeorm';
import { inboundMessageId } from '../apps/messaging/src/messages/message-id';
import { migrations } from '../apps/messaging/src/migrations';
import { SKIP_SEARCH_STATISTICS } from '../apps/messaging/src/migrations/1764500000010-create-messaging';

const BATCH = 10_000;
const DAYS = 50;
const DAY_MS = 86_400_000;
const MESSAGES_PER_PERSON = 5;
const NAMES = ['Asha', 'Bo', 'Chen', 'Dana', 'Emil', 'Fatima', 'Goran', 'Hana', 'Ines', 'Jun'];
/** Name whose number of contacts is the same at any size. */
export const RARE_NAME = 'Zora Quill';
const RARE_PEOPLE = 5;

export interface SeededAccount {
  dataSource: DataSource;
  accountId: string;
  messages: number;
  people: number;
  drop(): Promise<void>;
}

const INSERT_CONTACTS = `
  INSERT INTO contacts (id, account_id, phone, phone_key, profile_name, opted_out)
  SELECT id, $1, phone, phone, name,
    opted_out FROM unnest($2::text[], $3::text[], $4::text[], $5::boolean[]) AS person (id, phone, name, opted_out)`;
const INSERT_MESSAGES = `
  INSERT INTO messages (id, account_id, number_id, contact_id, direction, sender, recipient, type, content, state,
    upstream_id, created_at, received_at)
  SELECT id, $1, $2, contact, direction, '15550783881', '919812345678', type, '{"body":"Your order has shipped"}',
    state, 'wamid.' || id, at,
    CASE direction WHEN 'inbound' THEN at END
  FROM unnest($3::text[], $4::text[], $5::text[], $6::text[], $7::text[], $8::timestamptz[])
    AS message (id, contact, direction, type, state, at)`;
/** Statements that derive the data that the disabled triggers would have maintained. */
const DERIVE = [
  `INSERT INTO conversations (contact_id, account_id, last_message_id, last_answer_id, last_inbound_at, message_count, unread_count)
   SELECT contact_id, account_id, max(id), coalesce(max(id) FILTER (WHERE direction = 'outbound'), ''),
     max(received_at), count(*), 0
   FROM messages GROUP BY account_id, contact_id`,
  'INSERT INTO list_totals SELECT account_id, direction, 0, count(*) FROM messages GROUP BY account_id, direction',
  "INSERT INTO list_totals SELECT account_id, 'contacts', 0, count(*) FROM contacts GROUP BY account_id",
  "INSERT INTO list_totals SELECT account_id, 'conversations', 0, count(*) FROM conversations GROUP BY account_id",
];
const SEEDED = ['messages', 'contacts', 'conversations'];
const PLAIN_INDEXES = `
  SELECT indexname AS name, replace(indexdef, ' ON ONLY ', ' ON ') AS definition FROM pg_indexes
  WHERE schemaname = 'messaging' AND tablename = ANY ($1) AND indexdef NOT LIKE 'CREATE UNIQUE%'`;

/**
 * Creates a database with one account and the given number of messages over the last weeks. Inserts rows directly and
 * creates indexes afterwards.
 */
export async function seedAccount(serverUrl: string, messages: number): Promise<SeededAccount> {
  const server = await new DataSource({ type: 'postgres', url: serverUrl }).initialize();
  const name = `sb_bench_${randomBytes(6).toString('hex')}`;
  await server.query(`CREATE DATABASE ${name} TEMPLATE template0`);
  const url = Object.assign(new URL(serverUrl), { pathname: `/${name}` }).href;
  const dataSource = new DataSource(
    dataSourceOptions({ schema: 'messaging', url, poolSize: 4, statementMs: Infinity }),
  );
  await dataSource.initialize();
  await dataSource.query('CREATE SCHEMA messaging');
  await runMigrations({ schema: 'messaging', migrations, config: { DATABASE_URL: url } });
  const [accountId, numberId] = [newId('acc'), newId('num')];
  await dataSource.query(
    "INSERT INTO numbers (id, account_id, phone_number, phone_number_id, waba_id, sealed_access_token, status, is_primary) VALUES ($1, $2, '15550783881', '1', '1', 'v1.none', 'CONNECTED', true)",
    [numberId, accountId],
  );
  const indexes = await dataSource.query<{ name: string; definition: string }[]>(PLAIN_INDEXES, [SEEDED]);
  for (const index of indexes) await dataSource.query(`DROP INDEX ${index.name}`);
  for (const table of SEEDED) await dataSource.query(`ALTER TABLE ${table} DISABLE TRIGGER USER`);
  const people = await seedPeople(dataSource, accountId, messages / MESSAGES_PER_PERSON);
  await seedMessages(dataSource, { accountId, numberId, people, messages });
  for (const sql of DERIVE) await dataSource.query(sql);
  for (const index of indexes) await dataSource.query(index.definition);
  await dataSource.query(SKIP_SEARCH_STATISTICS);
  for (const table of SEEDED) await dataSource.query(`ALTER TABLE ${table} ENABLE TRIGGER USER`);
  await dataSource.query('VACUUM ANALYZE');
  const drop = async (): Promise<void> => {
    await dataSource.destroy();
    await server.query(`DROP DATABASE ${name} WITH (FORCE)`);
    await server.destroy();
  };
  return { dataSource, accountId, messages, people: people.length, drop };
}

/** Inserts the contacts of an account. @returns their ids */
export async function seedPeople(dataSource: DataSource, accountId: string, count: number): Promise<string[]> {
  const ids: string[] = [];
  for (let start = 0; start < count; start += BATCH) {
    const part = Array.from({ length: Math.min(BATCH, count - start) }, (_unused, index) => start + index);
    const own = part.map(() => newId('ct'));
    const nameOf = (position: number): string =>
      position % Math.floor(count / RARE_PEOPLE) === 7
        ? RARE_NAME
        : `${NAMES[position % NAMES.length]} ${position.toString(36)}`;
    await dataSource.query(INSERT_CONTACTS, [
      accountId,
      own,
      part.map(phoneOf),
      part.map(nameOf),
      part.map((position) => position % 50 === 0),
    ]);
    ids.push(...own);
  }
  return ids;
}

/** Returns the phone number of a contact by zero-based index. */
export function phoneOf(position: number): string {
  return String(919_800_000_000 + ((position * 7_919) % 100_000_000));
}

/** Inserts messages of the last weeks with these contacts, oldest first. A third of them are inbound. */
export async function seedMessages(
  dataSource: DataSource,
  {
    accountId,
    numberId,
    people,
    messages,
  }: { accountId: string; numberId: string; people: string[]; messages: number },
): Promise<void> {
  const now = Date.now();
  for (let start = 0; start < messages; start += BATCH) {
    const rows = Array.from({ length: Math.min(BATCH, messages - start) }, (_unused, index) => {
      const position = start + index;
      const at = new Date(now - DAYS * DAY_MS * (1 - (position + 1) / messages));
      const isInbound = position % 3 === 0;
      const state = isInbound ? 'received' : position % 97 === 1 ? 'failed' : 'read';
      return {
        id: inboundMessageId({ numberId, upstreamId: String(position), at }),
        contact: people[(position * 31) % people.length],
        isInbound,
        state,
        type: position % 500 === 0 ? 'image' : 'text',
        at,
      };
    });
    await dataSource.query(INSERT_MESSAGES, [
      accountId,
      numberId,
      rows.map(({ id }) => id),
      rows.map(({ contact }) => contact),
      rows.map(({ isInbound }) => (isInbound ? 'inbound' : 'outbound')),
      rows.map(({ type }) => type),
      rows.map(({ state }) => state),
      rows.map(({ at }) => at),
    ]);
  }
}
