import { eventually } from '@switchboard/testing';
import { newAccount, type TestAccount } from './support/account';
import { call } from './support/api';
import { freshPhone, writeInAny } from './support/simulator';

const DAY_MS = 24 * 60 * 60 * 1_000;
const UTC = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;
const PEOPLE = ['Asha Rao', 'Bo Li', 'Carla Díaz', 'Dmitri Ivanov', 'Asha Patel'];

describe('contact and conversation lists', () => {
  let account: TestAccount;
  let phones: string[];

  /**
   * Five customers write ten seconds apart, because the platform's times are whole seconds. The second one gets two
   * replies.
   */
  beforeAll(async () => {
    account = await newAccount('Lists');
    phones = PEOPLE.map(freshPhone);
    const firstAt = Math.floor(Date.now() / 1_000) - 60;
    for (const [index, phone] of phones.entries()) {
      const message = {
        type: 'text',
        text: { body: `I am ${PEOPLE[index]}` },
        name: PEOPLE[index],
        timestamp: String(firstAt + index * 10),
      };
      await writeInAny({ from: phone, to: account.phoneNumber, ...message });
      await eventually(async () =>
        expect((await account.api.listConversations()).pagination).toMatchObject({ total: index + 1 }),
      );
    }
    for (const body of ['first answer', 'second answer'])
      await account.api.sendMessage({ to: String(phones[1]), type: 'text', text: { body } });
    await eventually(async () => expect((await account.api.listMessages({ status: 'read' })).messages).toHaveLength(2));
  }, 60_000);

  const namesOf = (contacts: { profileName?: string | null }[]): unknown[] =>
    contacts.map(({ profileName }) => profileName);
  const raw = (path: string) => call('GET', path, { apiKey: account.apiKey });

  it('return contacts with the documented fields, newest first', async () => {
    const { contacts, pagination } = await account.api.listContacts();
    expect(namesOf(contacts)).toEqual([...PEOPLE].reverse());
    expect(pagination).toMatchObject({ page: 1, limit: 20, total: 5, totalPages: 1, hasNext: false, nextCursor: null });
    const [newest] = contacts;
    expect(newest).toEqual({
      id: expect.stringMatching(/^ct_/),
      phone: phones[4],
      userId: expect.any(String),
      username: null,
      parentUserId: null,
      name: 'Asha Patel',
      profileName: 'Asha Patel',
      appName: null,
      optedOut: false,
      marketingOptOut: false,
      optOut: null,
      blockedOn: [],
      labels: [],
      lastMessageAt: expect.stringMatching(UTC),
      lastInboundAt: expect.stringMatching(UTC),
      windowOpen: true,
      windowExpiresAt: expect.stringMatching(UTC),
      createdAt: expect.stringMatching(UTC),
      windows: [{ phoneNumber: account.phoneNumber, open: true, expiresAt: newest?.windowExpiresAt }],
    });
    expect(Date.parse(String(newest?.windowExpiresAt)) - Date.parse(String(newest?.lastInboundAt))).toBe(DAY_MS);
  });

  it('page contacts by number and cursor without gaps or duplicates', async () => {
    const pages = await Promise.all([1, 2, 3, 4].map((page) => account.api.listContacts({ page, limit: 2 })));
    expect(pages.map(({ contacts }) => contacts.length)).toEqual([2, 2, 1, 0]);
    expect(pages.map(({ pagination }) => pagination.hasNext)).toEqual([true, true, false, false]);
    expect(pages.flatMap(({ contacts }) => namesOf(contacts))).toEqual([...PEOPLE].reverse());
    const byCursor: unknown[] = [];
    for await (const { profileName } of account.api.items('listContacts', { limit: 2 })) byCursor.push(profileName);
    expect(byCursor).toEqual([...PEOPLE].reverse());
  });

  it.each([
    ['a part of a name', 'asha', ['Asha Patel', 'Asha Rao']],
    ['another case', 'DÍAZ', ['Carla Díaz']],
    ['two words', 'Bo Li', ['Bo Li']],
    ['nobody', 'zz top', []],
  ])('find contacts by %s', async (_what, q, names) => {
    const { contacts, pagination } = await account.api.searchContacts({ q });
    expect(namesOf(contacts)).toEqual(names);
    expect(pagination.total).toBe(names.length);
    const byCursor: unknown[] = [];
    for await (const { profileName } of account.api.items('searchContacts', { q, limit: 1 }))
      byCursor.push(profileName);
    expect(byCursor).toEqual(names);
  });

  it('find contacts by a number with plus signs and spaces', async () => {
    const phone = String(phones[3]);
    const written = `+${phone.slice(0, 2)} ${phone.slice(2, 7)} ${phone.slice(7)}`;
    for (const q of [phone, phone.slice(3), written])
      expect(namesOf((await account.api.searchContacts({ q })).contacts)).toContain('Dmitri Ivanov');
    expect((await account.api.listContacts({ search: phone })).contacts).toMatchObject([{ phone }]);
  });

  it('reject a search text of fewer than two characters', async () => {
    expect(await raw('/contacts/search')).toMatchObject({
      status: 400,
      body: { code: 'MISSING_FIELD', message: 'q is required' },
    });
    expect(await raw('/contacts/search?q=a')).toMatchObject({ status: 422, body: { code: 'INVALID_VALUE' } });
    expect(await raw('/contacts?optedOut=maybe')).toMatchObject({ status: 400, body: { code: 'INVALID_PARAMETER' } });
  });

  it('return conversations with the documented fields, most recent first', async () => {
    const { conversations, pagination } = await account.api.listConversations();
    expect(conversations.map(({ phone }) => phone)).toEqual([phones[1], phones[4], phones[3], phones[2], phones[0]]);
    expect(pagination).toMatchObject({ total: 5, hasNext: false });
    const seen = {
      lastInboundAt: expect.stringMatching(UTC),
      windowOpen: true,
      windowExpiresAt: expect.stringMatching(UTC),
      userId: expect.any(String),
      username: null,
      windows: [{ phoneNumber: account.phoneNumber, open: true, expiresAt: expect.stringMatching(UTC) }],
    };
    const last = { message_id: expect.stringMatching(/^wamid\./), type: 'text', timestamp: expect.stringMatching(UTC) };
    expect(conversations.slice(0, 2)).toEqual([
      {
        ...seen,
        phone: phones[1],
        name: 'Bo Li',
        lastMessage: { ...last, direction: 'outbound', preview: 'second answer', status: 'read' },
        messageCount: 3,
        unreadCount: 0,
      },
      {
        ...seen,
        phone: phones[4],
        name: 'Asha Patel',
        lastMessage: { ...last, direction: 'inbound', preview: 'I am Asha Patel', status: 'received' },
        messageCount: 1,
        unreadCount: 1,
      },
    ]);
  });

  it('filter and page conversations', async () => {
    expect((await account.api.listConversations({ search: 'carla' })).conversations).toMatchObject([
      { phone: phones[2] },
    ]);
    expect((await account.api.listConversations({ windowOpen: false })).conversations).toEqual([]);
    const phonesSeen: unknown[] = [];
    for await (const { phone } of account.api.items('listConversations', { limit: 2 })) phonesSeen.push(phone);
    expect(phonesSeen).toEqual([phones[1], phones[4], phones[3], phones[2], phones[0]]);
  });

  it('return the messages of a single conversation', async () => {
    const { messages, pagination } = await account.api.listConversationMessages({ phone: String(phones[1]) });
    expect(messages.map(({ text }) => text?.body)).toEqual(['second answer', 'first answer', 'I am Bo Li']);
    expect(pagination.total).toBe(3);
    const first = await account.api.listConversationMessages({ phone: String(phones[1]), limit: 1 });
    expect(first.pagination).toMatchObject({ totalPages: 3, hasNext: true, nextCursor: expect.any(String) });
    const next = await account.api.listConversationMessages({
      phone: String(phones[1]),
      limit: 1,
      cursor: String(first.pagination.nextCursor),
    });
    expect(next.messages.map(({ text }) => text?.body)).toEqual(['first answer']);
    const all: unknown[] = [];
    const one = { phone: String(phones[1]), limit: 1 };
    for await (const { text } of account.api.items('listConversationMessages', one)) all.push(text?.body);
    expect(all).toEqual(['second answer', 'first answer', 'I am Bo Li']);
  });

  it.each([
    ['direction=inbound', 5],
    ['direction=outbound', 2],
    ['status=read', 2],
    ['status=received', 5],
    ['status=failed', 0],
    ['type=text', 7],
    ['type=image', 0],
    ['since=2020-01-01', 7],
    ['until=2020-01-01', 0],
  ])('filter messages by %s', async (filter, count) => {
    const { status, body } = await raw(`/messages?${filter}`);
    expect({ status, length: (body['messages'] as unknown[]).length }).toEqual({ status: 200, length: count });
    expect(body['pagination']).toMatchObject({ total: count });
  });

  it.each([
    ['status=lost', 400, 'INVALID_PARAMETER'],
    ['direction=up', 400, 'INVALID_PARAMETER'],
    ['limit=0', 400, 'INVALID_PARAMETER'],
    ['page=-1', 400, 'INVALID_PARAMETER'],
    ['cursor=nonsense', 400, 'INVALID_PARAMETER'],
    ['since=yesterday', 422, 'INVALID_VALUE'],
    ['phone=12', 422, 'INVALID_PHONE'],
  ])('reject messages by %s', async (filter, status, code) => {
    expect(await raw(`/messages?${filter}`)).toMatchObject({ status, body: { code } });
  });
});
