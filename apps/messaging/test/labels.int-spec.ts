import {
  changeLabelV1,
  createLabelV1,
  deleteLabelV1,
  eraseContactV1,
  getContactV1,
  type LabelColour,
  labelContactV1,
  LABELS_MAX,
  listContactsV1,
  listConversationsV1,
  listLabelsV1,
  newId,
  setContactLabelsV1,
} from '@switchboard/contracts';
import { Transactions } from '@switchboard/database';
import { eventually } from '@switchboard/testing';
import { LabelsService } from '../src/labels/labels.service';
import { HIDDEN, hiddenContacts } from './support/hidden-contacts';
import { inboundText, type RunningMessaging, startMessaging, type TestAccount } from './support/start-messaging';

const [FIRST, SECOND, THIRD] = ['919812340001', '919812340002', '919812340003'];

describe('labels', () => {
  let messaging: RunningMessaging;
  let account: TestAccount;

  beforeAll(async () => {
    messaging = await startMessaging();
  });
  beforeEach(async () => {
    account = await messaging.addAccount();
  });
  afterAll(() => messaging.stop());

  const { person, receive: receiveFrom, hiddenText } = hiddenContacts(() => ({ messaging, account }));
  const receive = async (...messages: object[]): Promise<void> => {
    await messaging.callback(account.phoneNumberId, { messages });
    await messaging.settled();
  };
  const request: RunningMessaging['gateway']['request'] = (contract, body) => messaging.gateway.request(contract, body);
  const sql = <Row>(text: string, ...params: unknown[]): Promise<Row[]> => messaging.dataSource.query(text, params);

  const create = async (name: string, colour: LabelColour = 'green', labelId = newId('lbl')): Promise<string> =>
    (await request(createLabelV1, { accountId: account.accountId, labelId, name, colour })).label.id;
  const labels = async () => (await request(listLabelsV1, { accountId: account.accountId })).labels;
  const names = async () => (await labels()).map(({ name }) => name);
  const contactOf = async (phone: string) =>
    (await request(getContactV1, { accountId: account.accountId, phone })).contact;
  const put = async (phone: string, labelId: string, isLabelled = true) => {
    const { id: contactId } = await contactOf(phone);
    return (await request(labelContactV1, { accountId: account.accountId, contactId, labelId, isLabelled })).labels;
  };
  const set = (phone: string, given: string[]) =>
    request(setContactLabelsV1, { accountId: account.accountId, phone, labels: given });
  const page = () => ({ accountId: account.accountId, page: 1, limit: 20 });
  const phonesOf = async (filters: object) =>
    (await request(listContactsV1, { ...page(), ...filters })).contacts.map(({ phone }) => phone);
  const chatsOf = async (filters: object) =>
    (await request(listConversationsV1, { ...page(), ...filters })).conversations.map(({ phone }) => phone);
  const links = async () =>
    (
      await sql<{ count: number }>(
        'SELECT count(*)::int AS count FROM contact_labels WHERE account_id = $1',
        account.accountId,
      )
    )[0]?.count;

  it('are created once, renamed, recoloured and counted', async () => {
    await receive(inboundText({ from: FIRST }), inboundText({ from: SECOND }));
    const id = await create('  New   order ');
    await create('New order', 'green', id);
    const other = await create('VIP', 'pink');
    expect(await names()).toEqual(['New order', 'VIP']);
    for (const name of ['vip', 'NEW  ORDER', ' '])
      await expect(create(name)).rejects.toMatchObject({ code: 'INVALID_VALUE' });
    const change = { accountId: account.accountId, labelId: id };
    await expect(request(changeLabelV1, { ...change, name: 'Vip' })).rejects.toMatchObject({ code: 'INVALID_VALUE' });
    await put(FIRST, id);
    await put(SECOND, id);
    expect((await request(changeLabelV1, { ...change, name: 'new Order', colour: 'blue' })).label).toEqual({
      id,
      name: 'new Order',
      colour: 'blue',
      contacts: { total: 2, totalIsExact: true },
    });
    expect((await contactOf(FIRST)).labels).toEqual(['new Order']);
    expect((await labels()).find((label) => label.id === other)?.contacts.total).toBe(0);
  });

  it('are added to and removed from contacts, repeatedly', async () => {
    await receive(inboundText({ from: FIRST }));
    const [vip, late] = [await create('VIP'), await create('late')];
    expect(await put(FIRST, vip)).toEqual(['VIP']);
    expect(await put(FIRST, vip)).toEqual(['VIP']);
    expect(await put(FIRST, late)).toEqual(['late', 'VIP']);
    expect((await request(listConversationsV1, page())).conversations[0]?.labels).toEqual(['late', 'VIP']);
    expect(await put(FIRST, vip, false)).toEqual(['late']);
    expect(await put(FIRST, vip, false)).toEqual(['late']);
  });

  it('are replaced by name, and created if missing', async () => {
    await receive(inboundText({ from: FIRST }));
    const vip = await create('VIP');
    await put(FIRST, vip);
    const { contact } = await set(FIRST, ['late', 'vip', 'LATE']);
    expect(contact.labels).toEqual(['LATE', 'VIP']);
    expect((await labels()).map(({ colour }) => colour)).toHaveLength(2);
    expect((await set(FIRST, ['late'])).contact.labels).toEqual(['LATE']);
    expect((await set(FIRST, [])).contact.labels).toEqual([]);
    expect(await names()).toEqual(['LATE', 'VIP']);
    await expect(set(SECOND, ['VIP'])).rejects.toMatchObject({ code: 'NOT_FOUND' });
    expect(await names()).toHaveLength(2);
  });

  it('are created once by concurrent requests, up to the limit', async () => {
    await receive(inboundText({ from: FIRST }), inboundText({ from: SECOND }));
    await Promise.all([FIRST, SECOND, FIRST, SECOND].map((phone) => set(phone, ['New', 'Late'])));
    expect(await names()).toEqual(['Late', 'New']);
    const many = Array.from({ length: LABELS_MAX - 2 }, (_, index) => `Label ${index}`);
    await set(FIRST, many);
    await expect(create('One more')).rejects.toMatchObject({ code: 'INVALID_VALUE' });
    await expect(set(SECOND, ['One more'])).rejects.toMatchObject({ code: 'INVALID_VALUE' });
    expect((await contactOf(SECOND)).labels).toEqual(['Late', 'New']);
    expect(await names()).toHaveLength(LABELS_MAX);
  });

  it('filter contacts and conversations, together with other filters', async () => {
    await receive(
      inboundText({ from: FIRST, ageSeconds: 90_000 }),
      inboundText({ from: SECOND, ageSeconds: 60 }),
      inboundText({ from: THIRD, ageSeconds: 5 }),
    );
    const vip = await create('VIP');
    for (const phone of [FIRST, SECOND]) await put(phone, vip);
    expect((await phonesOf({ label: 'vip' })).sort()).toEqual([FIRST, SECOND]);
    expect(await request(listContactsV1, { ...page(), label: 'VIP', limit: 1 })).toMatchObject({
      total: 2,
      totalIsExact: true,
      hasNext: true,
    });
    expect(await phonesOf({ label: 'VIP', search: '0001' })).toEqual([FIRST]);
    expect(await phonesOf({ label: 'VIP', search: THIRD })).toEqual([]);
    expect(await phonesOf({ label: 'VIP', optedOut: true })).toEqual([]);
    expect(await phonesOf({ label: 'unknown' })).toEqual([]);
    expect(await chatsOf({ label: 'VIP' })).toEqual([SECOND, FIRST]);
    expect(await chatsOf({ label: 'VIP', windowOpen: true })).toEqual([SECOND]);
    expect(await chatsOf({ label: 'VIP', search: '0001' })).toEqual([FIRST]);
    expect(await chatsOf({ label: 'VIP', view: 'unanswered' })).toEqual([FIRST, SECOND]);
    expect(await chatsOf({ label: 'VIP', view: 'done' })).toEqual([]);
    expect(await chatsOf({ label: 'unknown' })).toEqual([]);
    const first = await request(listContactsV1, { ...page(), label: 'VIP', limit: 1 });
    const second = await request(listContactsV1, { ...page(), label: 'VIP', limit: 1, cursor: first.nextCursor ?? '' });
    expect([...first.contacts, ...second.contacts].map(({ phone }) => phone).sort()).toEqual([FIRST, SECOND]);
  });

  it('find the contacts of a common label', async () => {
    const vip = await create('VIP');
    await sql(
      `INSERT INTO contacts (id, account_id, phone, phone_key)
       SELECT 'ct_' || lpad(n::text, 26, '0'), $1, '9190000' || lpad(n::text, 5, '0'), '9190000' || lpad(n::text, 5, '0')
       FROM generate_series(1, 1100) AS n`,
      account.accountId,
    );
    await receive(inboundText({ from: FIRST }), inboundText({ from: SECOND }));
    await sql(
      'INSERT INTO contact_labels (contact_id, label_id, account_id) SELECT id, $2, $1 FROM contacts WHERE account_id = $1 AND phone <> $3',
      account.accountId,
      vip,
      SECOND,
    );
    expect((await labels())[0]?.contacts).toEqual({ total: 1_000, totalIsExact: false });
    expect(await request(listContactsV1, { ...page(), label: 'VIP' })).toMatchObject({
      total: 1_000,
      totalIsExact: false,
    });
    expect(await request(listContactsV1, { ...page(), label: 'VIP', search: '91' })).toMatchObject({
      total: 1_000,
      totalIsExact: false,
    });
    let cursor: string | null | undefined;
    const found: string[] = [];
    do {
      const filters = { ...page(), limit: 100, label: 'VIP', ...(cursor && { cursor }) };
      const { contacts, nextCursor } = await request(listContactsV1, filters);
      found.push(...contacts.map(({ id }) => id));
      cursor = nextCursor;
    } while (cursor);
    expect(found).toHaveLength(1_101);
    expect(found).toEqual([...new Set(found)].sort().reverse());
    expect(await chatsOf({ label: 'VIP' })).toEqual([FIRST]);
    expect(await chatsOf({ label: 'VIP', search: '91' })).toEqual([FIRST]);
  });

  it('disappear immediately when deleted, and from the tables later', async () => {
    await receive(inboundText({ from: FIRST }));
    const vip = await create('VIP');
    await put(FIRST, vip);
    await request(deleteLabelV1, { accountId: account.accountId, labelId: vip });
    expect([await names(), (await contactOf(FIRST)).labels, await phonesOf({ label: 'VIP' })]).toEqual([[], [], []]);
    await expect(put(FIRST, vip)).rejects.toMatchObject({ code: 'NOT_FOUND' });
    const again = await create('vip');
    await put(FIRST, again);
    const service = new LabelsService(messaging.dataSource, new Transactions(messaging.dataSource));
    while (await service.sweep());
    expect([await links(), (await contactOf(FIRST)).labels]).toEqual([1, ['vip']]);
    await expect(request(deleteLabelV1, { accountId: account.accountId, labelId: vip })).rejects.toMatchObject({
      code: 'NOT_FOUND',
    });
  });

  it('are united when contacts are merged', async () => {
    await receiveFrom(hiddenText());
    await receive(inboundText({ from: FIRST }));
    const [vip, late, both] = [await create('VIP'), await create('Late'), await create('Both')];
    await put(HIDDEN, vip);
    await put(FIRST, late);
    for (const phone of [HIDDEN, FIRST]) await put(phone, both);
    await receiveFrom(
      { ...inboundText({ from: FIRST, ageSeconds: 0 }), from_user_id: HIDDEN },
      person(HIDDEN, 'asha.rao', FIRST),
    );
    expect(await contactOf(FIRST)).toMatchObject({ userId: HIDDEN, labels: ['Both', 'Late', 'VIP'] });
    expect(await links()).toBe(3);
  });

  it('are erased with the contact', async () => {
    await receive(inboundText({ from: FIRST }));
    await put(FIRST, await create('VIP'));
    await request(eraseContactV1, { accountId: account.accountId, phone: FIRST, dryRun: false });
    expect([await links(), await names()]).toEqual([0, ['VIP']]);
    expect((await labels())[0]?.contacts.total).toBe(0);
  });

  it('belong to one account', async () => {
    await receive(inboundText({ from: FIRST }));
    const vip = await create('VIP');
    const { id: contactId } = await contactOf(FIRST);
    const { accountId } = await messaging.addAccount();
    const foreign = (await request(createLabelV1, { accountId, labelId: newId('lbl'), name: 'VIP', colour: 'red' }))
      .label;
    for (const failing of [
      () => request(labelContactV1, { accountId, contactId, labelId: foreign.id, isLabelled: true }),
      () => put(FIRST, foreign.id),
      () => request(changeLabelV1, { accountId, labelId: vip, colour: 'red' }),
      () => request(deleteLabelV1, { accountId, labelId: vip }),
      () => request(setContactLabelsV1, { accountId, phone: FIRST, labels: ['VIP'] }),
    ])
      await expect(failing()).rejects.toMatchObject({ code: 'NOT_FOUND' });
    expect(await labels()).toMatchObject([{ id: vip, colour: 'green' }]);
    expect(await links()).toBe(0);
  });

  it('publish hints about changes, and none without a change', async () => {
    await receive(inboundText({ from: FIRST }));
    const vip = await create('VIP');
    const hints = async () =>
      (
        await sql<{ count: number }>(
          `SELECT count(*)::int AS count FROM (SELECT body FROM outbox WHERE name = 'messaging.data.changed.v1'
             UNION ALL SELECT body FROM published WHERE name = 'messaging.data.changed.v1') AS sent
           WHERE body::jsonb @> jsonb_build_object('changes', jsonb_build_array(jsonb_build_object('accountId', $1::text, 'kind', 'label')))`,
          account.accountId,
        )
      )[0]?.count;
    await eventually(async () => expect(await hints()).toBe(1));
    await put(FIRST, vip);
    await put(FIRST, vip);
    await set(FIRST, ['VIP']);
    expect(await hints()).toBe(2);
    await set(FIRST, []);
    await request(deleteLabelV1, { accountId: account.accountId, labelId: vip });
    expect(await hints()).toBe(4);
  });
});
