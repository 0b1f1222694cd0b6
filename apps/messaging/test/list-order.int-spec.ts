import { firstIdAt, newId } from '@switchboard/contracts';
import { scanQuery, boundedCount } from '@switchboard/database';
import { LIST_BLOCKS } from '../src/blocks/blocks.queries';
import { contactList, listContactsSql, type PeopleList } from '../src/contacts/contact-list.queries';
import { conversationList, listConversationsSql } from '../src/conversations/conversations.queries';
import { listMessagesSql, type MessageFilters, messageList } from '../src/messages/messages.queries';
import { LIST_NOTICES } from '../src/notices/notices.queries';
import { createStore, minutesAgo, type StoredAccount, type StoredMessage, type TestStore } from './support/store';

const PEOPLE = 400;
const DAYS = 60;

interface Plan {
  'Node Type': string;
  'Relation Name'?: string;
  'Index Name'?: string;
  'Index Cond'?: string;
  Plans?: Plan[];
}

const belowOf = (node: Plan = { 'Node Type': 'none' }): Plan[] => [node, ...(node.Plans ?? []).flatMap(belowOf)];

describe('list queries', () => {
  let store: TestStore;
  let account: StoredAccount;
  let contactId: string;
  const jobId = newId('job');

  beforeAll(async () => {
    store = await createStore();
    for (let each = 0; each < 3; each += 1) account = await fill(await store.addAccount());
    contactId = await store.addContact(account, '919800000007');
    // Insert enough rows for the planner to prefer an index.
    await store.dataSource.query(
      `INSERT INTO contacts (id, account_id, phone, phone_key) SELECT 'ct_01jd' || lpad(n::text, 22, '0'), $1, (918800000000 + n)::text, (918800000000 + n)::text FROM generate_series(1, 8000) AS n`,
      [account.accountId],
    );
    await store.dataSource.query(
      'INSERT INTO blocks (account_id, number_id, phone, phone_key) SELECT $1, $2, n::text, n::text FROM generate_series(918800000001, 918800008000) AS n',
      [account.accountId, account.numberId],
    );
    await store.dataSource.query(
      `INSERT INTO account_notices (id, account_id, fact, waba_id, notice, severity, summary, phone_numbers, restrictions, details, occurred_at) SELECT 'ntc_' || n, $1, n::text, '1', 'alert', 'info', 'x', '{}'::text[], '[]'::jsonb, '{}'::jsonb, now() FROM generate_series(1001, 9000) AS n`,
      [account.accountId],
    );
    await store.dataSource.query('UPDATE contacts SET opted_out = true WHERE right(phone, 1) = $1', ['7']);
    await store.dataSource.query('VACUUM ANALYZE');
  }, 900_000);
  afterAll(() => store.drop());

  /** Adds two months of messages of all kinds with many contacts. */
  async function fill(filled: StoredAccount): Promise<StoredAccount> {
    for (let part = 0; part < 8; part += 1) {
      const messages = Array.from({ length: 1_000 }, (_unused, index): StoredMessage => {
        const position = part * 1_000 + index;
        const kind = position % 10;
        return {
          with: `9198000${String(position % PEOPLE).padStart(5, '0')}`,
          at: minutesAgo((position * DAYS * 1_440) / 8_000),
          direction: kind < 4 ? 'inbound' : 'outbound',
          state: kind < 4 ? 'received' : position % 50 === 9 ? 'failed' : 'delivered',
          type: position % 25 === 0 ? 'image' : 'text',
          jobId: position % 100 === 99 ? jobId : undefined,
        };
      });
      await store.addMessages(filled, messages);
    }
    return filled;
  }

  /** Explains a query in the form that the service runs: in a transaction that prefers the order of an index. */
  async function explained<Row>(options: string, sql: string, params: unknown[]): Promise<Row[]> {
    return scanQuery<Row>(store.dataSource, `EXPLAIN (${options}) ${sql}`, params);
  }

  async function planOf(sql: string, params: unknown[]): Promise<Plan[]> {
    const [row] = await explained<{ 'QUERY PLAN': { Plan: Plan }[] }>('FORMAT JSON', sql, params);
    return belowOf(row?.['QUERY PLAN'][0]?.Plan);
  }

  const place = { offset: 0, take: 21 };
  const below = firstIdAt('msg', Date.now() + 2 * 86_400_000);
  const anHourAgo = firstIdAt('msg', minutesAgo(60).getTime());
  const messageLists: [string, string, Partial<MessageFilters>][] = [
    ['delivered messages', 'messages_newest', { status: 'delivered' }],
    ['inbound messages', 'messages_inbound', { direction: 'inbound' }],
    ['received messages', 'messages_inbound', { status: 'received' }],
    ['failed messages', 'messages_failed', { status: 'failed' }],
    [
      'failed messages of a time',
      'messages_failed',
      { status: 'failed', from: firstIdAt('msg', minutesAgo(40_000).getTime()), below: anHourAgo },
    ],
    ['read messages of one type', 'messages_of_type', { type: 'text', status: 'read' }],
    ['failed messages of one type', 'messages_failed', { type: 'image', status: 'failed' }],
  ];

  /** Lists with unsettled messages, which have a small index of their own in a different order. */
  const mixedLists: [string, string, () => Partial<MessageFilters>][] = [
    ['all messages', 'messages_newest', () => ({})],
    ['outbound messages', 'messages_newest', () => ({ direction: 'outbound' })],
    ['messages since a time', 'messages_newest', () => ({ from: firstIdAt('msg', minutesAgo(10_000).getTime()) })],
    ['messages until a time', 'messages_newest', () => ({ below: anHourAgo })],
    ['messages of one type', 'messages_of_type', () => ({ type: 'image' })],
    ['messages with a text', 'messages_of_type', () => ({ text: 'order' })],
    ['messages of one job', 'messages_of_job', () => ({ jobId })],
    ['messages with one contact', 'messages_of_contact', () => ({ contactId })],
  ];

  it.each(mixedLists)('merge %s in the order of index %s with unsettled messages', async (_title, index, filtersOf) => {
    const list = messageList({ accountId: account.accountId, below, ...filtersOf() });
    for (const sql of [listMessagesSql(list, place), boundedCount(list, 1_000)]) {
      const nodes = await planOf(sql, list.params);
      expect(await indexesOf(nodes)).toEqual([index, 'messages_unsettled'].sort());
      const sorts = nodes.filter((node) => node['Node Type'] === 'Sort');
      expect(sorts).toHaveLength(1);
      const sorted = belowOf(sorts[0]);
      expect(await indexesOf(sorted)).toEqual(['messages_unsettled']);
      expect(nodes.filter((node) => node['Node Type'] === 'Seq Scan')).toEqual([]);
    }
  });

  it.each(messageLists)('read %s in the order of index %s, without a sort', async (_title, index, filters) => {
    const list = messageList({ accountId: account.accountId, below, ...filters });
    const nodes = await planOf(listMessagesSql(list, place), list.params);
    expectOrdered(nodes);
    expect(await indexesOf(nodes)).toEqual([index]);
    const counted = await planOf(boundedCount(list, 1_000), list.params);
    expectOrdered(counted);
    expect(await indexesOf(counted)).toEqual([index]);
  });

  /** Returns the indexes of the partitioned table whose partitions a plan reads. */
  async function indexesOf(nodes: Plan[]): Promise<string[]> {
    const names = nodes.flatMap((node) => node['Index Name'] ?? []);
    const sql =
      'SELECT DISTINCT inhparent::regclass::text AS name FROM pg_inherits JOIN pg_class ON pg_class.oid = inhrelid WHERE relname = ANY ($1)';
    return (await store.dataSource.query<{ name: string }[]>(sql, [names])).map(({ name }) => name);
  }

  const peopleLists: [string, (accountId: string) => PeopleList, typeof listContactsSql][] = [
    ['contacts', (accountId) => contactList({ accountId }), listContactsSql],
    ['contacts who opted out', (accountId) => contactList({ accountId, optedOut: true }), listContactsSql],
    [
      'contacts after another one',
      (accountId) => contactList({ accountId, after: 'ct_7zzzzzzzzzzzzzzzzzzzzzzzzz' }),
      listContactsSql,
    ],
    ['contacts by a common name', (accountId) => contactList({ accountId, search: '91' }), listContactsSql],
    ['conversations', (accountId) => conversationList({ accountId, openSince: anHourAgo }), listConversationsSql],
    [
      'conversations with an open window',
      (accountId) => conversationList({ accountId, windowOpen: true, openSince: anHourAgo }),
      listConversationsSql,
    ],
    [
      'conversations after another one',
      (accountId) => conversationList({ accountId, openSince: anHourAgo, after: anHourAgo }),
      listConversationsSql,
    ],
    [
      'conversations by a common name',
      (accountId) => conversationList({ accountId, openSince: anHourAgo, search: '91' }),
      listConversationsSql,
    ],
  ];

  it.each(peopleLists)('read %s in the order of an index, without a sort', async (_title, listOf, sqlOf) => {
    const list = listOf(account.accountId);
    expectOrdered(await planOf(sqlOf(list, place), list.params));
  });

  it.each([
    ['blocked contacts', LIST_BLOCKS, '4000'],
    ['notices', LIST_NOTICES, 'ntc_5000'],
  ])('read %s from the cursor on, without a sort', async (_title, sql, after) => {
    const [row] = await store.dataSource.query<{ 'QUERY PLAN': { Plan: Plan }[] }[]>(`EXPLAIN (FORMAT JSON) ${sql}`, [
      account.accountId,
      after,
      0,
      21,
    ]);
    const nodes = belowOf(row?.['QUERY PLAN'][0]?.Plan);
    expect(nodes.filter((node) => node['Node Type'].includes('Sort'))).toEqual([]);
    expect(nodes.some((node) => /\bid < /.test(node['Index Cond'] ?? ''))).toBe(true);
  });

  it('read older partitions only if the page is not full', async () => {
    const list = messageList({ accountId: account.accountId, below });
    const rows = await explained<{ 'QUERY PLAN': string }>(
      'ANALYZE, COSTS OFF, TIMING OFF, SUMMARY OFF',
      listMessagesSql(list, place),
      list.params,
    );
    const plan = rows.map((each) => each['QUERY PLAN']).join('\n');
    expect(plan).toMatch(/messages_before.*\(never executed\)/);
  });

  function expectOrdered(nodes: Plan[]): void {
    const types = nodes.map((node) => node['Node Type']);
    expect(types.filter((type) => /Sort|Seq Scan|Bitmap/.test(type))).toEqual([]);
    expect(types.some((type) => /^Index (Only )?Scan$/.test(type))).toBe(true);
  }
});
