import {
  addNumberV1,
  changeBlockV1,
  changeConversationV1,
  getContactV1,
  newId,
  templateSample,
} from '@switchboard/contracts';
import { eventually } from '@switchboard/testing';
import { HIDDEN, hiddenContacts } from './support/hidden-contacts';
import {
  ACCESS_TOKEN,
  CUSTOMER,
  inboundText,
  type RunningMessaging,
  sealed,
  startMessaging,
  type TestAccount,
} from './support/start-messaging';

const text = { body: 'Hello' };

describe('contacts whose number becomes known', () => {
  let messaging: RunningMessaging;
  let account: TestAccount;

  beforeAll(async () => {
    messaging = await startMessaging({ replicas: 2, upstreamTimeoutMs: 10_000 });
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

  const phone = CUSTOMER;

  it('keep their contact and conversation', async () => {
    await receive(hiddenText());
    await messaging.send(account.accountId, { to: HIDDEN, text });
    await receive({ ...inboundText({ from: phone }), from_user_id: HIDDEN }, person(HIDDEN, 'asha.rao', phone));
    expect(await contacts()).toMatchObject([{ phone, userId: HIDDEN, username: 'asha.rao' }]);
    expect((await thread(phone)).map(({ id }) => id)).toEqual((await thread(HIDDEN)).map(({ id }) => id));
    expect(await thread(phone)).toHaveLength(3);
  });

  it('receive nothing by either identifier while blocked', async () => {
    await receive({ ...inboundText({ from: phone }), from_user_id: HIDDEN }, person(HIDDEN, 'asha.rao', phone));
    const block = { accountId: account.accountId, phone };
    await messaging.gateway.request(changeBlockV1, { ...block, action: 'block' });
    const before = messaging.upstream.sends.length;
    for (const to of [phone, HIDDEN])
      await expect(messaging.send(account.accountId, { to, text })).rejects.toMatchObject({
        code: 'RECIPIENT_BLOCKED',
      });
    expect(messaging.upstream.sends).toHaveLength(before);
    await messaging.gateway.request(changeBlockV1, { ...block, action: 'unblock' });
    await expect(messaging.send(account.accountId, { to: HIDDEN, text })).resolves.toBeDefined();
  });

  it('are merged with the contact that has the number', async () => {
    const template = { name: 'order_update', language: { code: 'en_US' }, components: [] };
    const first = await messaging.send(account.accountId, { to: phone, type: 'template', template });
    await receive(hiddenText(HIDDEN, { text: { body: 'STOP' } }));
    await receive(hiddenText());
    await messaging.send(account.accountId, { to: HIDDEN, text });
    const ofNumber = (await contacts()).find((contact) => contact.phone === phone);
    expect(await contacts()).toHaveLength(2);
    const last = inboundText({ from: phone, ageSeconds: 0 });
    await receive({ ...last, from_user_id: HIDDEN }, person(HIDDEN, 'asha.rao', phone));
    expect(await contacts()).toMatchObject([
      { id: ofNumber?.id, phone, userId: HIDDEN, username: 'asha.rao', optedOut: true },
    ]);
    expect(await conversations()).toMatchObject([
      { phone, userId: HIDDEN, messageCount: 5, unreadCount: 1, windowOpen: true },
    ]);
    expect(await thread(phone)).toHaveLength(5);
    expect(await messaging.gateway.request(getContactV1, { accountId: account.accountId, phone })).toMatchObject({
      messageCount: 5,
      unreadCount: 1,
    });
    expect(await thread(HIDDEN)).toHaveLength(5);
    // Earlier messages still receive their statuses.
    const status = { id: first.upstreamId, status: 'read', timestamp: String(Math.floor(Date.now() / 1_000)) };
    await messaging.callback(account.phoneNumberId, { statuses: [status] });
    await messaging.settled();
    expect((await thread(phone)).find(({ id }) => id === first.id)).toMatchObject({ status: 'read' });
    const totals: { list: string; total: number }[] = await messaging.dataSource.query(
      'SELECT list, sum(total)::int AS total FROM list_totals WHERE account_id = $1 GROUP BY list ORDER BY list',
      [account.accountId],
    );
    expect(totals).toEqual([
      { list: 'contacts', total: 1 },
      { list: 'conversations', total: 1 },
      { list: 'inbound', total: 3 },
      { list: 'outbound', total: 2 },
    ]);
  });

  it('keep the windows and opt-outs of both contacts', async () => {
    const second = { phoneNumber: '15550009997', phoneNumberId: newId('num') };
    await messaging.gateway.request(addNumberV1, {
      accountId: account.accountId,
      ...second,
      wabaId: '100000000000001',
      sealedAccessToken: sealed(ACCESS_TOKEN, account.accountId),
    });
    await receive({ ...inboundText({ from: phone }), text: { body: 'STOP' } }, { wa_id: phone });
    await messaging.callback(second.phoneNumberId, { messages: [hiddenText()], contacts: [person()] });
    await messaging.settled();
    expect(await contacts()).toHaveLength(2);
    await messaging.dataSource.query(
      'UPDATE contacts SET marketing_opted_out = true WHERE account_id = $1 AND phone IS NULL',
      [account.accountId],
    );
    const known = { ...inboundText({ from: phone }), from_user_id: HIDDEN };
    await receive(known, person(HIDDEN, 'asha.rao', phone));
    const [contact, ...others] = await contacts();
    expect(others).toEqual([]);
    expect(contact).toMatchObject({
      phone,
      userId: HIDDEN,
      optedOut: true,
      marketingOptOut: true,
      optOut: { source: 'message' },
    });
    const windows = contact?.windows?.map(({ phoneNumber, open }) => [phoneNumber, open]).sort();
    expect(windows).toEqual([account.phoneNumber, second.phoneNumber].sort().map((number) => [number, true]));
  });

  it('keep the assignee and the longest wait of both conversations', async () => {
    const userId = newId('usr');
    const change = (contactId: string, fields: object) =>
      messaging.gateway.request(changeConversationV1, { accountId: account.accountId, contactId, ...fields });
    await receive(hiddenText());
    await receive(inboundText({ from: phone, ageSeconds: 60 }), { wa_id: phone });
    const hidden = (await contacts()).find((contact) => contact.phone === null);
    const waited = (await conversations()).find((conversation) => conversation.phone === phone)?.queue?.waitingSince;
    await change(hidden?.id ?? '', { assigneeId: userId, done: true });
    await receive({ ...inboundText({ from: phone }), from_user_id: HIDDEN }, person(HIDDEN, 'asha.rao', phone));
    expect(waited).toEqual(expect.any(String));
    expect(await conversations()).toMatchObject([
      { phone, queue: { assigneeId: userId, done: false, waitingSince: waited } },
    ]);
  });

  it('are merged once during sends to either identifier', async () => {
    await messaging.writeIn(account, phone);
    await receive(hiddenText());
    const before = messaging.upstream.sends.length;
    const sends = Array.from({ length: 20 }, (_each, index) =>
      messaging.send(account.accountId, { to: index % 2 === 0 ? phone : HIDDEN, text }).then(
        () => 1,
        () => 0,
      ),
    );
    const known = { ...inboundText({ from: phone }), from_user_id: HIDDEN };
    await Promise.all([
      messaging.callback(account.phoneNumberId, { messages: [known], contacts: [person(HIDDEN, 'asha.rao', phone)] }),
      messaging.callback(account.phoneNumberId, { messages: [known], contacts: [person(HIDDEN, 'asha.rao', phone)] }),
    ]);
    const accepted = (await Promise.all(sends)).reduce<number>((sum, one) => sum + one, 0);
    await messaging.settled();
    expect(messaging.upstream.sends.length - before).toBe(accepted);
    expect(await contacts()).toHaveLength(1);
    await eventually(async () => expect(await conversations()).toMatchObject([{ phone, messageCount: accepted + 3 }]));
  });

  it.each([
    ['beside the cards', { origin: 'contact_request' }, {}],
    ['within the card', {}, { origin: 'contact_request' }],
  ])('get the number from the request button, marked %s', async (_title, beside, within) => {
    await receive(hiddenText());
    const card = { ...within, phones: [{ phone: `+${phone}`, type: 'CELL' }] };
    const shared = { ...hiddenText(), type: 'contacts', text: undefined, ...beside, contacts: [card] };
    await receive(shared);
    expect(await contacts()).toMatchObject([{ phone, userId: HIDDEN }]);
    expect(messaging.inboundEvents.find(({ upstreamId }) => upstreamId === shared.id)).toMatchObject({
      from: HIDDEN,
      type: 'contacts',
    });
    await messaging.send(account.accountId, { to: phone, text });
    expect(await thread(phone)).toHaveLength(3);
  });

  it('do not get a number from an ordinary contact card', async () => {
    await receive(hiddenText());
    const card = { phones: [{ phone: '+919800000077' }] };
    await receive({ ...hiddenText(), type: 'contacts', text: undefined, origin: 'other', contacts: [card] });
    expect(await contacts()).toMatchObject([{ phone: null, userId: HIDDEN }]);
  });
});
