import {
  eraseContactV1,
  failJobMessagesV1,
  getContactV1,
  getPersonKeysV1,
  listContactsV1,
  listConversationMessagesV1,
  newId,
  templateSample,
  updateContactV1,
} from '@switchboard/contracts';
import { eventually } from '@switchboard/testing';
import { HIDDEN, hiddenContacts } from './support/hidden-contacts';
import {
  CUSTOMER,
  inboundText,
  type RunningMessaging,
  startMessaging,
  type TestAccount,
} from './support/start-messaging';
import { wamidOf } from './support/upstream';

const text = { body: 'Hello' };

describe('contacts without a visible number', () => {
  let messaging: RunningMessaging;
  let account: TestAccount;

  beforeAll(async () => {
    messaging = await startMessaging({ replicas: 2 });
    const template = { ...templateSample, components: [{ type: 'BODY', text: 'Hello' }] };
    messaging.templates.set('order_update', template);
    messaging.templates.set('sale', { ...template, name: 'sale', category: 'MARKETING' });
    messaging.templates.set('verification_code', { ...template, category: 'AUTHENTICATION' });
  });
  beforeEach(async () => {
    account = await messaging.addAccount();
  });
  afterAll(() => messaging.stop());

  const { person, receive, hiddenText, contacts, conversations, thread } = hiddenContacts(() => ({
    messaging,
    account,
  }));

  it('receive replies by user id in one conversation', async () => {
    const question = hiddenText();
    await receive(question);
    const before = messaging.upstream.sends.length;
    const sent = await messaging.send(account.accountId, { to: HIDDEN, text });
    const [{ body } = { body: {} }] = messaging.upstream.sends.slice(before);
    expect(body).toMatchObject({ recipient: HIDDEN, type: 'text' });
    expect(body).not.toHaveProperty('to');
    const status = { id: sent.upstreamId, status: 'delivered', timestamp: String(Math.floor(Date.now() / 1_000)) };
    await messaging.callback(account.phoneNumberId, { statuses: [{ ...status, recipient_user_id: HIDDEN }] });
    await messaging.settled();
    expect(messaging.inboundEvents.find(({ upstreamId }) => upstreamId === question.id)).toMatchObject({
      from: HIDDEN,
      userId: HIDDEN,
      username: 'asha.rao',
    });
    expect(messaging.statusEvents.find(({ id }) => id === sent.id)).toMatchObject({ to: HIDDEN, username: 'asha.rao' });
    expect(await thread(HIDDEN)).toMatchObject([
      { direction: 'outbound', to: null, userId: HIDDEN, username: 'asha.rao', status: 'delivered' },
      { direction: 'inbound', from: null, userId: HIDDEN, username: 'asha.rao' },
    ]);
    expect(await conversations()).toMatchObject([
      { phone: null, userId: HIDDEN, username: 'asha.rao', messageCount: 2, unreadCount: 0, windowOpen: true },
    ]);
    expect(await contacts()).toHaveLength(1);
  });

  it('receive only templates outside the window', async () => {
    await expect(messaging.send(account.accountId, { to: HIDDEN, text })).rejects.toMatchObject({
      code: 'WINDOW_CLOSED',
    });
    expect(await contacts()).toEqual([]);
    const template = { name: 'order_update', language: { code: 'en_US' }, components: [] };
    const sends = Array.from({ length: 5 }, () =>
      messaging.send(account.accountId, { to: HIDDEN, type: 'template', template }),
    );
    await Promise.all(sends);
    expect(await contacts()).toMatchObject([{ phone: null, userId: HIDDEN }]);
  });

  it('receive no one-time codes', async () => {
    await receive(hiddenText());
    const before = messaging.upstream.sends.length;
    const template = { name: 'verification_code', language: { code: 'en_US' }, components: [] };
    await expect(messaging.send(account.accountId, { to: HIDDEN, type: 'template', template })).rejects.toMatchObject({
      code: 'PHONE_REQUIRED',
      details: [{ field: 'to' }],
    });
    await expect(
      messaging.send(account.accountId, { to: HIDDEN, text }, newId('msg'), { isSecret: true }),
    ).rejects.toMatchObject({ code: 'PHONE_REQUIRED' });
    expect(messaging.upstream.sends).toHaveLength(before);
    expect(await thread(HIDDEN)).toHaveLength(1);
  });

  it('receive a message once despite redelivered commands', async () => {
    await receive(hiddenText());
    const before = messaging.upstream.sends.length;
    const id = newId('msg');
    // The second attempt may find the first one in progress.
    const attempt = () => messaging.send(account.accountId, { to: HIDDEN, text }, id).catch(() => undefined);
    const answers = await Promise.all([attempt(), attempt()]);
    const answer = { id, upstreamId: wamidOf(before + 1) };
    expect(answers).toContainEqual(answer);
    expect(await messaging.send(account.accountId, { to: HIDDEN, text }, id)).toEqual(answer);
    expect(messaging.upstream.sends).toHaveLength(before + 1);
  });

  it('have a separate rate limit per number', async () => {
    const other = 'US.10000000000000000043';
    await receive(hiddenText());
    await receive(hiddenText(other), person(other));
    messaging.upstream.behaveTo(HIDDEN, { refuseWith: 131056 });
    await expect(messaging.send(account.accountId, { to: HIDDEN, text })).rejects.toMatchObject({
      code: 'UPSTREAM_THROTTLED',
    });
    const before = messaging.upstream.sends.length;
    await messaging.send(account.accountId, { to: other, text });
    expect(messaging.upstream.sends.slice(before).map(({ body }) => body.recipient)).toEqual([other]);
    messaging.upstream.behaveTo(HIDDEN);
  });

  it('receive replies and reactions only to messages of their conversation', async () => {
    const question = hiddenText();
    await receive(question);
    await messaging.send(account.accountId, { to: HIDDEN, text, context: { messageId: question.id } });
    await messaging.send(account.accountId, {
      to: HIDDEN,
      type: 'reaction',
      reaction: { messageId: question.id, emoji: '👍' },
    });
    expect(messaging.upstream.sends.slice(-2).map(({ body }) => body)).toMatchObject([
      { recipient: HIDDEN, context: { message_id: question.id } },
      { recipient: HIDDEN, reaction: { message_id: question.id } },
    ]);
    const stranger = 'US.10000000000000000044';
    await receive(hiddenText(stranger), person(stranger));
    await expect(
      messaging.send(account.accountId, { to: stranger, text, context: { messageId: question.id } }),
    ).rejects.toMatchObject({ code: 'INVALID_VALUE' });
  });

  it('opt out by keyword and receive no marketing', async () => {
    const sendTemplate = (name: string) =>
      messaging.send(account.accountId, {
        to: HIDDEN,
        type: 'template',
        template: { name, language: { code: 'en_US' } },
      });
    await receive(hiddenText());
    await sendTemplate('sale');
    await receive(hiddenText(HIDDEN, { text: { body: 'STOP' } }));
    expect(await contacts()).toMatchObject([{ optedOut: true }]);
    const before = messaging.upstream.sends.length;
    await expect(sendTemplate('sale')).rejects.toMatchObject({ code: 'RECIPIENT_OPTED_OUT' });
    expect(messaging.upstream.sends).toHaveLength(before);
    await sendTemplate('order_update');
    // A preference set on the platform counts like a word.
    const preference = 'UPDATE contacts SET opted_out = false, marketing_opted_out = true WHERE account_id = $1';
    await messaging.dataSource.query(preference, [account.accountId]);
    await expect(sendTemplate('sale')).rejects.toMatchObject({ code: 'RECIPIENT_OPTED_OUT' });
    await sendTemplate('order_update');
    const block = 'UPDATE contacts SET blocked = true WHERE account_id = $1';
    await messaging.dataSource.query(block, [account.accountId]);
    await expect(messaging.send(account.accountId, { to: HIDDEN, text })).rejects.toMatchObject({
      code: 'RECIPIENT_OPTED_OUT',
      message: 'your account has blocked this recipient',
    });
  });

  it('are found by username or id in their account', async () => {
    await receive(hiddenText());
    const other = await messaging.addAccount();
    for (const search of ['asha.rao', '@asha', 'sha.r', HIDDEN]) {
      expect(await contacts(search)).toMatchObject([{ userId: HIDDEN }]);
      expect(await conversations(search)).toMatchObject([{ userId: HIDDEN }]);
    }
    expect(await contacts('@rao')).toEqual([]);
    const asOther = { accountId: other.accountId, page: 1, limit: 20 };
    expect((await messaging.gateway.request(listContactsV1, { ...asOther, search: HIDDEN })).contacts).toEqual([]);
    await expect(
      messaging.gateway.request(listConversationMessagesV1, { ...asOther, phone: HIDDEN }),
    ).rejects.toMatchObject({ code: 'NOT_FOUND' });
    await expect(
      messaging.gateway.request(getContactV1, { accountId: other.accountId, phone: HIDDEN }),
    ).rejects.toMatchObject({ code: 'NOT_FOUND' });
    await expect(messaging.send(other.accountId, { to: HIDDEN, text })).rejects.toMatchObject({
      code: 'WINDOW_CLOSED',
    });
  });

  it('have their username updated by later messages', async () => {
    await receive(hiddenText());
    await receive(hiddenText(), person(HIDDEN, 'asha.new'));
    expect(await contacts()).toMatchObject([{ username: 'asha.new' }]);
    expect(await contacts('asha.rao')).toEqual([]);
  });

  it('are erased by user id', async () => {
    await receive(hiddenText());
    await messaging.send(account.accountId, { to: HIDDEN, text });
    const erase = { accountId: account.accountId, phone: HIDDEN };
    expect(await messaging.gateway.request(eraseContactV1, { ...erase, dryRun: true })).toMatchObject({
      messages: 2,
      knownAs: [HIDDEN],
    });
    expect(await messaging.gateway.request(eraseContactV1, { ...erase, dryRun: false })).toMatchObject({
      messages: 2,
      done: true,
    });
    expect(await contacts()).toEqual([]);
  });

  it('are identified by number if known, else by user id', async () => {
    const [known, hidden, stranger] = ['US.10000000000000000051', 'US.10000000000000000052', 'US.10000000000000000053'];
    await receive(
      { ...inboundText({ from: '5511987654321' }), from_user_id: known },
      person(known, 'bo', '5511987654321'),
    );
    await receive(hiddenText(hidden), person(hidden));
    const wanted = { accountId: account.accountId, userIds: [known, hidden, stranger] };
    const { people } = await messaging.gateway.request(getPersonKeysV1, wanted);
    expect(people.toSorted((one, other) => one.userId.localeCompare(other.userId))).toEqual([
      { userId: known, key: '551187654321' },
      { userId: hidden, key: hidden },
    ]);
    const other = await messaging.addAccount();
    expect(await messaging.gateway.request(getPersonKeysV1, { ...wanted, accountId: other.accountId })).toEqual({
      people: [],
    });
  });

  it('can be updated by user id', async () => {
    const set = (phone: string, more: object) =>
      messaging.gateway.request(updateContactV1, { accountId: account.accountId, phone, ...more });
    expect(await set(HIDDEN, { optedOut: true })).toMatchObject({
      contact: { phone: null, userId: HIDDEN, optedOut: true },
    });
    await receive({ ...inboundText({ from: CUSTOMER }), from_user_id: HIDDEN }, person(HIDDEN, 'asha.rao', CUSTOMER));
    expect(await set(HIDDEN, { name: 'Asha' })).toMatchObject({
      contact: { phone: CUSTOMER, userId: HIDDEN, optedOut: true, name: 'Asha' },
    });
    expect(await contacts()).toHaveLength(1);
  });

  it('get failed records for unsent job messages', async () => {
    await receive(hiddenText());
    const { error } = failJobMessagesV1.sample;
    const unknown = 'US.10000000000000000061';
    const recipients = [HIDDEN, unknown, CUSTOMER].map((to) => ({ messageId: newId('msg'), to }));
    const message = { type: 'text' as const, from: account.phoneNumber, text };
    const task = { accountId: account.accountId, jobId: newId('job'), message, recipients, error };
    await messaging.gateway.enqueue(failJobMessagesV1, task);
    await eventually(async () =>
      expect((await contacts()).map(({ phone, userId }) => phone ?? userId).sort()).toEqual(
        [CUSTOMER, HIDDEN, unknown].sort(),
      ),
    );
    expect((await thread(HIDDEN))[0]).toMatchObject({ to: null, userId: HIDDEN, status: 'failed' });
    expect(await thread(unknown)).toMatchObject([{ to: null, userId: unknown, status: 'failed' }]);
    expect(await thread(CUSTOMER)).toMatchObject([{ to: CUSTOMER, status: 'failed' }]);
  });

  describe('with an id that several businesses share', () => {
    const PARENT = 'US.ENT.20000000000000000042';
    const withParent = (message: object = hiddenText()) => ({ ...message, from_parent_user_id: PARENT });

    it('are found by the shared id and show it in events', async () => {
      const question = { ...hiddenText(), from_parent_user_id: PARENT };
      await receive(question, { ...person(), parent_user_id: PARENT });
      expect(await contacts(PARENT)).toMatchObject([{ userId: HIDDEN, parentUserId: PARENT }]);
      expect(messaging.inboundEvents.find(({ upstreamId }) => upstreamId === question.id)).toMatchObject({
        userId: HIDDEN,
        parentUserId: PARENT,
      });
      expect(await thread(PARENT)).toMatchObject([{ userId: HIDDEN, parentUserId: PARENT }]);
      const sent = await messaging.send(account.accountId, { to: PARENT, text });
      expect(messaging.upstream.sends.at(-1)?.body).toMatchObject({ recipient: PARENT });
      expect(await contacts()).toHaveLength(1);
      const status = { id: sent.upstreamId, status: 'sent', timestamp: String(Math.floor(Date.now() / 1_000)) };
      await messaging.callback(account.phoneNumberId, { statuses: [status] });
      await messaging.settled();
      expect(messaging.statusEvents.find(({ id }) => id === sent.id)).toMatchObject({
        to: PARENT,
        parentUserId: PARENT,
      });
      const erase = { accountId: account.accountId, phone: PARENT };
      expect(await messaging.gateway.request(eraseContactV1, { ...erase, dryRun: true })).toMatchObject({
        messages: 2,
        knownAs: expect.arrayContaining([HIDDEN, PARENT]) as string[],
      });
      await messaging.gateway.request(eraseContactV1, { ...erase, dryRun: false });
      expect(await contacts()).toEqual([]);
    });

    it('get the shared id from a status', async () => {
      await receive(hiddenText());
      const sent = await messaging.send(account.accountId, { to: HIDDEN, text });
      const status = {
        id: sent.upstreamId,
        status: 'delivered',
        timestamp: String(Math.floor(Date.now() / 1_000)),
        recipient_user_id: HIDDEN,
        recipient_parent_user_id: PARENT,
      };
      await messaging.callback(account.phoneNumberId, { statuses: [status] });
      await messaging.settled();
      expect(await contacts()).toMatchObject([{ userId: HIDDEN, parentUserId: PARENT }]);
      expect(messaging.statusEvents.find(({ id }) => id === sent.id)).toMatchObject({ parentUserId: PARENT });
    });

    it.each([
      ['by user id', undefined],
      ['by number', CUSTOMER],
    ])('are merged with the contact created by an earlier send, known %s', async (_title, phone) => {
      const template = { name: 'order_update', language: { code: 'en_US' }, components: [] };
      await messaging.send(account.accountId, { to: PARENT, type: 'template', template });
      if (phone !== undefined) await messaging.send(account.accountId, { to: phone, type: 'template', template });
      const message = phone === undefined ? hiddenText() : { ...inboundText({ from: phone }), from_user_id: HIDDEN };
      await receive(withParent(message), person(HIDDEN, 'asha.rao', phone));
      expect(await contacts()).toMatchObject([{ phone: phone ?? null, userId: HIDDEN, parentUserId: PARENT }]);
      expect(await thread(PARENT)).toHaveLength(phone === undefined ? 2 : 3);
    });
  });

  it('keep their conversation under a new user id', async () => {
    const next = 'US.10000000000000000099';
    await receive(hiddenText());
    await receive(hiddenText(next), person(next));
    expect(await contacts()).toHaveLength(2);
    await receive({
      ...hiddenText(),
      type: 'system',
      text: undefined,
      system: { type: 'user_changed_user_id', user_id: next },
    });
    expect(await contacts()).toMatchObject([{ userId: next }]);
    expect(await thread(next)).toHaveLength(3);
  });
});
