import { ApiError, type Schemas } from '@switchboard/client';
import { eventually } from '@switchboard/testing';
import { newAccount, type TestAccount } from './support/account';
import { receivedUpstream } from './support/simulator';
import { approved } from './support/templates';
import { type Listener, listenFor } from './support/webhooks';

/** The simulator's magic numbers force what becomes of a message. */
const MAGIC = '15005550';
const OPEN = { status: 504, code: 'UPSTREAM_TIMEOUT', message: expect.stringContaining('being reconciled') };

describe('what becomes of a message', () => {
  let account: TestAccount;
  let listener: Listener;

  beforeAll(async () => {
    account = await newAccount('Outcomes');
    [listener] = await Promise.all([listenFor(account.accountId), approved(account, ['hello_world'])]);
  }, 90_000);
  afterAll(() => listener.receiver.close());

  const sendTo = (suffix: string) =>
    account.api.sendMessage({
      to: MAGIC + suffix,
      type: 'template',
      template: { name: 'hello_world', language: { code: 'en_US' } },
      clientRef: `to-${suffix}`,
    });
  const statusesOf = (messageId: string): string[] =>
    listener.about(messageId).map((event) => ('status' in event ? event.status : ''));
  const recordOf = async (suffix: string, messageId: string | null): Promise<Schemas['Message'] | undefined> =>
    (await account.api.listMessages({ phone: MAGIC + suffix })).messages.find(
      (message) => messageId === null || message.message_id === messageId,
    );

  it.each([
    ['is delivered, never read', '101', ['sent', 'delivered']],
    ['is read without being reported as delivered', '102', ['sent', 'read']],
    ['stays sent', '103', ['sent']],
    ['has every callback twice', '110', ['sent', 'delivered', 'read']],
    ['has its first callback before the answer', '112', ['sent', 'delivered', 'read']],
  ])('%s: each status is announced once, in order', async (_what, suffix, statuses) => {
    const { message_id } = await sendTo(suffix);
    await eventually(() => expect(statusesOf(message_id)).toHaveLength(statuses.length));
    expect(statusesOf(message_id)).toEqual(statuses);
    const errors = listener.about(message_id).map((event) => ('error' in event ? event.error : 'none'));
    expect(errors).toEqual(statuses.map(() => null));
    await eventually(async () =>
      expect(await recordOf(suffix, message_id)).toMatchObject({
        status: statuses.at(-1),
        failedAt: null,
        error: null,
      }),
    );
  });

  it('has its callbacks in any order: each status is announced once, overtaken ones as late, and none before the message was created', async () => {
    const { message_id } = await sendTo('111');
    await eventually(async () =>
      expect(await recordOf('111', message_id)).toMatchObject({
        status: 'read',
        sentAt: expect.any(String),
        deliveredAt: expect.any(String),
        readAt: expect.any(String),
      }),
    );
    await eventually(() => expect(statusesOf(message_id).sort()).toEqual(['delivered', 'read', 'sent']));
    const onTime = listener
      .about(message_id)
      .flatMap((event): string[] => ('status' in event && !('late' in event) ? [event.status] : []));
    expect(onTime).toEqual(['sent', 'delivered', 'read'].filter((status) => onTime.includes(status)));
    const { message } = await account.api.getMessage({ id: message_id });
    expect(Date.parse(String(message.sentAt))).toBeGreaterThanOrEqual(Date.parse(message.createdAt));
  });

  it.each([
    ['126', 131026, 'undeliverable', 'INVALID_VALUE'],
    ['142', 131042, 'credit', 'UPSTREAM_ERROR'],
    ['147', 131047, 'window', 'WINDOW_CLOSED'],
    ['149', 131049, 'undeliverable', 'UPSTREAM_THROTTLED'],
    ['150', 131050, 'optout', 'RECIPIENT_OPTED_OUT'],
    ['153', 131053, 'media', 'UNSUPPORTED_MEDIA'],
    ['172', 130472, 'undeliverable', 'INVALID_VALUE'],
  ])('fails afterwards (%s): the event and the record say why, by code %i', async (suffix, code, category, reason) => {
    const { message_id } = await sendTo(suffix);
    await eventually(() => expect(statusesOf(message_id)).toEqual(['failed']));
    const error = {
      reason,
      code,
      title: expect.any(String),
      message: expect.any(String),
      category,
      retriable: expect.any(Boolean),
    };
    expect(listener.about(message_id)).toMatchObject([
      {
        event: 'message_status',
        messageId: message_id,
        to: MAGIC + suffix,
        userId: null,
        username: null,
        status: 'failed',
        timestamp: expect.any(String),
        error,
        jobId: null,
        clientRef: `to-${suffix}`,
        id: expect.stringMatching(/^msg_/),
        eventId: expect.stringMatching(/^evt_/),
      },
    ]);
    expect(await recordOf(suffix, message_id)).toMatchObject({
      status: 'failed',
      failedAt: expect.any(String),
      error,
    });
  });

  it('is sent, then fails: both are announced', async () => {
    const { message_id } = await sendTo('104');
    await eventually(() => expect(statusesOf(message_id)).toEqual(['sent', 'failed']));
  });

  it('is taken by a platform that cuts the connection: the caller is told that the outcome is open and of which message, and it is settled by the callback, once', async () => {
    const open = (await sendTo('108').catch((error: unknown) => error)) as ApiError;
    expect(open).toMatchObject({
      ...OPEN,
      retryAfterSeconds: expect.any(Number),
      body: { id: expect.stringMatching(/^msg_/) },
    });
    const record = await eventually(async () => {
      const { message: found } = await account.api.getMessage({ id: String(open.body['id']) });

      expect(found).toMatchObject({ status: 'read', message_id: expect.stringMatching(/^wamid\./) });
      return found;
    });
    await eventually(() => expect(statusesOf(String(record?.message_id))).toEqual(['sent', 'delivered', 'read']));
  });

  it.each([
    ['is taken by a platform whose answer does not name it', '109'],
    ['is taken by a platform in front of which a proxy answers 502', '115'],
  ])('%s: the outcome is open, the callback settles it, and it is never sent again', async (_what, suffix) => {
    const open = (await sendTo(suffix).catch((error: unknown) => error)) as ApiError;
    expect(open).toMatchObject({ ...OPEN, body: { id: expect.stringMatching(/^msg_/) } });
    const id = String(open.body['id']);
    await eventually(async () =>
      expect((await account.api.getMessage({ id })).message).toMatchObject({
        status: 'read',
        message_id: expect.stringMatching(/^wamid\./),
      }),
    );
    const received = await receivedUpstream(MAGIC + suffix);
    expect(received.filter(({ body }) => body['biz_opaque_callback_data'] === id)).toHaveLength(1);
    // The number is left alone after five failures in a row, and the next test needs it.
    await sendTo('101');
  });

  it('meets a platform that gives no answer: accepted when a callback has told it meanwhile, otherwise open', async () => {
    const [taken, lost] = await Promise.all([sendTo('106'), sendTo('107').catch((error: unknown) => error)]);
    expect(taken).toMatchObject({ status: 'accepted', message_id: expect.stringMatching(/^wamid\./) });
    await eventually(() => expect(statusesOf(taken.message_id)).toEqual(['sent', 'delivered', 'read']));
    expect(lost).toMatchObject(OPEN);
    const { id } = (lost as ApiError).body as { id: string };
    expect((await account.api.getMessage({ id })).message).toMatchObject({
      id,
      status: 'unknown',
      message_id: null,
      clientRef: 'to-107',
      to: `${MAGIC}107`,
    });
    expect(
      (await account.api.listMessages({ status: 'unknown', clientRef: 'to-107' })).messages.map(
        (message) => message.id,
      ),
    ).toEqual([id]);
    const unknown = expect.objectContaining({ id, status: 'unknown' }) as object;
    const phone = `${MAGIC}107`;
    for (const filters of [{}, { phone }, { phone, direction: 'outbound' as const }])
      expect((await account.api.listMessages(filters)).messages).toContainEqual(unknown);
    expect((await account.api.listConversationMessages({ phone })).messages).toEqual([unknown]);
    expect((await account.api.listMessages({ phone, direction: 'inbound' })).messages).toEqual([]);
    expect((await account.api.getMessage({ id: taken.message_id })).message).toMatchObject({ id: taken.id });
    expect(
      (await account.api.listMessages({ messageId: taken.message_id })).messages.map((message) => message.id),
    ).toEqual([taken.id]);
  });

  it('is refused for its recipient: the caller is told, the record has failed', async () => {
    const refusal = await sendTo('130').catch((error: unknown) => error);
    expect(refusal).toBeInstanceOf(ApiError);
    expect(refusal).toMatchObject({ status: 400, code: 'INVALID_PARAMETER' });
    expect(await recordOf('130', null)).toMatchObject({
      status: 'failed',
      message_id: null,
      error: { code: 131030, category: 'undeliverable' },
    });
  });

  it('meets a platform that is out of order: 502', async () => {
    expect(await sendTo('116').catch((error: unknown) => error)).toMatchObject({
      status: 502,
      code: 'UPSTREAM_ERROR',
      message: expect.stringContaining('the upstream platform failed'),
    });
  });

  it.each([
    ['this recipient', '156'],
    ['the whole number', '129'],
  ])('is throttled for %s: 429 with a time to wait, after we have waited ourselves', async (_what, suffix) => {
    const begun = performance.now();
    const refusal = await sendTo(suffix).catch((error: unknown) => error);
    expect(refusal).toMatchObject({
      status: 429,
      code: 'UPSTREAM_THROTTLED',
      message: expect.stringContaining('the upstream platform is throttling'),
      retryAfterSeconds: expect.any(Number),
    });
    expect((refusal as ApiError).retryAfterSeconds).toBeGreaterThan(0);
    expect(performance.now() - begun).toBeGreaterThan(500);
    expect(await recordOf(suffix, null)).toMatchObject({
      status: 'failed',
      error: { category: 'rate_limit', retriable: true },
    });
  });
});
