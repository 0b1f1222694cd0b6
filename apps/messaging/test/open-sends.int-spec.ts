import {
  getMessageV1,
  listConversationMessagesV1,
  newId,
  noteOpenSendV1,
  type SendMessageCommand,
} from '@switchboard/contracts';
import { eventually } from '@switchboard/testing';
import { CUSTOMER, type RunningMessaging, startMessaging, type TestAccount } from './support/start-messaging';

const GRACE_SECONDS = 3;

describe('a send that ended with a 504', () => {
  let messaging: RunningMessaging;
  let account: TestAccount;

  beforeAll(async () => {
    messaging = await startMessaging({ graceSeconds: GRACE_SECONDS, replicas: 2 });
    account = await messaging.addAccount();
    await messaging.writeIn(account);
  });
  afterAll(() => messaging.stop());

  const note = (id: string, message: object = {}, more: Partial<SendMessageCommand> = {}) =>
    messaging.gateway.request(noteOpenSendV1, {
      accountId: account.accountId,
      messageId: id,
      message: { to: CUSTOMER, type: 'text', text: { body: 'Hello' }, clientRef: id, ...message },
      ...more,
    });
  const send = (id: string) => messaging.send(account.accountId, { text: { body: 'Hello' }, clientRef: id }, id);
  const get = async (id: string) =>
    (await messaging.gateway.request(getMessageV1, { accountId: account.accountId, id })).message;
  const sendsOf = (id: string) => messaging.upstream.sends.filter(({ echo }) => echo === id);

  it('has an unknown outcome, then fails with one event', async () => {
    const id = newId('msg');
    expect(await note(id)).toEqual({ recorded: true });
    expect(await get(id)).toMatchObject({
      id,
      status: 'unknown',
      from: account.phoneNumber,
      to: CUSTOMER,
      content: { body: 'Hello' },
      clientRef: id,
      error: null,
    });
    const closeIngress = messaging.openIngress();
    const { createdAt, failedAt } = await eventually(async () => {
      const message = await get(id);
      expect(message).toMatchObject({ status: 'failed', error: { reason: 'UNAVAILABLE', title: 'Not sent' } });
      return message;
    });
    await closeIngress();
    expect(Date.parse(String(failedAt)) - Date.parse(createdAt)).toBeGreaterThanOrEqual(GRACE_SECONDS * 1_000);
    const eventsOf = () => messaging.statusEvents.filter((event) => event.id === id);
    await eventually(() => expect(eventsOf()).toMatchObject([{ status: 'failed', error: { title: 'Not sent' } }]));
    // A command that a process held back until now is too late.
    await expect(send(id)).rejects.toMatchObject({ code: 'UPSTREAM_ERROR' });
    expect(sendsOf(id)).toEqual([]);
  });

  it('is listed by phone and in its conversation', async () => {
    const [id, phone] = [newId('msg'), '919800000321'];
    await note(id, { to: phone });
    const idsOf = async (filters: object) =>
      (await messaging.list(account.accountId, filters)).messages.map((message) => message.id);
    expect((await idsOf({}))[0]).toBe(id);
    expect(await idsOf({ phone })).toEqual([id]);
    const [before, after] = [-3_600_000, 3_600_000].map((ms) => new Date(Date.now() + ms).toISOString());
    for (const filters of [{ type: 'text' }, { clientRef: id }, { since: before }, { until: after }])
      expect(await idsOf({ phone, ...filters })).toEqual([id]);
    expect(await idsOf({ phone, direction: 'inbound' })).toEqual([]);
    const wanted = { accountId: account.accountId, phone, page: 1, limit: 20 };
    expect(await messaging.gateway.request(listConversationMessagesV1, wanted)).toMatchObject({
      messages: [{ id, status: 'unknown' }],
      total: 1,
    });
    const [hidden, userId] = [newId('msg'), 'IN.10000000000000000002'];
    await note(hidden, { to: userId });
    expect(await idsOf({ phone: userId })).toEqual([hidden]);
    expect(await messaging.gateway.request(listConversationMessagesV1, { ...wanted, phone: userId })).toMatchObject({
      messages: [{ id: hidden, status: 'unknown' }],
      total: 1,
    });
  });

  it('is sent once when the request is repeated', async () => {
    const id = newId('msg');
    await note(id);
    const sent = await send(id);
    await expect(send(id)).resolves.toEqual(sent);
    await note(id);
    expect(await get(id)).toMatchObject({ status: 'accepted', upstreamId: sent.upstreamId });
    expect(sendsOf(id)).toHaveLength(1);
  });

  it('is sent once by concurrent repeats', async () => {
    // One message at a time, so that no send expires in its queue.
    for (const id of Array.from({ length: 10 }, () => newId('msg'))) {
      await note(id);
      await Promise.allSettled([send(id), send(id), note(id)]);
      await eventually(() => send(id));
      expect(sendsOf(id)).toHaveLength(1);
    }
  });

  it('keeps its row if it had started', async () => {
    const id = newId('msg');
    await send(id);
    const before = await get(id);
    expect(await note(id, { text: { body: 'Another' } })).toEqual({ recorded: true });
    expect(await get(id)).toEqual(before);
  });

  it.each<[string, object, Partial<SendMessageCommand>]>([
    ['to a user id', { to: 'IN.10000000000000000001' }, {}],
    ['from an unknown number', { from: '15559990000' }, {}],
    ['a reaction', { type: 'reaction', reaction: { messageId: 'wamid.1', emoji: '👍' } }, {}],
    [
      'a file',
      { type: 'image', text: undefined },
      { upload: { blobKey: 'uploads/x', mimeType: 'image/png', bytes: 3, sha256: 'ab' } },
    ],
  ])('is recorded if it is %s', async (_what, message, more) => {
    const id = newId('msg');
    expect(await note(id, message, more)).toEqual({ recorded: true });
    expect(await get(id)).toMatchObject({ id, status: 'unknown' });
  });

  it('leaves no record for an account without a number', async () => {
    expect(await note(newId('msg'), {}, { accountId: newId('acc') })).toEqual({ recorded: false });
  });
});
