import type { ListContactsCommand, ListConversationsCommand } from '@switchboard/contracts';
import { planNodes } from '@switchboard/testing';
import { FIND_BY_FRAGMENT } from '../src/contacts/contact-list.queries';
import { ContactsService } from '../src/contacts/contacts.service';
import { ConversationsService } from '../src/conversations/conversations.service';
import { createStore, minutesAgo, type StoredAccount, type TestStore } from './support/store';

const ASHA = '919812345678';
const BO = '4915112345678';

describe('contact and conversation lists', () => {
  let store: TestStore;
  let contacts: ContactsService;
  let conversations: ConversationsService;
  let account: StoredAccount;

  beforeAll(async () => {
    store = await createStore();
    contacts = new ContactsService(store.dataSource);
    conversations = new ConversationsService(store.dataSource);
  });
  beforeEach(async () => {
    account = await store.addAccount();
  });
  afterAll(() => store.drop());

  const page = { page: 1, limit: 20 };
  const list = (filters: Partial<ListContactsCommand> = {}) =>
    contacts.listContacts({ accountId: account.accountId, ...page, ...filters });
  const talk = (filters: Partial<ListConversationsCommand> = {}) =>
    conversations.listConversations({ accountId: account.accountId, ...page, ...filters });
  const phones = (reply: { contacts?: { phone: string | null }[]; conversations?: { phone: string | null }[] }) =>
    (reply.contacts ?? reply.conversations ?? []).map(({ phone }) => phone);
  const addPeople = async (count: number, name: string): Promise<void> => {
    const sql = `INSERT INTO contacts (id, account_id, phone, phone_key, profile_name)
      SELECT 'ct_01jd' || lpad(($3::int + n)::text, 22, '0'), $1, ($4::bigint + n)::text, ($4::bigint + n)::text, $2
        FROM generate_series(1, $5::int) AS n`;
    const [known] = await store.dataSource.query<{ count: number }[]>('SELECT count(*)::int AS count FROM contacts');
    await store.dataSource.query(sql, [account.accountId, name, known?.count ?? 0, 919_700_000_000, count]);
  };

  it('show a contact as documented, with and without messages', async () => {
    const id = await store.addContact(account, ASHA, { profileName: 'Asha R' });
    const [fresh] = (await list()).contacts;
    expect(fresh).toEqual({
      id,
      phone: ASHA,
      userId: null,
      username: null,
      parentUserId: null,
      name: 'Asha R',
      appName: null,
      profileName: 'Asha R',
      optedOut: false,
      optOut: null,
      marketingOptOut: false,
      lastMessageAt: null,
      lastInboundAt: null,
      windowOpen: false,
      windowExpiresAt: null,
      windows: [],
      blockedOn: [],
      labels: [],
      createdAt: expect.stringMatching(/Z$/),
    });
    const at = minutesAgo(60);
    await store.addMessages(account, [{ with: ASHA, direction: 'inbound', at }]);
    const expiry = new Date(at.getTime() + 86_400_000).toISOString();
    expect((await list()).contacts).toMatchObject([
      { lastMessageAt: at.toISOString(), lastInboundAt: at.toISOString(), windowOpen: true, windowExpiresAt: expiry },
    ]);
  });

  it('show a conversation as documented', async () => {
    await store.addContact(account, ASHA, { name: 'Mrs R', profileName: 'Asha R' });
    const [first, last] = [minutesAgo(2_000), minutesAgo(1_999)];
    await store.addMessages(account, [{ with: ASHA, direction: 'inbound', at: first }]);
    const [id] = await store.addMessages(account, [
      {
        with: ASHA,
        at: last,
        state: 'read',
        type: 'template',
        content: { name: 'order_update', language: { code: 'en_US' } },
      },
    ]);
    expect((await talk()).conversations).toEqual([
      {
        phone: ASHA,
        userId: null,
        username: null,
        name: 'Mrs R',
        lastMessage: {
          upstreamId: `wamid.${id}`,
          direction: 'outbound',
          type: 'template',
          preview: 'order_update',
          status: 'read',
          timestamp: last.toISOString(),
          deletedAt: null,
          origin: 'api',
          template: { name: 'order_update', language: { code: 'en_US' }, components: [] },
        },
        lastInboundAt: first.toISOString(),
        windowOpen: false,
        windowExpiresAt: new Date(first.getTime() + 86_400_000).toISOString(),
        windows: [
          {
            phoneNumber: expect.any(String),
            open: false,
            expiresAt: new Date(first.getTime() + 86_400_000).toISOString(),
          },
        ],
        messageCount: 2,
        unreadCount: 0,
        queue: { assigneeId: null, done: false, waitingSince: null },
        labels: [],
      },
    ]);
  });

  it('are paged by number and by cursor, newest first', async () => {
    for (let each = 0; each < 7; each += 1)
      await store.addMessages(account, [{ with: `91980000000${each}`, at: minutesAgo(100 - each) }]);
    await store.addMessages(account, [{ with: '919800000002' }]);
    const newest = [6, 5, 4, 3, 2, 1, 0].map((each) => `91980000000${each}`);
    const talked = ['919800000002', ...newest.filter((phone) => phone !== '919800000002')];
    for (const [read, expected] of [
      [list, newest],
      [talk, talked],
    ] as const) {
      const walked: (string | null)[] = [];
      let cursor: string | undefined;
      do {
        const reply = await read({ limit: 3, cursor });
        walked.push(...phones(reply));
        expect([reply.total, reply.totalIsExact]).toEqual([7, true]);
        cursor = reply.nextCursor ?? undefined;
      } while (cursor);
      expect(walked).toEqual(expected);
      expect(phones(await read({ limit: 3, page: 3 }))).toEqual(expected.slice(6));
      expect(await read({ page: 9 })).toMatchObject({ total: 7, hasNext: false, nextCursor: null });
    }
  });

  it('reject the cursor of another list', async () => {
    await store.addMessages(account, [{ with: ASHA }, { with: BO }]);
    const { nextCursor } = await talk({ limit: 1 });
    await expect(list({ cursor: nextCursor ?? '' })).rejects.toMatchObject({ code: 'INVALID_PARAMETER' });
  });

  it('are filtered and counted by opt-out', async () => {
    await store.addContact(account, ASHA, { optedOut: true });
    await store.addContact(account, BO);
    expect(await list({ optedOut: true })).toMatchObject({ contacts: [{ phone: ASHA, optedOut: true }], total: 1 });
    expect(await list({ optedOut: false })).toMatchObject({ contacts: [{ phone: BO, optedOut: false }], total: 1 });
  });

  describe('with two business numbers', () => {
    const expiryOf = (at: Date): string => new Date(at.getTime() + 86_400_000).toISOString();
    const write = (from: StoredAccount, at: Date): Promise<string[]> =>
      store.addMessages(from, [{ with: ASHA, direction: 'inbound', at }]);
    const remove = ({ numberId }: StoredAccount) =>
      store.dataSource.query("UPDATE numbers SET removed_at = now(), sealed_access_token = '' WHERE id = $1", [
        numberId,
      ]);
    let first: StoredAccount & { phoneNumber: string };
    let second: typeof first;

    beforeEach(async () => {
      first = await store.addNumber(account);
      second = await store.addNumber(account);
    });

    it('show the window of each number', async () => {
      const [long, short] = [minutesAgo(1_500), minutesAgo(60)];
      await write(second, long);
      const closed = { phoneNumber: second.phoneNumber, open: false, expiresAt: expiryOf(long) };
      expect(await list()).toMatchObject({
        contacts: [{ windowOpen: false, windowExpiresAt: expiryOf(long), windows: [closed] }],
      });
      await write(first, short);
      const shown = {
        windowOpen: true,
        windowExpiresAt: expiryOf(short),
        windows: [{ phoneNumber: first.phoneNumber, open: true, expiresAt: expiryOf(short) }, closed],
      };
      for (const reply of [await list(), await list({ search: ASHA })]) expect(reply.contacts).toMatchObject([shown]);
      for (const reply of [await talk(), await talk({ search: ASHA })])
        expect(reply.conversations).toMatchObject([shown]);
      // One open window is enough, and the last one to close determines the expiry.
      await store.addMessages(first, [{ with: BO, direction: 'inbound', at: long }]);
      await store.addMessages(second, [{ with: BO, direction: 'inbound', at: short }]);
      expect((await list({ search: BO })).contacts).toMatchObject([
        { windowOpen: true, windowExpiresAt: expiryOf(short), windows: [{ open: false }, { open: true }] },
      ]);
    });

    it('omit the window of a removed number', async () => {
      await write(second, minutesAgo(5));
      expect(phones(await talk({ windowOpen: true }))).toEqual([ASHA]);
      await remove(second);
      expect(await list()).toMatchObject({ contacts: [{ windowOpen: false, windowExpiresAt: null, windows: [] }] });
      expect(await talk({ windowOpen: true })).toMatchObject({ conversations: [], total: 0 });
      expect(await talk({ windowOpen: false })).toMatchObject({
        conversations: [{ phone: ASHA, windowOpen: false }],
        total: 1,
      });
    });

    it('omit windows of other accounts', async () => {
      const other = await store.addAccount();
      await store.addMessages(other, [{ with: ASHA, direction: 'inbound' }]);
      await write(first, minutesAgo(1_500));
      for (const { windows } of [...(await list()).contacts, ...(await talk()).conversations])
        expect(windows).toMatchObject([{ phoneNumber: first.phoneNumber, open: false }]);
    });
  });

  it('filter conversations by window', async () => {
    await store.addMessages(account, [{ with: ASHA, direction: 'inbound', at: minutesAgo(1_439) }]);
    await store.addMessages(account, [{ with: BO, direction: 'inbound', at: minutesAgo(1_441) }, { with: BO }]);
    expect(phones(await talk({ windowOpen: true }))).toEqual([ASHA]);
    expect(phones(await talk({ windowOpen: false }))).toEqual([BO]);
    expect((await talk({ windowOpen: false })).total).toBe(1);
  });

  it.each([
    ['sha', [ASHA]],
    ['ASHA', [ASHA]],
    ['asha r', [ASHA]],
    ['mül', [BO]],
    ['MÜLLER', [BO]],
    ['muller', [BO]],
    ['李小', [BO]],
    ['+91 98 123', [ASHA]],
    ['5678', [BO, ASHA]],
    ['78', [BO, ASHA]],
    ['%', []],
    ['a%r', []],
    ['ramüller', []],
    ['nobody', []],
  ])('find %j', async (search, expected) => {
    await store.addMessages(account, [{ with: ASHA }, { with: BO }]);
    await store.dataSource.query("UPDATE contacts SET name = 'Asha R' WHERE account_id = $1 AND phone = $2", [
      account.accountId,
      ASHA,
    ]);
    await store.dataSource.query(
      "UPDATE contacts SET profile_name = 'Bo Müller 李小龙' WHERE account_id = $1 AND phone = $2",
      [account.accountId, BO],
    );
    const found = await list({ search });
    expect([...phones(found)].sort()).toEqual([...expected].sort());
    expect([found.total, found.totalIsExact]).toEqual([expected.length, true]);
    const talked = await talk({ search });
    expect([...phones(talked)].sort()).toEqual([...expected].sort());
    expect(talked.total).toBe(expected.length);
  });

  it.each([
    ['García', ['garcia', 'GARCÍA', 'Garci\u0301a', 'gàrcï']],
    ['Garcia', ['García']],
    ['Nguyễn Thị Đào', ['nguyen thi dao', 'Đào', 'thị']],
    ['Łukasz Żółć', ['lukasz zolc']],
    ['Søren Åberg', ['soren aberg']],
    ['Straße Æsir Œuvre Þór', ['strasse', 'STRAßE', 'aesir', 'oeuvre', 'thor']],
    ['Işık', ['isik', 'IŞIK']],
    ['Γιώργος', ['γιωργοσ', 'ΓΙΏΡΓΟΣ', 'Γιωργ']],
    ['Алёна Йорк', ['алена', 'иорк', 'АЛЁНА']],
    ['مُحَمَّد أحمد', ['محمد', 'احمد', 'مُحَمَّد']],
    ['فاطمة علی', ['فاطمه', 'علي']],
    ['שָׁלוֹם', ['שלום']],
    ['ज़ोया', ['जोया', 'ज़ोया']],
    ['น้ำฝน', ['นำฝน']],
    ['김민수', ['김민', '민수']],
    ['Ａｓｈａ', ['asha']],
    ['As\u200bha', ['asha']],
  ])('find %s without its accents', async (name, fragments) => {
    await store.addContact(account, ASHA, { name });
    await store.addContact(account, BO, { name: 'Somebody else' });
    for (const search of fragments) expect([search, phones(await list({ search }))]).toEqual([search, [ASHA]]);
  });

  it.each([
    ['किरण', 'करण'],
    ['がき', 'かき'],
    ['김민수', '긴민'],
  ])('distinguish %s from %s', async (name, search) => {
    await store.addContact(account, ASHA, { name });
    expect(phones(await list({ search }))).toEqual([]);
  });

  it('find a complete number in any equivalent format', async () => {
    const [short, long, brazilian] = ['9198123456', '91981234567', '5511987654321'];
    for (const phone of [long, brazilian]) await store.addMessages(account, [{ with: phone }]);
    expect(phones(await list({ search: short }))).toEqual([long]);
    await store.addMessages(account, [{ with: short }]);
    for (const reply of [
      await list({ search: short }),
      await list({ search: '+91 98 12 34 56' }),
      await talk({ search: short }),
    ])
      expect([phones(reply), reply.total]).toEqual([[short], 1]);
    expect(phones(await list({ search: '551187654321' }))).toEqual([brazilian]);
    expect(phones(await list({ search: brazilian, optedOut: true }))).toEqual([]);
    expect(phones(await list({ search: '+5511987654321', page: 2 }))).toEqual([]);
  });

  it('find rare and common fragments, page by page', async () => {
    await addPeople(1_200, 'Common Name');
    await store.addContact(account, ASHA, { name: 'Rare Bird' });
    expect(await list({ search: 'rare b' })).toMatchObject({
      contacts: [{ phone: ASHA }],
      total: 1,
      totalIsExact: true,
    });
    const first = await list({ search: 'mon na', limit: 100 });
    expect(first).toMatchObject({ total: 1_000, totalIsExact: false, hasNext: true });
    const second = await list({ search: 'mon na', limit: 100, cursor: first.nextCursor ?? '' });
    // Ignore case and accents in the list scan, too.
    expect(phones(second)).toEqual(phones(await list({ search: 'MÓN NA', limit: 100, page: 2 })));
    expect(new Set([...phones(first), ...phones(second)]).size).toBe(200);
    const narrow = await list({ search: '919700000', limit: 50, page: 2 });
    expect(narrow.contacts).toHaveLength(50);
    const talkers = Array.from({ length: 1_001 }, (_unused, index) => ({ with: String(919_700_000_001 + index) }));
    await store.addMessages(account, talkers);
    for (const filter of [{ search: 'mon na' }, { windowOpen: false }])
      expect(await talk({ ...filter, limit: 100 })).toMatchObject({ total: 1_000, totalIsExact: false, hasNext: true });
  });

  it('limit the comparisons for a common fragment', async () => {
    await addPeople(3_000, 'Common Name');
    const most = 50;
    const query = (text: string, params: unknown[]): Promise<unknown> => store.dataSource.query(text, params);
    const nodes = await planNodes(query, FIND_BY_FRAGMENT, [account.accountId, 'mon na', null, most]);
    // Holds for any index that the planner chooses.
    const compared = nodes.filter((node) => node['Relation Name'] === 'contacts');
    expect(compared.reduce((sum, node) => sum + node['Actual Rows'], 0)).toBe(most);
  });

  it('collect no planner statistics on search keys', async () => {
    await addPeople(100, 'Asha R');
    await store.dataSource.query('ANALYZE contacts');
    const gathered = await store.dataSource.query<{ of: string }[]>(
      "SELECT DISTINCT tablename AS of FROM pg_stats WHERE tablename IN ('contacts', 'contacts_search')",
    );
    expect(gathered).toEqual([{ of: 'contacts' }]);
  });

  it('never show contacts of another account', async () => {
    const other = await store.addAccount();
    await store.addContact(other, ASHA, { name: 'Asha R' });
    await store.addMessages(other, [{ with: ASHA, direction: 'inbound' }]);
    for (const reply of [
      await list(),
      await list({ search: 'asha' }),
      await list({ optedOut: false }),
      await talk(),
      await talk({ search: 'asha' }),
      await talk({ windowOpen: true }),
    ]) {
      expect([phones(reply), reply.total]).toEqual([[], 0]);
    }
  });

  it('update or create a contact, keeping absent fields', async () => {
    const change = (fields: object) =>
      contacts.updateContact({ accountId: account.accountId, phone: '5511987654321', ...fields });
    expect(await change({ blocked: true, name: 'Ana' })).toMatchObject({
      contact: { phone: '5511987654321', name: 'Ana', optedOut: false },
      blocked: true,
    });
    expect(await change({ optedOut: true })).toMatchObject({
      contact: { name: 'Ana', optedOut: true, marketingOptOut: false, optOut: { source: 'operator', userId: null } },
      blocked: true,
    });
    // The same contact without the ninth digit.
    expect(await change({ phone: '551187654321', blocked: false, name: '' })).toMatchObject({
      contact: { phone: '5511987654321', name: null, optedOut: true },
      blocked: false,
    });
    expect((await list()).total).toBe(1);
  });

  it('return a contact by id or by any format of its number', async () => {
    const id = await store.addContact(account, '5511987654321', { name: 'Ana' });
    const get = (wanted: object) => contacts.getContact({ accountId: account.accountId, ...wanted });
    const fresh = { contact: { id, phone: '5511987654321', name: 'Ana' }, blocked: false };
    expect(await get({ contactId: id })).toMatchObject({ ...fresh, messageCount: 0, unreadCount: 0 });
    await store.addMessages(account, [{ with: '5511987654321', direction: 'inbound' }]);
    expect(await get({ phone: '551187654321' })).toMatchObject({ ...fresh, messageCount: 1, unreadCount: 1 });
    const { accountId } = await store.addAccount();
    for (const wanted of [{ contactId: id }, { phone: '5511987654321' }])
      await expect(contacts.getContact({ accountId, ...wanted })).rejects.toMatchObject({ code: 'NOT_FOUND' });
    await expect(get({})).rejects.toMatchObject({ code: 'NOT_FOUND' });
  });

  it('update a contact by id, creating none', async () => {
    const id = await store.addContact(account, ASHA, { profileName: 'Asha R' });
    const change = (fields: object) =>
      contacts.changeContact({ accountId: account.accountId, contactId: id, ...fields });
    expect(await change({ name: 'Mrs R', blocked: true })).toMatchObject({ contact: { name: 'Mrs R' }, blocked: true });
    expect(await change({ optedOut: true, userId: 'usr_1' })).toMatchObject({
      contact: { name: 'Mrs R', optedOut: true, optOut: { source: 'user', word: null, userId: 'usr_1' } },
      blocked: true,
    });
    expect(await change({ name: '', blocked: false, optedOut: false })).toMatchObject({
      contact: { name: 'Asha R', optedOut: false, optOut: null },
      blocked: false,
    });
    const { accountId } = await store.addAccount();
    await expect(contacts.changeContact({ accountId, contactId: id, name: 'x' })).rejects.toMatchObject({
      code: 'NOT_FOUND',
    });
    await store.dataSource.query('DELETE FROM contacts WHERE id = $1', [id]);
    await expect(change({ name: 'Back' })).rejects.toMatchObject({ code: 'NOT_FOUND' });
    expect((await list()).total).toBe(0);
  });

  it('are limited by page number and unlimited by cursor', async () => {
    await addPeople(5_100, 'Common Name');
    const { contacts: reached, nextCursor } = await list({ page: 50, limit: 100 });
    expect(reached).toHaveLength(100);
    await expect(list({ page: 51, limit: 100 })).rejects.toMatchObject({ code: 'INVALID_VALUE' });
    expect((await list({ limit: 100, cursor: nextCursor ?? '' })).contacts).toHaveLength(100);
    expect((await list({ page: 52, limit: 100 })).contacts).toEqual([]);
  });
});
