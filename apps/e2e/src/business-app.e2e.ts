import { eventually } from '@switchboard/testing';
import { newAccount, type TestAccount } from './support/account';
import { eventProblems } from './support/described';
import { done } from './support/installation';
import { control, freshPhone, writeIn } from './support/simulator';
import { type Listener, listenFor } from './support/webhooks';

const DAY_S = 86_400;

describe('business phone app', () => {
  let account: TestAccount;
  let listener: Listener;

  beforeAll(async () => {
    account = await newAccount('Phone app');
    listener = await listenFor(account.accountId);
  }, 90_000);
  afterAll(() => listener.receiver.close());

  const echo = async (message: object): Promise<string> => {
    const { messageId } = await control<{ messageId: string }>('POST', '/echoes', {
      from: account.phoneNumber,
      ...message,
    });
    return messageId;
  };
  const thread = async (phone: string) => (await account.api.listConversationMessages({ phone })).messages;
  const echoesOf = (messageId: string) =>
    listener
      .about(messageId)
      .map((event) => ({ ...event }) as Record<string, unknown>)
      .filter(({ event }) => event === 'message_echo');

  it('adds its messages, edits and deletions to the thread with one event each', async () => {
    const to = freshPhone();
    await writeIn(to, 'Are you open?', { to: account.phoneNumber });
    await eventually(async () => expect(await thread(to)).toHaveLength(1));
    const { credits } = await account.api.getMe();
    const messageId = await echo({ to, text: { body: 'Until sx.' } });
    await eventually(() => expect(echoesOf(messageId)).toHaveLength(1));
    expect((await thread(to))[0]).toMatchObject({
      messageId,
      direction: 'outbound',
      origin: 'business_app',
      status: 'sent',
      text: { body: 'Until sx.' },
      jobId: null,
      clientRef: null,
      from: account.phoneNumber,
      to,
    });
    const original = { original_message_id: messageId };
    await echo({ to, type: 'edit', edit: { ...original, message: { type: 'text', text: { body: 'Until six.' } } } });
    await eventually(async () => expect((await thread(to))[0]).toMatchObject({ text: { body: 'Until six.' } }));
    await echo({ to, type: 'revoke', revoke: original });
    await eventually(async () => expect((await thread(to))[0]).toHaveProperty('deletedAt'));
    await eventually(() => expect(echoesOf(messageId)).toHaveLength(3));
    const [sent, edited, deleted] = echoesOf(messageId).toSorted((one, other) =>
      String(other['action']).localeCompare(String(one['action'])),
    );
    expect(sent).toMatchObject({
      action: 'sent',
      from: account.phoneNumber,
      to,
      userId: null,
      text: { body: 'Until sx.' },
    });
    expect(edited).toMatchObject({ action: 'edited', id: sent?.['id'], text: { body: 'Until six.' } });
    expect(deleted).toMatchObject({ action: 'deleted', id: sent?.['id'] });
    expect(deleted).not.toHaveProperty('type');
    expect(deleted).not.toHaveProperty('text');
    for (const event of echoesOf(messageId)) expect(await eventProblems(event as { event: string })).toBe('');
    const { conversations } = await account.api.listConversations({ search: to });
    expect(conversations).toMatchObject([{ unreadCount: 0, messageCount: 2 }]);
    expect((await account.api.getMe()).credits).toEqual(credits);
  });

  it('identifies a customer without a number by user id', async () => {
    // Format of the simulator for a number in India.
    const userId = `IN.1${freshPhone().padStart(19, '0')}`;
    const contacts = [{ name: { formatted_name: 'Bo Li' }, phones: [{ wa_id: '15550003333' }] }];
    const messageId = await echo({ to: userId, type: 'contacts', contacts });
    const person = { to: null, userId };
    const content = {
      type: 'contacts',
      contacts: [{ name: { formattedName: 'Bo Li' }, phones: [{ waId: '15550003333' }] }],
    };
    await eventually(() =>
      expect(echoesOf(messageId)).toMatchObject([{ action: 'sent', messageId, ...person, ...content }]),
    );
    await echo({ to: userId, type: 'revoke', revoke: { original_message_id: messageId } });
    await eventually(() => expect(echoesOf(messageId)).toHaveLength(2));
    const [sent, deleted] = echoesOf(messageId);
    expect(deleted).toMatchObject({ action: 'deleted', id: sent?.['id'], ...person });
    expect(deleted).not.toHaveProperty('contacts');
    for (const event of echoesOf(messageId)) expect(await eventProblems(event as { event: string })).toBe('');
  });

  it('sends a file that is available at the link of the event', async () => {
    const to = freshPhone();
    const messageId = await echo({ to, type: 'image', image: { caption: 'The menu' } });
    const [event] = await eventually(() => {
      const found = echoesOf(messageId);
      expect(found).toHaveLength(1);
      return found;
    });
    const { link, caption } = event?.['image'] as { link: string; caption: string };
    expect(caption).toBe('The menu');
    expect((await account.api.getMessage({ id: messageId })).message).toMatchObject({
      origin: 'business_app',
      direction: 'outbound',
      image: event?.['image'],
    });
    await eventually(async () => {
      const file = await fetch(link, { headers: { authorization: `Bearer ${account.apiKey}` } });
      expect(file.status).toBe(200);
      expect((await file.arrayBuffer()).byteLength).toBeGreaterThan(0);
    });
    await echo({ to, type: 'revoke', revoke: { original_message_id: messageId } });
    await eventually(async () => {
      const file = await fetch(link, { headers: { authorization: `Bearer ${account.apiKey}` } });
      expect(file.status).toBe(404);
    });
    expect(JSON.stringify((await account.api.getMessage({ id: messageId })).message)).not.toContain('The menu');
  });

  it('adds its history to the thread without events and shows the progress', async () => {
    const customer = freshPhone();
    const now = Math.floor(Date.now() / 1_000);
    const messages = [
      { by: 'customer', text: { body: 'Do you deliver?' }, timestamp: now - 40 * DAY_S },
      { by: 'business', text: { body: 'We do.' }, timestamp: now - 39 * DAY_S, status: 'DELIVERED' },
    ];
    const chunk = { from: account.phoneNumber, phase: 1, progress: 55, threads: [{ customer, messages }] };
    await control('POST', '/history', { from: account.phoneNumber, declined: true });
    const numberOf = async () => {
      const { numbers } = await done('numbers', 'list', '--account', account.accountId);
      return (numbers as Record<string, unknown>[])[0];
    };
    await eventually(async () => expect(await numberOf()).toMatchObject({ appHistory: { declined: true } }), {
      timeoutMs: 30_000,
    });
    const { messageIds } = await control<{ messageIds: string[] }>('POST', '/history', chunk);
    await eventually(async () => expect(await thread(customer)).toHaveLength(2));
    expect(await thread(customer)).toMatchObject([
      { direction: 'outbound', status: 'delivered', origin: 'history', text: { body: 'We do.' } },
      { direction: 'inbound', status: 'received', origin: 'history', text: { body: 'Do you deliver?' } },
    ]);
    const [first] = (await thread(customer)).toReversed();
    expect(first?.timestamp).toBe(new Date((now - 40 * DAY_S) * 1_000).toISOString());
    await eventually(
      async () => expect(await numberOf()).toMatchObject({ appHistory: { phase: 1, progress: 55, declined: false } }),
      { timeoutMs: 30_000 },
    );
    const { conversations } = await account.api.listConversations({ search: customer });
    expect(conversations).toMatchObject([{ unreadCount: 0, windowOpen: false }]);
    expect(messageIds.flatMap((id) => listener.about(id))).toEqual([]);
  });

  it("adds its contacts without replacing the account's names", async () => {
    const phone = freshPhone();
    const contactOf = async () => (await account.api.searchContacts({ q: phone })).contacts[0];
    await control('POST', '/app-contacts', {
      from: account.phoneNumber,
      contacts: [{ phone, name: 'Asha (blue door)' }],
    });
    await eventually(async () =>
      expect(await contactOf()).toMatchObject({ appName: 'Asha (blue door)', name: 'Asha (blue door)' }),
    );
    expect((await account.api.searchContacts({ q: 'blue door' })).contacts).toMatchObject([{ phone }]);
    const later = Math.floor(Date.now() / 1_000) + 5;
    await control('POST', '/app-contacts', {
      from: account.phoneNumber,
      contacts: [{ phone, action: 'remove', timestamp: later }],
    });
    await eventually(async () => expect(await contactOf()).toMatchObject({ appName: null, name: null }));
  });
});
