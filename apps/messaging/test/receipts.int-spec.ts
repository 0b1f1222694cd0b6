import { getMessageV1, listConversationsV1, markReadV1, newId, resumeNumberV1 } from '@switchboard/contracts';
import { inboundText, type RunningMessaging, startMessaging, type TestAccount } from './support/start-messaging';

/** Tolerance between the clocks of the test and the database. */
const CLOCK_MS = 1_000;

describe('read receipts and typing indicators', () => {
  let messaging: RunningMessaging;
  let account: TestAccount;

  beforeAll(async () => {
    messaging = await startMessaging();
  });
  beforeEach(async () => {
    messaging.upstream.behave('accept');
    account = await messaging.addAccount();
  });
  afterAll(() => messaging.stop());

  /**
   * Stores a number of inbound messages.
   * @returns the messages, oldest first
   */
  async function writeIn(times = 1): Promise<{ id: string; upstreamId: string }[]> {
    await messaging.callback(account.phoneNumberId, { messages: Array.from({ length: times }, () => inboundText()) });
    await messaging.settled();
    return (await messaging.dataSource.query(
      `SELECT id, upstream_id AS "upstreamId" FROM messages WHERE account_id = $1 AND direction = 'inbound' ORDER BY id`,
      [account.accountId],
    )) as { id: string; upstreamId: string }[];
  }
  const mark = (id: string, typing?: boolean, accountId = account.accountId) =>
    messaging.gateway.request(markReadV1, { accountId, id, ...(typing !== undefined && { typing }) });
  const receipts = () =>
    messaging.upstream.receipts.filter(({ phoneNumberId }) => phoneNumberId === account.phoneNumberId);
  const unread = async (): Promise<number> => {
    const wanted = { accountId: account.accountId, page: 1, limit: 20 };
    const { conversations } = await messaging.gateway.request(listConversationsV1, wanted);
    return conversations[0]?.unreadCount ?? -1;
  };

  it('are sent once and mark older messages as read', async () => {
    const [first, second, third] = await writeIn(3);
    expect(await unread()).toBe(3);
    const before = Date.now();
    const told = await mark(second?.upstreamId ?? '');
    const at = Date.parse(told.readAt);
    expect([at >= before - CLOCK_MS, at <= Date.now() + CLOCK_MS]).toEqual([true, true]);
    expect(told).toEqual({ id: second?.id, upstreamId: second?.upstreamId, readAt: expect.any(String) });
    expect(await mark(second?.id ?? '')).toEqual(told);
    expect(receipts().map(({ body }) => body)).toEqual([
      { messaging_product: 'whatsapp', status: 'read', message_id: second?.upstreamId },
    ]);
    expect(await unread()).toBe(1);
    // A receipt for an older message changes nothing.
    await mark(first?.id ?? '');
    expect(await unread()).toBe(1);
    await mark(third?.id ?? '');
    expect(await unread()).toBe(0);
    await writeIn();
    expect(await unread()).toBe(1);
    const wanted = { accountId: account.accountId, id: second?.id ?? '' };
    const { message } = await messaging.gateway.request(getMessageV1, wanted);
    expect(message).toMatchObject({ readAt: told.readAt, status: 'received' });
  });

  it('are sent for each typing indicator', async () => {
    const [message] = await writeIn();
    const first = await mark(message?.id ?? '', true);
    expect(await mark(message?.id ?? '', true)).toEqual(first);
    expect(receipts().map(({ body }) => body)).toMatchObject([
      { status: 'read', typing_indicator: { type: 'text' } },
      { status: 'read', typing_indicator: { type: 'text' } },
    ]);
    expect(await unread()).toBe(0);
  });

  it('are rejected for messages that the account did not receive', async () => {
    const [message] = await writeIn();
    const neighbour = await messaging.addAccount();
    for (const id of [newId('msg'), 'wamid.NOBODY'])
      await expect(mark(id)).rejects.toMatchObject({ code: 'NOT_FOUND' });
    await expect(mark(message?.id ?? '', false, neighbour.accountId)).rejects.toMatchObject({ code: 'NOT_FOUND' });
    await expect(mark(message?.upstreamId ?? '', false, neighbour.accountId)).rejects.toMatchObject({
      code: 'NOT_FOUND',
    });
    const own = newId('msg');
    await messaging.send(account.accountId, { text: { body: 'Hello' } }, own);
    await expect(mark(own)).rejects.toMatchObject({ code: 'INVALID_PARAMETER' });
    expect(receipts()).toEqual([]);
  });

  it('return platform errors and store nothing', async () => {
    const [message] = await writeIn();
    messaging.upstream.behave({ refuseWith: 131009, details: 'no such message' });
    for (const typing of [false, true])
      await expect(mark(message?.id ?? '', typing)).rejects.toMatchObject({
        code: 'INVALID_PARAMETER',
        extra: { error: { code: 131009, message: 'no such message' } },
      });
    for (const [behaviour, code, status] of [
      [{ refuseWith: 131009, details: 'no such message' }, 'INVALID_PARAMETER', 400],
      [{ refuseWith: 130429 }, 'UPSTREAM_THROTTLED', 429],
      ['hang', 'UPSTREAM_TIMEOUT', 504],
      ['accept-then-cut', 'UPSTREAM_TIMEOUT', 504],
      [{ refuseWith: 190, status: 401 }, 'UPSTREAM_ERROR', 502],
    ] as const) {
      messaging.upstream.behave(behaviour);
      await expect(mark(message?.id ?? '')).rejects.toMatchObject({ code, status });
    }
    expect(await unread()).toBe(1);
    messaging.upstream.behave('accept');
    // The last error was about the number's credentials.
    await expect(mark(message?.id ?? '')).rejects.toMatchObject({ code: 'NUMBER_STOPPED' });
    await messaging.gateway.request(resumeNumberV1, {
      accountId: account.accountId,
      phoneNumber: account.phoneNumber,
    });
    await expect(mark(message?.id ?? '')).resolves.toMatchObject({ id: message?.id });
    expect(await unread()).toBe(0);
  });
});
