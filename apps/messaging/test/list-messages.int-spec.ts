import {
  eraseContactV1,
  getMessageV1,
  getAccountSettingsV1,
  listContactsV1,
  listConversationMessagesV1,
  listConversationsV1,
  newId,
  runRetentionV1,
  setAccountSettingsV1,
  updateContactV1,
} from '@switchboard/contracts';
import { eventually } from '@switchboard/testing';
import { OUTBOUND_STATES } from '../src/messages/message-state';
import { insertOutbound } from './support/outbound-rows';
import {
  CUSTOMER,
  inboundText,
  type RunningMessaging,
  startMessaging,
  type TestAccount,
} from './support/start-messaging';

describe('message lists', () => {
  let messaging: RunningMessaging;
  let account: TestAccount;

  beforeAll(async () => {
    messaging = await startMessaging();
  });
  beforeEach(async () => {
    account = await messaging.addAccount();
  });
  afterAll(() => messaging.stop());

  const idsOf = async (filters: object) =>
    (await messaging.list(account.accountId, filters)).messages.map(({ id }) => id);

  it('are empty without messages and past the end', async () => {
    expect(await messaging.list(account.accountId)).toEqual({
      messages: [],
      total: 0,
      totalIsExact: true,
      hasNext: false,
      nextCursor: null,
    });
    await insertOutbound(messaging.dataSource, account, ['sent']);
    expect(await messaging.list(account.accountId, { page: 9 })).toEqual({
      messages: [],
      total: 1,
      totalIsExact: true,
      hasNext: false,
      nextCursor: null,
    });
  });

  it('support totals beyond the int4 range', async () => {
    await insertOutbound(messaging.dataSource, account, ['sent']);
    await messaging.dataSource.query(
      "UPDATE list_totals SET total = 4000000000 WHERE account_id = $1 AND list = 'outbound'",
      [account.accountId],
    );
    expect(await messaging.list(account.accountId)).toMatchObject({ total: 4_000_000_000, totalIsExact: true });
  });

  it('are paged by number and by cursor, newest first', async () => {
    await insertOutbound(
      messaging.dataSource,
      account,
      Array.from({ length: 10 }, () => 'sent' as const),
    );
    for (let count = 0; count < 13; count += 1) await insertOutbound(messaging.dataSource, account, ['sent']);
    const all = await idsOf({ limit: 100 });
    expect(all).toHaveLength(23);
    expect(await idsOf({ limit: 10, page: 3 })).toEqual(all.slice(20));
    const walked: string[] = [];
    let cursor: string | undefined;
    do {
      const { messages, nextCursor, hasNext, total } = await messaging.list(account.accountId, { limit: 4, cursor });
      walked.push(...messages.map(({ id }) => id));
      expect([hasNext, total]).toEqual([nextCursor !== null, 23]);
      cursor = nextCursor ?? undefined;
    } while (cursor);
    expect(walked).toEqual(all);
    const [newest] = await insertOutbound(messaging.dataSource, account, ['sent']);
    expect((await idsOf({}))[0]).toBe(newest);
  });

  it('are filtered by direction, status, type and phone', async () => {
    const ids = await insertOutbound(messaging.dataSource, account, OUTBOUND_STATES);
    await messaging.callback(account.phoneNumberId, { messages: [inboundText({ from: '919800000009' })] });
    await eventually(async () => expect((await idsOf({})).length).toBe(ids.length + 1));
    expect(await idsOf({ direction: 'inbound' })).toHaveLength(1);
    expect(await idsOf({ status: 'received' })).toEqual(await idsOf({ phone: '919800000009' }));
    expect((await idsOf({ direction: 'outbound', phone: CUSTOMER })).sort()).toEqual([...ids].sort());
    expect(await idsOf({ status: 'accepted' })).toEqual([ids[OUTBOUND_STATES.indexOf('accepted')]]);
    expect(await idsOf({ status: 'read', type: 'text' })).toEqual([ids.at(-1)]);
    expect(await idsOf({ type: 'image' })).toEqual([]);
  });

  it('are filtered by job and by time in milliseconds', async () => {
    const [, second = '', third = ''] = await insertOutbound(messaging.dataSource, account, ['sent', 'sent', 'sent']);
    const times = (await messaging.list(account.accountId)).messages.map(({ timestamp }) => timestamp);
    const until = new Date(Date.parse(times[0] ?? '') + 1).toISOString();
    expect(await idsOf({ since: times.at(-1), until })).toHaveLength(3);
    expect(await idsOf({ since: until })).toEqual([]);
    expect(await idsOf({ until: times.at(-1) })).toEqual([]);
    const jobId = newId('job');
    await messaging.dataSource.query('UPDATE messages SET job_id = $2 WHERE id = ANY ($1)', [[second, third], jobId]);
    const { messages, ...rest } = await messaging.list(account.accountId, { jobId, limit: 1 });
    expect([messages[0]?.jobId, rest.total, rest.totalIsExact, rest.hasNext]).toEqual([jobId, 2, true, true]);
    expect(await idsOf({ jobId: newId('job') })).toEqual([]);
  });

  it('are searched by a part of their text, without case and accents', async () => {
    const write = async (text: string, more: object = {}): Promise<void> => {
      await messaging.callback(account.phoneNumberId, { messages: [{ ...inboundText({ text }), ...more }] });
    };
    await write('Wo ist mein Päckchen?');
    await write('', {
      type: 'image',
      text: undefined,
      image: { id: '1', mime_type: 'image/jpeg', caption: 'Reçu nº 12' },
    });
    await write('मेरा ऑर्डर कहाँ है');
    await write(`Opening ${'x'.repeat(1_000)} closing`);
    await write('', {
      type: 'interactive',
      text: undefined,
      interactive: { type: 'button_reply', button_reply: { id: 'yes', title: 'Ja, bitte' } },
    });
    const [secretId = ''] = await insertOutbound(messaging.dataSource, account, ['sent']);
    await messaging.dataSource.query(
      `UPDATE messages SET is_secret = true, content = '{"body":"Ihr Päckchen"}' WHERE id = $1`,
      [secretId],
    );
    await eventually(async () => expect(await idsOf({})).toHaveLength(6));
    const found = async (text: string) =>
      (await messaging.list(account.accountId, { text })).messages.map(({ type, content, caption }) =>
        type === 'text' ? content : (caption ?? type),
      );
    for (const text of ['packchen', 'MEIN PÄCK', 'meinpackchen'])
      expect([text, await found(text)]).toEqual([text, [{ body: 'Wo ist mein Päckchen?' }]]);
    expect(await found('recu')).toEqual(['Reçu nº 12']);
    expect(await found('ऑर्डर कहाँ')).toEqual([{ body: 'मेरा ऑर्डर कहाँ है' }]);
    expect(await found('ja, bitte')).toEqual(['interactive']);
    expect(await found('opening')).toHaveLength(1);
    for (const text of ['title', 'body', '%', 'kchenre', 'image/jpeg', 'closing'])
      expect([text, await found(text)]).toEqual([text, []]);
    expect(await messaging.list(account.accountId, { text: 'packchen', direction: 'outbound' })).toMatchObject({
      messages: [],
      total: 0,
    });
    const other = await messaging.addAccount();
    expect((await messaging.list(other.accountId, { text: 'packchen' })).messages).toEqual([]);
  });

  it('are searched by text beyond the templates of a bulk job', async () => {
    await messaging.callback(account.phoneNumberId, { messages: [inboundText({ text: 'Wo ist mein Päckchen?' })] });
    await eventually(async () => expect(await idsOf({})).toHaveLength(1));
    await messaging.dataSource.query(
      `INSERT INTO messages (id, account_id, number_id, contact_id, direction, sender, recipient, type, content, state)
       SELECT $2 || lpad(n::text, 16, '0'), account_id, number_id, contact_id, 'outbound', recipient, sender, 'template', '{"name":"packchen"}', 'sent'
       FROM messages, generate_series(1, 5100) AS n WHERE account_id = $1`,
      [account.accountId, newId('msg').slice(0, 14)],
    );
    expect(await messaging.list(account.accountId, { text: 'packchen' })).toMatchObject({
      messages: [{ content: { body: 'Wo ist mein Päckchen?' } }],
      total: 1,
      totalIsExact: true,
      hasNext: false,
    });
  });

  it('are searched by text page by page, without a count of all matches', async () => {
    await messaging.callback(account.phoneNumberId, { messages: [inboundText({ text: 'Wo ist mein Päckchen?' })] });
    await eventually(async () => expect(await idsOf({})).toHaveLength(1));
    await messaging.dataSource.query(
      `INSERT INTO messages (id, account_id, number_id, contact_id, direction, sender, recipient, type, content, state)
       SELECT $2 || lpad(n::text, 16, '0'), account_id, number_id, contact_id, 'outbound', recipient, sender, 'text',
         jsonb_build_object('body', CASE WHEN n <= 30 THEN 'first' ELSE 'later' END), 'sent'
       FROM messages, generate_series(1, 540) AS n WHERE account_id = $1`,
      [account.accountId, newId('msg').slice(0, 14)],
    );
    const empty = await messaging.list(account.accountId, { text: 'packchen' });
    expect(empty).toMatchObject({ messages: [], total: 0, totalIsExact: false, hasNext: true });
    const cursor = empty.nextCursor ?? undefined;
    expect(await messaging.list(account.accountId, { text: 'packchen', cursor })).toMatchObject({
      messages: [{ content: { body: 'Wo ist mein Päckchen?' } }],
      total: 1,
      nextCursor: null,
    });
    expect(await messaging.list(account.accountId, { text: 'later' })).toMatchObject({
      total: 20,
      totalIsExact: false,
    });
  });

  it('show a conversation by any format of the number', async () => {
    await insertOutbound(messaging.dataSource, account, ['sent', 'unknown'], '551187654321');
    await insertOutbound(messaging.dataSource, account, ['sent']);
    const ask = (phone: string) =>
      messaging.gateway.request(listConversationMessagesV1, {
        accountId: account.accountId,
        phone,
        page: 1,
        limit: 20,
      });
    for (const phone of ['551187654321', '5511987654321']) {
      const messages = ['unknown', 'sent'].map((status) => ({ to: '551187654321', status }));
      expect(await ask(phone)).toMatchObject({ messages, total: 2, totalIsExact: true });
      expect(await messaging.list(account.accountId, { phone })).toMatchObject({ messages, total: 2 });
    }
    const first = { accountId: account.accountId, phone: '551187654321', page: 1, limit: 1 };
    const { messages: newest, nextCursor } = await messaging.gateway.request(listConversationMessagesV1, first);
    expect(newest).toMatchObject([{ status: 'unknown' }]);
    expect(await messaging.gateway.request(listConversationMessagesV1, { ...first, page: 9 })).toMatchObject({
      messages: [],
      total: 2,
    });
    expect(
      await messaging.gateway.request(listConversationMessagesV1, { ...first, cursor: nextCursor ?? '' }),
    ).toMatchObject({ messages: [{ status: 'sent' }], nextCursor: null });
    await expect(ask('4915112345678')).rejects.toMatchObject({ code: 'NOT_FOUND' });
    expect(await messaging.list(account.accountId, { phone: '4915112345678' })).toMatchObject({
      messages: [],
      total: 0,
    });
  });

  it('list and update contacts through broker commands', async () => {
    await insertOutbound(messaging.dataSource, account, ['sent']);
    const { accountId } = account;
    const page = { accountId, page: 1, limit: 20 };
    await messaging.gateway.request(updateContactV1, { accountId, phone: CUSTOMER, name: 'Asha R', optedOut: true });
    expect(await messaging.gateway.request(listContactsV1, { ...page, search: 'asha', optedOut: true })).toMatchObject({
      contacts: [{ phone: CUSTOMER, optedOut: true }],
      total: 1,
    });
    expect(await messaging.gateway.request(listConversationsV1, page)).toMatchObject({
      conversations: [{ phone: CUSTOMER, name: 'Asha R', lastMessage: { preview: 'Hello' } }],
    });
  });

  it('apply the retention settings of an account', async () => {
    await insertOutbound(messaging.dataSource, account, ['sent']);
    const { accountId } = account;
    const defaults = {
      windowPolicy: 'enforce',
      optOutWords: null,
      optInWords: null,
      messageDays: null,
      mediaDays: null,
      marketingEndpoint: false,
    };
    expect(await messaging.gateway.request(getAccountSettingsV1, { accountId })).toEqual({ settings: defaults });
    await messaging.gateway.request(setAccountSettingsV1, { accountId, messageDays: 30, optOutWords: ['STOP'] });
    await messaging.gateway.request(setAccountSettingsV1, {
      accountId,
      windowPolicy: 'upstream',
      messageDays: null,
      mediaDays: 7,
    });
    const settings = { ...defaults, windowPolicy: 'upstream', optOutWords: ['STOP'], mediaDays: 7 };
    expect(await messaging.gateway.request(getAccountSettingsV1, { accountId })).toEqual({ settings });
    expect(await messaging.gateway.request(runRetentionV1, { accountId, dryRun: true })).toEqual({
      messages: 0,
      media: 0,
      droppedMonths: [],
      done: true,
    });
    expect(await messaging.gateway.request(eraseContactV1, { accountId, phone: CUSTOMER, dryRun: false })).toEqual({
      messages: 1,
      media: 0,
      done: true,
    });
    expect((await messaging.list(accountId)).total).toBe(0);
  });

  it('show unknown outcomes, but no error once delivered', async () => {
    const [unknown, delivered] = await insertOutbound(messaging.dataSource, account, ['unknown', 'delivered']);
    await messaging.dataSource.query(`UPDATE messages SET error = '{"code":1}' WHERE id = $1`, [delivered]);
    const { messages } = await messaging.list(account.accountId);
    expect(messages.find(({ id }) => id === unknown)).toMatchObject({ status: 'unknown' });
    expect(messages.find(({ id }) => id === delivered)).toMatchObject({ status: 'delivered', error: null });
  });

  it('keep the position of a message after it is settled', async () => {
    const ids = await insertOutbound(messaging.dataSource, account, ['sent', 'sending', 'unknown', 'sent', 'unknown']);
    const walk = async (): Promise<string[]> => {
      const walked: string[] = [];
      let cursor: string | undefined;
      do {
        const { messages, nextCursor, total } = await messaging.list(account.accountId, { limit: 2, cursor });
        expect(total).toBe(5);
        walked.push(...messages.map(({ id }) => id));
        cursor = nextCursor ?? undefined;
      } while (cursor);
      return walked;
    };
    const before = await walk();
    expect([...before].reverse()).toEqual(ids);
    expect(await idsOf({ limit: 2, page: 3 })).toEqual(ids.slice(0, 1));
    await messaging.dataSource.query("UPDATE messages SET state = 'accepted' WHERE id = ANY ($1) AND NOT settled", [
      ids,
    ]);
    expect(await walk()).toEqual(before);
  });

  it('return no conversation without messages', async () => {
    const phone = '919800000777';
    await messaging.gateway.request(updateContactV1, { accountId: account.accountId, phone, optedOut: true });
    const wanted = { accountId: account.accountId, phone, page: 1, limit: 20 };
    await expect(messaging.gateway.request(listConversationMessagesV1, wanted)).rejects.toMatchObject({
      code: 'NOT_FOUND',
    });
    const [id] = await insertOutbound(messaging.dataSource, account, ['unknown'], phone);
    expect(await messaging.gateway.request(listConversationMessagesV1, wanted)).toMatchObject({
      messages: [{ id, status: 'unknown' }],
      total: 1,
    });
  });

  it('return a message by either id', async () => {
    const [open = '', sent = ''] = await insertOutbound(messaging.dataSource, account, ['unknown', 'sent']);
    const wamid = `wamid.${sent}`;
    await messaging.callback(account.phoneNumberId, {
      messages: [inboundText({ from: CUSTOMER, id: `wamid.in.${sent}` })],
    });
    await eventually(async () => expect((await idsOf({ direction: 'inbound' })).length).toBe(1));
    const find = async (id: string, { accountId } = account) =>
      (await messaging.gateway.request(getMessageV1, { accountId, id })).message;
    expect(await find(open)).toMatchObject({ id: open, status: 'unknown' });
    expect(await find(sent)).toMatchObject({ id: sent, status: 'sent', upstreamId: wamid });
    expect(await find(wamid)).toMatchObject({ id: sent });
    expect(await find(`wamid.in.${sent}`)).toMatchObject({ direction: 'inbound', status: 'received' });
    expect(await idsOf({ upstreamId: wamid })).toEqual([sent]);
    expect(await idsOf({ upstreamId: `wamid.in.${sent}` })).toEqual(await idsOf({ direction: 'inbound' }));
    expect(await idsOf({ upstreamId: wamid, direction: 'inbound' })).toEqual([]);
    const other = await messaging.addAccount();
    for (const id of [open, sent, wamid, `wamid.in.${sent}`])
      await expect(find(id, other)).rejects.toMatchObject({ code: 'NOT_FOUND' });
    expect((await messaging.list(other.accountId, { upstreamId: wamid })).messages).toEqual([]);
    await expect(find('msg_00000000000000000000000000')).rejects.toMatchObject({ code: 'NOT_FOUND' });
  });

  it('are filtered by reference and unknown outcome, with totals', async () => {
    const [open = '', sent = '', other = ''] = await insertOutbound(messaging.dataSource, account, [
      'unknown',
      'sent',
      'sending',
    ]);
    await messaging.dataSource.query("UPDATE messages SET client_ref = 'order-1' WHERE id = ANY ($1)", [[open, sent]]);
    const jobId = newId('job');
    await messaging.dataSource.query('UPDATE messages SET job_id = $2 WHERE id = $1', [open, jobId]);
    expect(await idsOf({ jobId })).toEqual([open]);
    expect(await idsOf({ jobId, status: 'unknown' })).toEqual([open]);
    const ofOrder = await messaging.list(account.accountId, { clientRef: 'order-1' });
    expect([
      ofOrder.messages.map(({ id, status }) => [id, status]).sort(),
      ofOrder.total,
      ofOrder.totalIsExact,
    ]).toEqual([
      [
        [open, 'unknown'],
        [sent, 'sent'],
      ].sort(),
      2,
      true,
    ]);
    expect(await idsOf({ clientRef: 'order-1', status: 'sent' })).toEqual([sent]);
    expect(await idsOf({ clientRef: 'order-1', status: 'unknown' })).toEqual([open]);
    expect(await idsOf({ clientRef: 'order-2' })).toEqual([]);
    const unknown = await messaging.list(account.accountId, { status: 'unknown' });
    expect([unknown.messages.map(({ id }) => id).sort(), unknown.total]).toEqual([[open, other].sort(), 2]);
    expect(await idsOf({ status: 'unknown', direction: 'inbound' })).toEqual([]);
    expect(await idsOf({})).toEqual([other, sent, open]);
  });

  it.each([{ cursor: 'nonsense' }, { status: 'lost' }])('reject %j', async (filters) => {
    await expect(messaging.list(account.accountId, filters)).rejects.toMatchObject({ code: 'INVALID_PARAMETER' });
  });

  it('never show messages of another account', async () => {
    const other = await messaging.addAccount();
    await insertOutbound(messaging.dataSource, other, ['sent']);
    expect(await idsOf({})).toEqual([]);
  });
});
