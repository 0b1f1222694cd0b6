import { firstIdAt, listConversationsV1, timeOfId, upstreamMessagesReceivedV1 } from '@switchboard/contracts';
import { eventually } from '@switchboard/testing';
import { inboundText, type RunningMessaging, startMessaging, type TestAccount } from './support/start-messaging';

describe('messages written within one second', () => {
  let messaging: RunningMessaging;
  let account: TestAccount;
  let customers = 0;
  let from: string;

  beforeAll(async () => {
    messaging = await startMessaging({ replicas: 2 });
  });
  beforeEach(async () => {
    account = await messaging.addAccount();
    from = `9198111${String(10_000 + (customers += 1))}`;
  });
  afterAll(() => messaging.stop());

  const receive = async (...callbacks: object[][]): Promise<void> => {
    for (const messages of callbacks) await messaging.callback(account.phoneNumberId, { messages });
    await messaging.settled();
  };
  /** Publishes a callback as the gateway does. */
  const publish = ({ messages, ...callback }: { callbackId: string; messages: object[]; offset?: number }) =>
    messaging.gateway.publish(upstreamMessagesReceivedV1, {
      ...callback,
      wabaId: '100000000000001',
      value: { messaging_product: 'whatsapp', metadata: { phone_number_id: account.phoneNumberId }, messages },
    });
  const callbackIdAt = (timeMs: number): string => firstIdAt('cb', timeMs);
  /** Returns messages written in the same second, in this order. */
  const written = (count: number, ageSeconds = 60) => {
    const { timestamp } = inboundText({ ageSeconds });
    return Array.from({ length: count }, () => ({ ...inboundText({ from }), timestamp }));
  };
  const idsOf = (messages: readonly { id: string }[]) => messages.map(({ id }) => id);
  const listed = async () => (await messaging.list(account.accountId, { limit: 100 })).messages.toReversed();
  const order = async () => (await listed()).map(({ upstreamId }) => upstreamId);
  const conversation = async () =>
    (await messaging.gateway.request(listConversationsV1, { accountId: account.accountId, page: 1, limit: 20 }))
      .conversations[0];

  it('keep the order of their callback when it is repeated', async () => {
    const messages = written(20);
    await receive(messages);
    await receive(messages, messages.toReversed());
    expect(await order()).toEqual(idsOf(messages));
    expect(await conversation()).toMatchObject({
      lastMessage: { upstreamId: messages.at(-1)?.id },
      messageCount: 20,
      unreadCount: 20,
    });
    const timestamp = new Date(Number(messages[0]?.timestamp) * 1_000).toISOString();
    expect(new Set((await listed()).map((message) => message.timestamp))).toEqual(new Set([timestamp]));
    expect((await conversation())?.lastMessage.timestamp).toBe(timestamp);
  });

  it('are in order of arrival if they arrive separately', async () => {
    const messages = written(8);
    for (const message of messages) await receive([message]);
    expect(await order()).toEqual(idsOf(messages));
    await receive(...messages.map((message) => [message]));
    expect(await order()).toEqual(idsOf(messages));
  });

  it('stay within their second despite late messages', async () => {
    const [early, late] = [written(3, 62), written(3, 61)];
    await receive(late);
    await receive([...early, ...late]);
    expect(await order()).toEqual([...idsOf(early), ...idsOf(late)]);
  });

  it('are unread and last if they arrive after a reply', async () => {
    await receive(written(1, 5));
    const { id, upstreamId: answer } = await messaging.send(account.accountId, {
      to: from,
      text: { body: 'How may I help?' },
    });
    const answeredAt = timeOfId('msg', id)?.getTime() ?? 0;
    const reply = { ...inboundText({ from }), timestamp: String(Math.floor(answeredAt / 1_000)) };
    await receive([reply]);
    expect((await order()).slice(-2)).toEqual([answer, reply.id]);
    expect(await conversation()).toMatchObject({
      lastMessage: { upstreamId: reply.id, direction: 'inbound' },
      unreadCount: 1,
    });
  });

  it('are in order of arrival despite concurrent storage', async () => {
    const messages = written(30);
    const parts = messages.map((message, index) => ({
      callbackId: callbackIdAt(Date.now() + 2 * index),
      messages: [message],
    }));
    await Promise.all([...parts.toReversed(), ...parts].map((part) => publish(part)));
    await eventually(async () => expect(await order()).toEqual(idsOf(messages)));
  });

  it('keep the order of a callback split into parts', async () => {
    const messages = written(6);
    const callbackId = callbackIdAt(Date.now());
    await publish({ callbackId, messages: messages.slice(3), offset: 3 });
    await publish({ callbackId, messages: messages.slice(0, 3) });
    await eventually(async () => expect(await order()).toEqual(idsOf(messages)));
  });
});
