import { ApiError, type Schemas } from '@switchboard/client';
import { eventually } from '@switchboard/testing';
import { newAccount, type TestAccount } from './support/account';
import { receivedUpstream } from './support/simulator';
import { approved } from './support/templates';
import { type Listener, listenFor } from './support/webhooks';

/** Prefix of the simulator's magic numbers, which force the outcome of a message. */
const MAGIC = '15005550';
const OPEN = { status: 504, code: 'UPSTREAM_TIMEOUT', message: expect.stringContaining('being reconciled') };

describe('a message', () => {
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
  ])('reports each status once and in order when it %s', async (_what, suffix, statuses) => {
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

  it('reports each status once when callbacks arrive in random order', async () => {
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
  ])('reports a later failure (%s) in event and record, with code %i', async (suffix, code, category, reason) => {
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

  it('reports both events when it is sent and then fails', async () => {
    const { message_id } = await sendTo('104');
    await eventually(() => expect(statusesOf(message_id)).toEqual(['sent', 'failed']));
  });

  it('stays open after a cut connection until a callback settles it', async () => {
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
  ])('stays open until the callback settles it, without a resend: %s', async (_what, suffix) => {
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
    // The number is skipped after five consecutive failures, and the next test needs it.
    await sendTo('101');
  });

  it('is accepted without a response if a callback arrived, otherwise open', async () => {
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

  it('returns the error and is stored as failed for a rejected recipient', async () => {
    const refusal = await sendTo('130').catch((error: unknown) => error);
    expect(refusal).toBeInstanceOf(ApiError);
    expect(refusal).toMatchObject({ status: 400, code: 'INVALID_PARAMETER' });
    expect(await recordOf('130', null)).toMatchObject({
      status: 'failed',
      message_id: null,
      error: { code: 131030, category: 'undeliverable' },
    });
  });

  it('returns 502 during a platform outage', async () => {
    expect(await sendTo('116').catch((error: unknown) => error)).toMatchObject({
      status: 502,
      code: 'UPSTREAM_ERROR',
      message: expect.stringContaining('the upstream platform failed'),
    });
  });

  it.each([
    ['this recipient', '156'],
    ['the whole number', '129'],
  ])('returns 429 with Retry-After for %s after an internal wait', async (_what, suffix) => {
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
