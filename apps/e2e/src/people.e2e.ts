import { randomUUID } from 'node:crypto';
import { eventually } from '@switchboard/testing';
import { newAccount, type TestAccount } from './support/account';
import { get } from './support/api';
import { eventProblems } from './support/described';
import { control, freshPhone, writeIn, writeInAny } from './support/simulator';
import { type Listener, listenFor } from './support/webhooks';

type Fields = Record<string, unknown>;

const UTC = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;
const HELLO = { type: 'text', text: { body: 'Hello' } } as const;

/** Customer actions other than writing, from the customer's phone to the account's server and the API. */
describe('customer actions', () => {
  let account: TestAccount;
  let listener: Listener;
  let other: TestAccount;

  beforeAll(async () => {
    [account, other] = [await newAccount('People'), await newAccount('People of another')];
    listener = await listenFor(account.accountId);
  }, 90_000);
  afterAll(() => listener.receiver.close());

  const eventsOf = (kind: string, with_: Fields): Fields[] =>
    listener
      .events()
      .map((event) => ({ ...event }) as Fields)
      .filter(({ event }) => event === kind)
      .filter((event) => Object.entries(with_).every(([name, value]) => event[name] === value));
  const theEvent = (kind: string, with_: Fields): Promise<Fields> =>
    eventually(() => {
      const found = eventsOf(kind, with_);
      expect(found).toHaveLength(1);
      return found[0] as Fields;
    });
  const record = async (id: unknown): Promise<Fields> =>
    (await get(`/messages/${String(id)}`, { apiKey: account.apiKey })).body['message'] as Fields;
  const fits = async (event: Fields): Promise<void> => expect(await eventProblems(event as { event: string })).toBe('');
  const write = (from: string, text: string) => writeIn(from, text, { to: account.phoneNumber, name: 'Asha' });
  const change = (from: string, message: Fields & { type: string }) =>
    writeInAny({ from, to: account.phoneNumber, name: 'Asha', ...message });
  /** Waits until all events reported earlier have been delivered. */
  const aMomentLater = async (): Promise<void> => {
    const messageId = await write(freshPhone(), 'later');
    await theEvent('message', { messageId });
  };

  it('update the record and send an event when a message is edited', async () => {
    const from = freshPhone();
    const messageId = await write(from, 'Where is my oder?');
    const { id } = await theEvent('message', { messageId });
    const message = { type: 'text', text: { body: 'Where is my order?' } };
    await change(from, { type: 'edit', edit: { original_message_id: messageId, message } });
    const edited = await theEvent('message_edited', { messageId });
    expect(edited).toMatchObject({ id, from, name: 'Asha', to: account.phoneNumber, ...message });
    await fits(edited);
    expect(await record(id)).toMatchObject({ ...message, editedAt: edited['timestamp'] });
    expect(edited['timestamp']).toMatch(UTC);
    // Repeat the edit, and edit an unknown message.
    await change(from, {
      type: 'edit',
      id: `wamid.${randomUUID()}`,
      edit: { original_message_id: 'wamid.NOBODY', message },
    });
    const unknown = await theEvent('message_edited', { messageId: 'wamid.NOBODY' });
    expect(unknown).toMatchObject({ id: null, from });
    await fits(unknown);
    expect(eventsOf('message', { from })).toHaveLength(1);
  });

  it('remove text and file of a deleted message and ignore later edits', async () => {
    const from = freshPhone();
    const messageId = await change(from, { type: 'image', image: { caption: 'My card' } });
    const { id, image } = await theEvent('message', { messageId });
    const link = `/media/${(image as { id: string }).id}`;
    expect((await get(link, { apiKey: account.apiKey })).status).toBe(200);
    await change(from, { type: 'revoke', revoke: { original_message_id: messageId } });
    const deleted = await theEvent('message_deleted', { messageId });
    expect(deleted).toMatchObject({ id, from, name: 'Asha', to: account.phoneNumber });
    await fits(deleted);
    const shown = await record(id);
    expect(shown).toMatchObject({ type: 'image', caption: null, deletedAt: deleted['timestamp'] });
    expect(JSON.stringify(shown)).not.toMatch(/My card|"image":/);
    const { conversations } = await account.api.listConversations({ search: from });
    expect(conversations).toMatchObject([{ lastMessage: { message_id: messageId, preview: null } }]);
    expect((await get(link, { apiKey: account.apiKey })).status).toBe(404);
    const message = { type: 'image', image: { caption: 'Back' } };
    await change(from, { type: 'edit', edit: { original_message_id: messageId, message } });
    await aMomentLater();
    expect(eventsOf('message_edited', { messageId })).toEqual([]);
    expect(JSON.stringify(await record(id))).not.toContain('Back');
  });

  it('store no text of a message deleted before it arrives', async () => {
    const [from, messageId] = [freshPhone(), `wamid.${randomUUID()}`];
    await change(from, { type: 'revoke', revoke: { original_message_id: messageId } });
    expect(await theEvent('message_deleted', { messageId })).toMatchObject({ id: null });
    await change(from, { ...HELLO, id: messageId });
    await eventually(async () =>
      expect(await record(messageId)).toMatchObject({ deletedAt: expect.stringMatching(UTC) as string }),
    );
    await aMomentLater();
    expect(await record(messageId)).not.toHaveProperty('text');
    expect(eventsOf('message', { messageId })).toEqual([]);
  });

  it('move contact and conversation to a new number', async () => {
    const [before, phone] = [freshPhone(), freshPhone()];
    await theEvent('message', { messageId: await write(before, 'Hello') });
    const noticeId = await change(before, {
      type: 'system',
      system: { type: 'user_changed_number', wa_id: phone, body: `Asha changed from ${before} to ${phone}` },
    });
    const moved = await theEvent('contact_changed', { phone });
    expect(moved).toMatchObject({ previousPhone: before, to: account.phoneNumber, moved: true });
    await fits(moved);
    const { messages } = await account.api.listConversationMessages({ phone });
    expect(messages).toMatchObject([
      {
        messageId: noticeId,
        from: before,
        unsupported: { type: 'system', notice: 'user_changed_number', phone },
      },
      { text: { body: 'Hello' }, from: before },
    ]);
    const [contact] = (await account.api.searchContacts({ q: phone })).contacts;
    expect(contact).toMatchObject({ id: moved['contactId'], userId: moved['userId'] });
    expect((await get(`/conversations/${before}/messages`, { apiKey: account.apiKey })).status).toBe(404);
    // Messages from the new number continue the same conversation.
    await theEvent('message', { messageId: await write(phone, 'It is me') });
    expect((await account.api.listConversationMessages({ phone })).messages).toHaveLength(3);
    expect(eventsOf('contact_changed', { phone })).toHaveLength(1);
  });

  it('report a group message without opening a conversation or a window', async () => {
    const [from, groupId] = [freshPhone(), `Group.${randomUUID()}`];
    const messageId = await change(from, { ...HELLO, groupId });
    const event = await theEvent('message', { messageId });
    expect(event).toMatchObject({ groupId, from, text: { body: 'Hello' } });
    await fits(event);
    const listed = await get(`/messages?groupId=${groupId}`, { apiKey: account.apiKey });
    expect(listed.body['messages']).toMatchObject([{ id: event['id'], groupId, from }]);
    expect((await get(`/messages?groupId=${groupId}`, { apiKey: other.apiKey })).body['messages']).toEqual([]);
    expect((await account.api.listConversations({ search: from })).conversations).toEqual([]);
    expect((await account.api.listMessages({ phone: from })).messages).toEqual([]);
    await expect(account.api.sendMessage({ to: from, ...HELLO })).rejects.toMatchObject({ code: 'WINDOW_CLOSED' });
    // The conversation contains only messages to the number itself.
    await theEvent('message', { messageId: await write(from, 'Privately') });
    expect((await account.api.listConversationMessages({ phone: from })).messages).toMatchObject([
      { text: { body: 'Privately' } },
    ]);
  });

  it('open the window and add a thread entry for a call', async () => {
    const from = freshPhone();
    await expect(account.api.sendMessage({ to: from, ...HELLO })).rejects.toMatchObject({ code: 'WINDOW_CLOSED' });
    const { callId } = await control<{ callId: string }>('POST', '/calls', {
      from,
      to: account.phoneNumber,
      name: 'Asha',
    });
    const call = await theEvent('call', { callId });
    expect(call).toMatchObject({ from, name: 'Asha', to: account.phoneNumber });
    await fits(call);
    const { messages } = await account.api.listConversationMessages({ phone: from });
    expect(messages).toMatchObject([
      { id: call['id'], messageId: callId, type: 'call', direction: 'inbound', status: 'received' },
    ]);
    expect(messages[0]).not.toHaveProperty('call');
    expect((await account.api.listConversations({ search: from })).conversations).toMatchObject([
      { windowOpen: true, lastMessage: { type: 'call' } },
    ]);
    expect(await account.api.sendMessage({ to: from, ...HELLO })).toMatchObject({ status: 'accepted' });
  });
});
