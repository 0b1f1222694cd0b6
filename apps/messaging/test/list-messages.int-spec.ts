import { eventually } from '@switchboard/testing';
import { OUTBOUND_STATES } from '../src/messages/message-state';
import { insertOutbound } from './support/outbound-rows';
import { CUSTOMER, inboundText, type RunningMessaging, startMessaging, type TestAccount } from './support/start-messaging';

describe('listing messages', () => {
  let messaging: RunningMessaging;
  let account: TestAccount;

  beforeAll(async () => {
    messaging = await startMessaging();
  });
  beforeEach(async () => {
    account = await messaging.addAccount();
  });
  afterAll(() => messaging.stop());

  const idsOf = async (filters: object) => (await messaging.list(account.accountId, filters)).messages.map(({ id }) => id);

  it('is empty for an account without messages, and past the end', async () => {
    expect(await messaging.list(account.accountId)).toEqual({ messages: [], total: 0, hasNext: false, nextCursor: null });
    await insertOutbound(messaging.dataSource, account, ['sent']);
    expect(await messaging.list(account.accountId, { page: 9 })).toEqual({ messages: [], total: 1, hasNext: false, nextCursor: null });
  });

  it('pages by number and by cursor through the same order, newest first, with equal times and microseconds', async () => {
    await insertOutbound(messaging.dataSource, account, Array.from({ length: 10 }, () => 'sent' as const));
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

  it('filters by direction, status, type and phone', async () => {
    const ids = (await insertOutbound(messaging.dataSource, account, OUTBOUND_STATES)).slice(OUTBOUND_STATES.indexOf('accepted'));
    await messaging.callback(account.phoneNumberId, { messages: [inboundText({ from: '919800000009' })] });
    await eventually(async () => expect(await idsOf({})).toHaveLength(ids.length + 1));
    expect(await idsOf({ direction: 'inbound' })).toHaveLength(1);
    expect(await idsOf({ status: 'received' })).toEqual(await idsOf({ phone: '919800000009' }));
    expect((await idsOf({ direction: 'outbound', phone: CUSTOMER })).sort()).toEqual([...ids].sort());
    expect(await idsOf({ status: 'accepted' })).toEqual(ids.slice(0, 1));
    expect(await idsOf({ status: 'read', type: 'text' })).toEqual([ids.at(-1)]);
    expect(await idsOf({ type: 'image' })).toEqual([]);
  });

  it('leaves out a message without a known outcome, and shows no error on a delivered one', async () => {
    const [unknown, delivered] = await insertOutbound(messaging.dataSource, account, ['unknown', 'delivered']);
    await messaging.dataSource.query(`UPDATE messages SET error = '{"code":1}' WHERE id = $1`, [delivered]);
    const { messages } = await messaging.list(account.accountId);
    expect(messages.find(({ id }) => id === unknown)).toBeUndefined();
    expect(messages.find(({ id }) => id === delivered)).toMatchObject({ status: 'delivered', error: null });
  });

  it.each([{ cursor: 'nonsense' }, { status: 'lost' }])('refuses %j', async (filters) => {
    await expect(messaging.list(account.accountId, filters)).rejects.toMatchObject({ code: 'INVALID_PARAMETER' });
  });

  it('never shows messages of another account', async () => {
    const other = await messaging.addAccount();
    await insertOutbound(messaging.dataSource, other, ['sent']);
    expect(await idsOf({})).toEqual([]);
  });
});
