import { randomBytes } from 'node:crypto';
import {
  createNoteV1,
  deleteNoteV1,
  eraseContactV1,
  getContactV1,
  idOf,
  listConversationMessagesV1,
  listNotesV1,
  newId,
  runRetentionV1,
  updateContactV1,
} from '@switchboard/contracts';
import { HIDDEN, hiddenContacts } from './support/hidden-contacts';
import {
  CUSTOMER,
  inboundText,
  type RunningMessaging,
  startMessaging,
  type TestAccount,
} from './support/start-messaging';

describe('internal notes', () => {
  let messaging: RunningMessaging;
  let account: TestAccount;
  const authorId = newId('usr');

  beforeAll(async () => {
    messaging = await startMessaging();
  });
  beforeEach(async () => {
    account = await messaging.addAccount();
  });
  afterAll(() => messaging.stop());

  const { person, receive, hiddenText } = hiddenContacts(() => ({ messaging, account }));
  const write = async (...messages: object[]): Promise<void> => {
    await messaging.callback(account.phoneNumberId, { messages });
    await messaging.settled();
  };
  const contactOf = (phone = CUSTOMER) =>
    messaging.gateway.request(getContactV1, { accountId: account.accountId, phone });
  const idAgo = (seconds: number): string => idOf('note', Date.now() - seconds * 1_000, randomBytes(16));
  async function note(text: string, { ageSeconds = 0, contactId = '', noteId = idAgo(ageSeconds) } = {}) {
    const wanted = contactId || (await contactOf()).contact.id;
    const command = { accountId: account.accountId, contactId: wanted, noteId, authorId, text };
    return (await messaging.gateway.request(createNoteV1, command)).id;
  }
  const thread = (more: { limit?: number; cursor?: string; withNotes?: boolean; phone?: string } = {}) =>
    messaging.gateway.request(listConversationMessagesV1, {
      accountId: account.accountId,
      phone: CUSTOMER,
      page: 1,
      limit: 20,
      withNotes: true,
      ...more,
    });
  const textsOf = async (phone = CUSTOMER) => (await thread({ phone })).notes?.map(({ text }) => text);
  const listAll = (limit = 20, cursor?: string) =>
    messaging.gateway.request(listNotesV1, { accountId: account.accountId, limit, ...(cursor && { cursor }) });

  it('are stored once and change neither messages nor the queue', async () => {
    await write(inboundText({ from: CUSTOMER, ageSeconds: 60 }));
    const before = await contactOf();
    const noteId = newId('note');
    await note('Prefers calls', { noteId });
    await note('Prefers calls', { noteId });
    expect(await contactOf()).toEqual(before);
    expect(before).toMatchObject({ messageCount: 1, unreadCount: 1, queue: { done: false } });
    const page = await thread();
    expect(page).toMatchObject({ total: 1, messages: [{ direction: 'inbound' }], nextCursor: null });
    expect(page.notes).toEqual([
      {
        id: noteId,
        contactId: before.contact.id,
        authorId,
        text: 'Prefers calls',
        createdAt: expect.stringMatching(/Z$/) as string,
      },
    ]);
    expect('notes' in (await thread({ withNotes: false }))).toBe(false);
    const sends = messaging.upstream.sends.filter(({ phoneNumberId }) => phoneNumberId === account.phoneNumberId);
    expect(sends).toEqual([]);
    const changed = await messaging.dataSource.query<object[]>(
      `SELECT 1 FROM published WHERE name = 'messaging.data.changed.v1' AND body::text LIKE '%' || $1 || '%'`,
      [before.contact.id],
    );
    expect(changed).toHaveLength(1);
  });

  it('are on the page of the messages between which they were written', async () => {
    const ages = [100, 200, 300, 400, 500, 600];
    await write(...ages.map((ageSeconds) => inboundText({ from: CUSTOMER, ageSeconds })));
    // Before the first message, several between two messages, and after the last one.
    const written = [650, 450, 350, 345, 340, 335, 330, 150, 50];
    for (const ageSeconds of written) await note(String(ageSeconds), { ageSeconds });
    const everything = [...ages, ...written].sort((one, other) => one - other).map(String);
    for (const limit of [1, 2, 3, 4, 6, 20]) {
      const read: string[] = [];
      let cursor: string | undefined;
      do {
        const page = await thread({ limit, ...(cursor !== undefined && { cursor }) });
        expect(page.messages.length).toBeLessThanOrEqual(limit);
        expect(page.notes?.length).toBeLessThanOrEqual(limit);
        const rows = [
          ...page.messages.map(({ id, timestamp }) => [id.slice(4), ageOf(timestamp, ages)] as const),
          ...(page.notes ?? []).map(({ id, text }) => [id.slice(5), text] as const),
        ];
        read.push(...rows.sort(([one], [other]) => (one > other ? -1 : 1)).map(([, age]) => age));
        cursor = page.nextCursor ?? undefined;
      } while (cursor !== undefined);
      expect([limit, read]).toEqual([limit, everything]);
    }
    const first = await thread({ limit: 2 });
    expect(first.notes?.map(({ text }) => text)).toEqual(['50', '150']);
  });

  it('are deleted by their author, or by any user if the caller allows it', async () => {
    await write(inboundText({ from: CUSTOMER }));
    const [own, other] = [await note('own'), await note('other')];
    const remove = (noteId: string, more: { authorId?: string; accountId?: string } = {}) =>
      messaging.gateway.request(deleteNoteV1, { accountId: account.accountId, noteId, ...more });
    await expect(remove(own, { authorId: newId('usr') })).rejects.toMatchObject({ code: 'ROLE_NOT_ALLOWED' });
    await remove(own, { authorId });
    const stranger = await messaging.addAccount();
    await expect(remove(other, { accountId: stranger.accountId })).rejects.toMatchObject({ code: 'NOT_FOUND' });
    expect(await textsOf()).toEqual(['other']);
    await remove(other);
    await expect(remove(other)).rejects.toMatchObject({ code: 'NOT_FOUND' });
    expect(await textsOf()).toEqual([]);
  });

  it('are rejected for contacts of other accounts', async () => {
    await write(inboundText({ from: CUSTOMER }));
    const contactId = (await contactOf()).contact.id;
    await note('ours');
    const ours = account;
    account = await messaging.addAccount();
    await expect(note('theirs', { contactId })).rejects.toMatchObject({ code: 'NOT_FOUND' });
    await write(inboundText({ from: CUSTOMER }));
    expect([await textsOf(), (await listAll()).notes]).toEqual([[], []]);
    account = ours;
    expect(await textsOf()).toEqual(['ours']);
  });

  it('are listed with their contacts, newest first', async () => {
    await write(inboundText({ from: CUSTOMER }));
    for (const ageSeconds of [30, 20, 10]) await note(String(ageSeconds), { ageSeconds });
    const first = await listAll(2);
    expect(first.notes).toMatchObject([{ text: '10', authorId, phone: CUSTOMER, userId: null }, { text: '20' }]);
    const second = await listAll(2, first.nextCursor ?? undefined);
    expect([second.notes.map(({ text }) => text), second.nextCursor]).toEqual([['30'], null]);
    await expect(listAll(2, 'x')).rejects.toMatchObject({ code: 'INVALID_PARAMETER' });
  });

  it('are shown for a contact without messages', async () => {
    const { accountId } = account;
    await messaging.gateway.request(updateContactV1, { accountId, phone: CUSTOMER, name: 'Asha' });
    await note('Met at the fair');
    expect(await thread()).toMatchObject({ messages: [], total: 0, nextCursor: null });
    expect(await textsOf()).toEqual(['Met at the fair']);
    await expect(thread({ withNotes: false })).rejects.toMatchObject({ code: 'NOT_FOUND' });
    await expect(thread({ phone: '919812349999' })).rejects.toMatchObject({ code: 'NOT_FOUND' });
  });

  it('are deleted with an erased contact', async () => {
    await write(inboundText({ from: CUSTOMER }));
    await note('secret');
    const erased = { accountId: account.accountId, phone: CUSTOMER, dryRun: false };
    while (!(await messaging.gateway.request(eraseContactV1, erased)).done);
    expect((await listAll()).notes).toEqual([]);
  });

  it('are kept when contacts are merged', async () => {
    await write(inboundText({ from: CUSTOMER, ageSeconds: 60 }));
    await note('by number', { ageSeconds: 2 });
    await receive(hiddenText());
    await note('by user id', { contactId: (await contactOf(HIDDEN)).contact.id, ageSeconds: 1 });
    await receive(
      { ...inboundText({ from: CUSTOMER, ageSeconds: 0 }), from_user_id: HIDDEN },
      person(HIDDEN, 'asha.rao', CUSTOMER),
    );
    expect(await textsOf()).toEqual(['by user id', 'by number']);
  });

  it('are retained as long as messages', async () => {
    const day = 86_400;
    await write(inboundText({ from: CUSTOMER }));
    await note('old', { ageSeconds: 31 * day });
    await note('recent', { ageSeconds: 29 * day });
    const { accountId } = account;
    await messaging.gateway.request(runRetentionV1, { accountId, dryRun: false });
    expect(await textsOf()).toEqual(['recent', 'old']);
    await messaging.dataSource.query('INSERT INTO account_settings (account_id, message_days) VALUES ($1, 30)', [
      accountId,
    ]);
    await messaging.gateway.request(runRetentionV1, { accountId, dryRun: false });
    expect(await textsOf()).toEqual(['recent']);
  });
});

/** Returns the age at which a message was written; the platform's times are in seconds. */
function ageOf(timestamp: string, ages: readonly number[]): string {
  const seconds = (Date.now() - Date.parse(timestamp)) / 1_000;
  return String(ages.find((age) => Math.abs(age - seconds) < 40));
}
