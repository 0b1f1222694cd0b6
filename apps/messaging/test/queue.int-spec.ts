import {
  agentLeftV1,
  type ConversationView,
  changeConversationV1,
  countConversationsV1,
  eraseContactV1,
  getContactV1,
  getMessageV1,
  listContactsV1,
  listConversationsV1,
  newId,
  noteOpenSendV1,
  runRetentionV1,
} from '@switchboard/contracts';
import { eventually } from '@switchboard/testing';
import { inboundText, type RunningMessaging, startMessaging, type TestAccount } from './support/start-messaging';

const [FIRST, SECOND, THIRD] = ['919812340001', '919812340002', '919812340003'];

describe('conversation queue', () => {
  let messaging: RunningMessaging;
  let account: TestAccount;
  const userId = newId('usr');

  beforeAll(async () => {
    messaging = await startMessaging();
  });
  beforeEach(async () => {
    account = await messaging.addAccount();
  });
  afterAll(() => messaging.stop());

  async function receive(...messages: ReturnType<typeof inboundText>[]): Promise<void> {
    await messaging.callback(account.phoneNumberId, { messages });
    await messaging.settled();
  }
  const list = (
    view?: ConversationView,
    more: { cursor?: string; limit?: number; search?: string; assigneeId?: string } = {},
  ) =>
    messaging.gateway.request(listConversationsV1, {
      accountId: account.accountId,
      page: 1,
      limit: 20,
      ...(view && { view }),
      ...(view === 'mine' && { assigneeId: userId }),
      ...more,
    });
  const phonesOf = async (view?: ConversationView) => (await list(view)).conversations.map(({ phone }) => phone);
  const contactOf = async (phone: string) =>
    (await messaging.gateway.request(getContactV1, { accountId: account.accountId, phone })).contact.id;
  const newestId = async (phone: string): Promise<string> => {
    const [row] = await messaging.dataSource.query<{ id: string }[]>(
      'SELECT max(id) AS id FROM messages WHERE account_id = $1 AND contact_id = $2',
      [account.accountId, await contactOf(phone)],
    );
    return row?.id ?? '';
  };
  const change = async (phone: string, fields: { assigneeId?: string | null; done?: boolean; seenUpTo?: string }) =>
    messaging.gateway.request(changeConversationV1, {
      accountId: account.accountId,
      contactId: await contactOf(phone),
      ...fields,
    });
  const markDone = async (phone: string, seenUpTo?: string) =>
    change(phone, { done: true, seenUpTo: seenUpTo ?? (await newestId(phone)) });

  it('lists unanswered conversations, the longest wait first', async () => {
    await receive(
      inboundText({ from: FIRST, ageSeconds: 300 }),
      inboundText({ from: SECOND, ageSeconds: 600 }),
      inboundText({ from: THIRD, ageSeconds: 100 }),
      inboundText({ from: SECOND, ageSeconds: 10 }),
    );
    expect(await phonesOf('unanswered')).toEqual([SECOND, FIRST, THIRD]);
    expect(await phonesOf('all')).toEqual([SECOND, THIRD, FIRST]);
    const paged: (string | null)[] = [];
    let cursor: string | undefined;
    do {
      const page = await list('unanswered', { limit: 1, ...(cursor !== undefined && { cursor }) });
      paged.push(...page.conversations.map(({ phone }) => phone));
      cursor = page.nextCursor ?? undefined;
    } while (cursor !== undefined);
    expect(paged).toEqual([SECOND, FIRST, THIRD]);
    const [waiting] = (await list('unanswered')).conversations;
    expect(Date.now() - Date.parse(waiting?.queue?.waitingSince ?? '')).toBeGreaterThan(590_000);
    await messaging.send(account.accountId, { to: SECOND, text: { body: 'On its way' } });
    expect(await phonesOf('unanswered')).toEqual([FIRST, THIRD]);
    expect((await list('unanswered', { search: THIRD })).conversations).toHaveLength(1);
  });

  it('reopens a conversation once per new message', async () => {
    const message = inboundText({ from: FIRST, ageSeconds: 60 });
    await receive(message);
    expect(await markDone(FIRST)).toEqual({
      queue: { assigneeId: null, done: true, waitingSince: null },
      unreadCount: 0,
    });
    expect([await phonesOf('done'), await phonesOf('unanswered'), await phonesOf('unread')]).toEqual([[FIRST], [], []]);
    // A callback that is delivered again has no new message.
    await receive(message);
    expect(await phonesOf('done')).toEqual([FIRST]);
    // This message was written earlier, but nobody has seen it.
    await receive(inboundText({ from: FIRST, ageSeconds: 90 }));
    expect([await phonesOf('done'), await phonesOf('unanswered')]).toEqual([[], [FIRST]]);
    await markDone(FIRST);
    const removal = { ...inboundText({ from: FIRST }), type: 'reaction', reaction: { message_id: message.id } };
    await receive(removal);
    expect(await phonesOf('done')).toEqual([FIRST]);
    await messaging.send(account.accountId, { to: FIRST, text: { body: 'Anything else?' } });
    expect(await phonesOf('done')).toEqual([FIRST]);
    const reopened = await change(FIRST, { done: false });
    expect(reopened.queue).toMatchObject({ done: false, waitingSince: null });
  });

  it('leaves a conversation done if the transaction of a message is rolled back', async () => {
    await receive(inboundText({ from: FIRST }));
    await markDone(FIRST);
    const writer = messaging.dataSource.createQueryRunner();
    await writer.startTransaction();
    await writer.query(
      `INSERT INTO messages (id, account_id, number_id, contact_id, direction, sender, recipient, type, content, state,
         received_at, upstream_id)
       SELECT $2, account_id, number_id, contact_id, direction, sender, recipient, type, content, state, now(), 'wamid.lost'
       FROM messages WHERE id = $1`,
      [await newestId(FIRST), newId('msg')],
    );
    const [inside] = (await writer.query('SELECT done FROM conversations WHERE account_id = $1', [
      account.accountId,
    ])) as { done: boolean }[];
    expect(inside).toEqual({ done: false });
    await writer.rollbackTransaction();
    await writer.release();
    expect(await phonesOf('done')).toEqual([FIRST]);
  });

  it('stays open if a message arrived after those that were seen', async () => {
    await receive(inboundText({ from: FIRST, ageSeconds: 60 }));
    const seen = await newestId(FIRST);
    await receive(inboundText({ from: FIRST, ageSeconds: 5 }));
    expect(await markDone(FIRST, seen)).toMatchObject({ queue: { done: false }, unreadCount: 1 });
    expect(await phonesOf('unanswered')).toEqual([FIRST]);
    await markDone(FIRST);
    expect(await markDone(FIRST, seen)).toMatchObject({ queue: { done: true }, unreadCount: 0 });
    expect((await change(FIRST, { done: false })).queue.waitingSince).not.toBeNull();
    expect(await phonesOf('unanswered')).toEqual([FIRST]);
  });

  it('marks messages as seen without a read receipt', async () => {
    await receive(inboundText({ from: FIRST, ageSeconds: 60 }), inboundText({ from: FIRST, ageSeconds: 5 }));
    expect(await phonesOf('unread')).toEqual([FIRST]);
    const seen = await change(FIRST, { seenUpTo: 'msg_7zzzzzzzzzzzzzzzzzzzzzzzzz' });
    expect(seen).toMatchObject({ unreadCount: 0, queue: { done: false } });
    expect(seen.queue.waitingSince).not.toBeNull();
    expect([await phonesOf('unread'), await phonesOf('unanswered')]).toEqual([[], [FIRST]]);
    expect(messaging.upstream.receipts.filter((each) => each.phoneNumberId === account.phoneNumberId)).toEqual([]);
    await receive(inboundText({ from: FIRST, ageSeconds: 0 }));
    expect(await phonesOf('unread')).toEqual([FIRST]);
  });

  it('assigns conversations until the user leaves', async () => {
    await receive(inboundText({ from: FIRST }), inboundText({ from: SECOND }), inboundText({ from: THIRD }));
    for (const phone of [FIRST, SECOND, THIRD]) await change(phone, { assigneeId: userId });
    await change(THIRD, { assigneeId: newId('usr') });
    await markDone(SECOND);
    expect([await phonesOf('mine'), await phonesOf('done')]).toEqual([[FIRST], [SECOND]]);
    const wanted = { accountId: account.accountId, assigneeId: userId };
    const one = { total: 1, totalIsExact: true };
    expect(await messaging.gateway.request(countConversationsV1, wanted)).toEqual({
      unread: { ...one, total: 2 },
      unanswered: { ...one, total: 2 },
      mine: one,
      unassigned: { ...one, total: 0 },
      all: { ...one, total: 3 },
      done: one,
    });
    const { queues } = await messaging.gateway.request(listContactsV1, {
      accountId: account.accountId,
      page: 1,
      limit: 20,
    });
    expect(queues?.filter(({ assigneeId }) => assigneeId === userId)).toHaveLength(2);
    const stranger = await messaging.addAccount();
    await messaging.gateway.publish(agentLeftV1, { accountId: stranger.accountId, userId });
    await messaging.gateway.publish(agentLeftV1, { accountId: account.accountId, userId });
    await eventually(async () => expect((await phonesOf('mine')).length).toBe(0));
    const left = await messaging.dataSource.query<{ assignee_id: string | null }[]>(
      'SELECT assignee_id FROM conversations WHERE account_id = $1 AND assignee_id IS NOT NULL',
      [account.accountId],
    );
    expect(left).toHaveLength(1);
  });

  it('lists what nobody has taken, of contacts who have written', async () => {
    await receive(inboundText({ from: FIRST, ageSeconds: 60 }), inboundText({ from: SECOND, ageSeconds: 30 }));
    await receive(inboundText({ from: THIRD, ageSeconds: 10 }));
    // As a recipient of a bulk job who has never written.
    await messaging.dataSource.query('UPDATE conversations SET last_inbound_at = NULL WHERE contact_id = $1', [
      await contactOf(THIRD),
    ]);
    expect(await phonesOf('all')).toEqual([THIRD, SECOND, FIRST]);
    expect(await phonesOf('unassigned')).toEqual([SECOND, FIRST]);
    const count = async () =>
      (await messaging.gateway.request(countConversationsV1, { accountId: account.accountId, assigneeId: userId }))
        .unassigned;
    expect(await count()).toEqual({ total: 2, totalIsExact: true });
    await change(FIRST, { assigneeId: userId });
    expect(await phonesOf('unassigned')).toEqual([SECOND]);
    await change(FIRST, { assigneeId: null });
    await markDone(SECOND);
    expect(await phonesOf('unassigned')).toEqual([FIRST]);
    expect(await count()).toEqual({ total: 1, totalIsExact: true });
  });

  it('filters each view by the assigned user', async () => {
    await receive(inboundText({ from: FIRST, ageSeconds: 90 }), inboundText({ from: SECOND, ageSeconds: 60 }));
    await receive(inboundText({ from: THIRD, ageSeconds: 30 }));
    const otherId = newId('usr');
    await change(FIRST, { assigneeId: otherId });
    await change(SECOND, { assigneeId: otherId });
    await change(THIRD, { assigneeId: userId });
    await messaging.send(account.accountId, { to: SECOND, text: { body: 'Done' } });
    await markDone(SECOND);
    const of = async (view: ConversationView, assigneeId = otherId) => {
      const { conversations, total } = await list(view, { assigneeId });
      expect(total).toBe(conversations.length);
      return conversations.map(({ phone }) => phone);
    };
    expect(await of('all')).toEqual([SECOND, FIRST]);
    expect([await of('unread'), await of('unanswered'), await of('done')]).toEqual([[FIRST], [FIRST], [SECOND]]);
    expect([await of('all', userId), await of('unassigned')]).toEqual([[THIRD], []]);
    expect(await of('all', newId('usr'))).toEqual([]);
  });

  it('keeps a conversation unread and unanswered after a reaction', async () => {
    const message = inboundText({ from: FIRST, ageSeconds: 60 });
    await receive(message);
    const reaction = { type: 'reaction' as const, reaction: { messageId: await newestId(FIRST), emoji: '👍' } };
    await messaging.send(account.accountId, { to: FIRST, ...reaction });
    const [liked] = (await list('unanswered')).conversations;
    expect(liked).toMatchObject({ unreadCount: 1, lastMessage: { type: 'reaction', direction: 'outbound' } });
    expect(Date.now() - Date.parse(liked?.queue?.waitingSince ?? '')).toBeGreaterThan(50_000);
    expect([await phonesOf('unread'), await phonesOf('unanswered')]).toEqual([[FIRST], [FIRST]]);
    await messaging.send(account.accountId, { to: FIRST, text: { body: 'On its way' } });
    await messaging.send(account.accountId, { to: FIRST, ...reaction });
    expect([await phonesOf('unread'), await phonesOf('unanswered')]).toEqual([[], []]);
  });

  it('deletes the assignment with an erased contact', async () => {
    await receive(inboundText({ from: FIRST }));
    await change(FIRST, { assigneeId: userId });
    await messaging.gateway.request(eraseContactV1, { accountId: account.accountId, phone: FIRST, dryRun: false });
    expect(
      await messaging.dataSource.query('SELECT 1 FROM conversations WHERE assignee_id = $1 AND account_id = $2', [
        userId,
        account.accountId,
      ]),
    ).toEqual([]);
  });

  it('stops waiting for messages that the retention removed', async () => {
    const day = 86_400;
    // Of different seconds: the order of messages of one second that arrive over an hour late is that of a hash.
    const old = inboundText({ from: FIRST, ageSeconds: 32 * day });
    const removal = { ...inboundText({ from: FIRST }), type: 'reaction', reaction: { message_id: old.id } };
    await receive(old, removal);
    await receive(inboundText({ from: SECOND, ageSeconds: 31 * day }), inboundText({ from: SECOND, ageSeconds: day }));
    expect(await phonesOf('unanswered')).toEqual([FIRST, SECOND]);
    const { accountId } = account;
    await messaging.dataSource.query('INSERT INTO account_settings (account_id, message_days) VALUES ($1, 30)', [
      accountId,
    ]);
    await messaging.gateway.request(runRetentionV1, { accountId, dryRun: false });
    const { conversations } = await list('unanswered');
    expect(conversations.map(({ phone }) => phone)).toEqual([SECOND]);
    expect(Date.parse(conversations[0]?.queue?.waitingSince ?? '')).toBeGreaterThan(Date.now() - 2 * day * 1_000);
    expect(await phonesOf('all')).toEqual([FIRST, SECOND]);
  });

  it('stores who requested a message', async () => {
    await receive(inboundText({ from: FIRST }));
    const sent = await messaging.send(account.accountId, { to: FIRST, text: { body: 'Hi' } }, newId('msg'), {
      senderId: userId,
    });
    const { message } = await messaging.gateway.request(getMessageV1, { accountId: account.accountId, id: sent.id });
    expect(message.senderId).toBe(userId);
    const open = { accountId: account.accountId, messageId: newId('msg'), senderId: userId };
    const noted = { to: FIRST, type: 'text' as const, text: { body: 'Lost' } };
    await messaging.gateway.request(noteOpenSendV1, { ...open, message: noted });
    const found = await messaging.gateway.request(getMessageV1, { accountId: account.accountId, id: open.messageId });
    expect(found.message).toMatchObject({ status: 'unknown', senderId: userId });
  });

  it('rejects contacts of other accounts and without messages', async () => {
    await receive(inboundText({ from: FIRST }));
    const contactId = await contactOf(FIRST);
    const stranger = await messaging.addAccount();
    for (const [accountId, id] of [
      [stranger.accountId, contactId],
      [account.accountId, newId('ct')],
    ] as const)
      await expect(
        messaging.gateway.request(changeConversationV1, { accountId, contactId: id, assigneeId: userId }),
      ).rejects.toMatchObject({ code: 'NOT_FOUND' });
    expect(await phonesOf('mine')).toEqual([]);
  });
});
