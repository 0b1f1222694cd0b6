import { eventually } from '@switchboard/testing';
import { inboundText, type RunningMessaging, startMessaging, type TestAccount } from './support/start-messaging';

interface Contact {
  phone: string;
  user_id: string | null;
  profile_name: string | null;
  last_inbound_at: Date | null;
}

describe('inbound messages', () => {
  let messaging: RunningMessaging;
  let account: TestAccount;

  beforeAll(async () => {
    messaging = await startMessaging({ replicas: 2 });
  });
  beforeEach(async () => {
    account = await messaging.addAccount();
  });
  afterAll(() => messaging.stop());

  const receive = (messages: object[], contacts: object[] = []) =>
    messaging.callback(account.phoneNumberId, { messages, contacts });
  const contactOf = async (phone: string): Promise<Contact | undefined> =>
    (
      await messaging.dataSource.query(
        `SELECT contacts.*, last_inbound_at FROM contacts LEFT JOIN service_windows ON contact_id = contacts.id
         WHERE contacts.account_id = $1 AND (phone = $2 OR user_id = $2)`,
        [account.accountId, phone],
      )
    )[0];
  const eventsOf = (upstreamId: string) => messaging.inboundEvents.filter((event) => event.upstreamId === upstreamId);
  const list = async () => (await messaging.list(account.accountId)).messages;
  const ageSeconds = (date: Date | null | undefined): number => (Date.now() - (date?.getTime() ?? 0)) / 1_000;

  it('are stored and published, and open the window', async () => {
    const message = inboundText({ text: 'Hello 😀' });
    await receive([message], [{ wa_id: message.from, user_id: 'US.1', profile: { name: 'Asha R' } }]);
    const timestamp = new Date(Number(message.timestamp) * 1_000).toISOString();
    await eventually(() => expect(eventsOf(message.id).length).toBe(1));
    const content = { body: 'Hello 😀' };
    const common = {
      upstreamId: message.id,
      from: message.from,
      to: account.phoneNumber,
      name: 'Asha R',
      type: 'text',
      content,
      timestamp,
    };
    expect(eventsOf(message.id)[0]).toMatchObject({ ...common, accountId: account.accountId });
    expect(await list()).toMatchObject([
      { ...common, direction: 'inbound', status: 'received', error: null, clientRef: null },
    ]);
    expect(await contactOf(message.from)).toMatchObject({ profile_name: 'Asha R' });
  });

  it('are stored and published once despite duplicates', async () => {
    const messages = Array.from({ length: 30 }, () => inboundText());
    await Promise.all(
      [...messages, ...messages.toReversed(), ...messages].map((message) => receive([message, message])),
    );
    await Promise.all([receive(messages), receive(messages.toReversed())]);
    await messaging.settled();
    await eventually(async () => expect((await messaging.list(account.accountId)).total).toBe(30));
    const done = inboundText();
    await receive([done]);
    await eventually(() => expect(eventsOf(done.id).length).toBe(1));
    expect(messages.map(({ id }) => eventsOf(id).length)).toEqual(messages.map(() => 1));
    expect((await messaging.list(account.accountId)).total).toBe(31);
  });

  it('never move the window backwards or into the future', async () => {
    const from = '919800000001';
    await receive([inboundText({ from, ageSeconds: 60 })]);
    await receive([inboundText({ from, ageSeconds: 7_200 })]);
    await eventually(async () => expect((await list()).length).toBe(2));
    expect(ageSeconds((await contactOf(from))?.last_inbound_at)).toBeLessThan(120);
    await receive([inboundText({ from, ageSeconds: -86_400 })]);
    await eventually(async () => expect((await list()).length).toBe(3));
    expect(ageSeconds((await contactOf(from))?.last_inbound_at)).toBeGreaterThanOrEqual(-1);
  });

  it('open no window if they are old', async () => {
    const from = '919800000002';
    await receive([inboundText({ from, ageSeconds: 25 * 3_600 })]);
    await eventually(async () => expect(await contactOf(from)).toBeDefined());
    await expect(messaging.send(account.accountId, { to: from, text: { body: 'Hello' } })).rejects.toMatchObject({
      code: 'WINDOW_CLOSED',
    });
  });

  it('keep the earlier name if a callback has none', async () => {
    const from = '919800000003';
    await receive([inboundText({ from })], [{ wa_id: from, profile: { name: 'Asha' } }]);
    await eventually(async () => expect(await contactOf(from)).toMatchObject({ profile_name: 'Asha' }));
    await receive([inboundText({ from })]);
    await eventually(async () => expect((await list()).length).toBe(2));
    expect(await contactOf(from)).toMatchObject({ profile_name: 'Asha' });
  });

  it('use the user id if the number is hidden', async () => {
    const message = { ...inboundText(), from: undefined, from_user_id: 'US.42' };
    await receive([message], [{ user_id: 'US.42', profile: { name: 'Bo' } }]);
    await eventually(() => expect(eventsOf(message.id)).toMatchObject([{ from: 'US.42', name: 'Bo' }]));
    expect(await contactOf('US.42')).toMatchObject({ user_id: 'US.42' });
  });

  it('belong to one contact despite several identifiers', async () => {
    const from = '919800000008';
    const user = { from_user_id: 'US.8' };
    const messages = [
      { ...inboundText(), from: undefined, ...user },
      { ...inboundText({ from }), ...user },
      { ...inboundText({ from: '919800000009' }), ...user },
    ];
    await receive(messages);
    await eventually(() => expect(messages.map(({ id }) => eventsOf(id).length)).toEqual([1, 1, 1]));
    const contacts = await messaging.dataSource.query<Contact[]>(
      'SELECT * FROM contacts WHERE account_id = $1 ORDER BY phone',
      [account.accountId],
    );
    expect(contacts).toMatchObject([
      { phone: from, user_id: 'US.8' },
      { phone: '919800000009', user_id: null },
    ]);
    expect((await messaging.list(account.accountId, { phone: from })).total).toBe(2);
  });

  it('belong to a new number despite a known user id', async () => {
    const [old, next] = ['919800000010', '919800000011'];
    const user = { from_user_id: 'US.10' };
    for (const from of [old, next]) {
      const message = { ...inboundText({ from }), ...user };
      await receive([message]);
      await eventually(() => expect(eventsOf(message.id).length).toBe(1));
    }
    expect([await contactOf(old), await contactOf(next)]).toMatchObject([
      { user_id: 'US.10' },
      { phone: next, user_id: null },
    ]);
    expect((await messaging.list(account.accountId, { phone: next })).messages).toMatchObject([{ from: next }]);
    await expect(messaging.send(account.accountId, { to: next, text: { body: 'Hello' } })).resolves.toMatchObject({
      id: expect.any(String) as string,
    });
    const hidden = { ...inboundText(), from: undefined, ...user };
    await receive([hidden]);
    await eventually(async () => expect((await messaging.list(account.accountId, { phone: old })).total).toBe(2));
  });

  it.each([
    [
      'image',
      { id: '1003', mime_type: 'image/jpeg', caption: 'Taj', url: 'https://x.example.com' },
      { id: expect.stringMatching(/^med_/) as string, mime_type: 'image/jpeg', caption: 'Taj' },
    ],
    ['contacts', [{ name: { formatted_name: 'Bo Li' } }], [{ name: { formatted_name: 'Bo Li' } }]],
    ['unsupported', { type: 'edit' }, { type: 'edit' }],
    ['a_type_of_tomorrow', 'text', null],
  ])('keep their type %s and their content', async (type, given, content) => {
    const message = { ...inboundText(), type, [type]: given };
    await receive([message]);
    await eventually(() => expect(eventsOf(message.id)).toMatchObject([{ type, content }]));
  });

  it('are stored without characters that PostgreSQL rejects', async () => {
    const message = inboundText({ text: 'a\u0000b\uD83D' });
    await receive([message], [{ wa_id: message.from, profile: { name: '\u0000' } }]);
    await eventually(() =>
      expect(eventsOf(message.id)).toMatchObject([{ content: { body: 'a\uFFFDb\uFFFD' }, name: '\uFFFD' }]),
    );
  });

  it('open no window if they are upstream notices', async () => {
    const from = '919800000004';
    await receive([{ ...inboundText({ from }), type: 'system', system: { body: 'changed number' } }]);
    await eventually(async () => expect(await contactOf(from)).toMatchObject({ last_inbound_at: null }));
    await expect(messaging.send(account.accountId, { to: from, text: { body: 'Hello' } })).rejects.toMatchObject({
      code: 'WINDOW_CLOSED',
    });
  });

  it('are dropped without an id, a sender or a known number', async () => {
    await receive([{}, { type: 'text' }, { ...inboundText(), id: undefined }, { ...inboundText(), from: '' }]);
    await messaging.callback('999', { messages: [inboundText()] });
    const last = inboundText();
    await receive([last]);
    await eventually(() => expect(eventsOf(last.id).length).toBe(1));
    expect(await list()).toHaveLength(1);
  });
});
