import { newId, resumeNumberV1, type SendMessageRequest, templateSample } from '@switchboard/contracts';
import { eventually } from '@switchboard/testing';
import { insertOutbound } from './support/outbound-rows';
import { type RunningMessaging, startMessaging, type TestAccount } from './support/start-messaging';
import { wamidOf } from './support/upstream';

const GRACE_SECONDS = 1;

describe('a send with an unknown outcome', () => {
  let messaging: RunningMessaging;
  let account: TestAccount;
  let closeIngress: () => Promise<void>;

  beforeAll(async () => {
    messaging = await startMessaging({ graceSeconds: GRACE_SECONDS, replicas: 2 });
    account = await messaging.addAccount();
    await messaging.writeIn(account);
  });
  beforeEach(() => {
    messaging.upstream.behave('accept');
    closeIngress = messaging.openIngress();
  });
  afterEach(() => closeIngress());
  afterAll(async () => {
    // No message failed on its way, so none may have been delivered twice.
    expect(messaging.repeated).toEqual([]);
    await messaging.stop();
  });

  const send = (id: string, more: object = {}) =>
    messaging.send(account.accountId, { text: { body: 'Hello' } }, id, more);
  const sendsOf = (id: string) => messaging.upstream.sends.filter(({ echo }) => echo === id);
  const rowOf = async (id: string) =>
    (await messaging.dataSource.query('SELECT * FROM messages WHERE id = $1', [id]))[0];
  const status = (fields: object) => ({
    statuses: [{ status: 'sent', timestamp: '1790416830', recipient_id: '919812345678', ...fields }],
  });
  const eventsOf = (id: string) => messaging.statusEvents.filter((event) => event.id === id);
  /** Resolves when the reconciler has processed a message that starts now, and so all earlier ones. */
  const reconcilerRan = async (): Promise<void> => {
    const id = newId('msg');
    messaging.upstream.behave('accept-then-cut');
    await expect(send(id)).rejects.toMatchObject({ code: 'UPSTREAM_TIMEOUT' });
    messaging.upstream.behave('accept');
    await eventually(async () => expect(await rowOf(id)).toMatchObject({ state: 'accepted' }));
  };

  it('is settled by the callback that echoes the internal id', async () => {
    const id = newId('msg');
    messaging.upstream.behave('accept-then-cut');
    await expect(send(id)).rejects.toMatchObject({ code: 'UPSTREAM_TIMEOUT' });
    expect(await rowOf(id)).toMatchObject({ state: 'unknown', upstream_id: null });
    messaging.upstream.behave('accept');
    await messaging.callback(account.phoneNumberId, status({ id: 'wamid.settles', biz_opaque_callback_data: id }));
    await eventually(async () =>
      expect(await rowOf(id)).toMatchObject({ state: 'sent', upstream_id: 'wamid.settles' }),
    );
    await expect(send(id)).resolves.toEqual({ id, upstreamId: 'wamid.settles' });
    await reconcilerRan();
    expect(sendsOf(id)).toHaveLength(1);
  });

  it('is retried by one replica after the grace period', async () => {
    const ids = Array.from({ length: 10 }, () => newId('msg'));
    messaging.upstream.behave('hang');
    await Promise.all(ids.map((id) => expect(send(id)).rejects.toMatchObject({ code: 'UPSTREAM_TIMEOUT' })));
    messaging.upstream.behave('accept');
    expect(ids.flatMap(sendsOf)).toHaveLength(ids.length);
    for (const id of ids)
      await eventually(async () => expect(await rowOf(id)).toMatchObject({ state: 'accepted', send_attempts: 2 }));
    expect(ids.flatMap(sendsOf)).toHaveLength(2 * ids.length);
    expect(await rowOf(ids[0] ?? '')).toMatchObject({ upstream_id: expect.stringMatching(/^wamid\.OUT/) });
  });

  it('is retried unchanged, with the message it replies to', async () => {
    const [answered] = (await messaging.list(account.accountId, { direction: 'inbound' })).messages;
    const buttons = [{ type: 'reply' as const, reply: { id: 'yes', title: 'Yes' } }];
    const id = newId('msg');
    messaging.upstream.behave('hang');
    const asked: Partial<SendMessageRequest> = {
      type: 'interactive',
      interactive: { type: 'button', body: { text: 'Right?' }, action: { buttons } },
      context: { messageId: answered?.id ?? '' },
    };
    await expect(messaging.send(account.accountId, asked, id)).rejects.toMatchObject({ code: 'UPSTREAM_TIMEOUT' });
    messaging.upstream.behave('accept');
    await eventually(async () => expect(await rowOf(id)).toMatchObject({ state: 'accepted', send_attempts: 2 }));
    const [first, second] = sendsOf(id);
    expect(first?.body).toMatchObject({ type: 'interactive', context: { message_id: answered?.upstreamId } });
    expect(second?.body).toEqual(first?.body);
  });

  it('is retried exactly once, not before the grace period', async () => {
    await closeIngress();
    const id = newId('msg');
    messaging.upstream.behave('accept-then-cut');
    await expect(send(id)).rejects.toMatchObject({ code: 'UPSTREAM_TIMEOUT' });
    messaging.upstream.behave('accept');
    const { sending_since: since } = (await rowOf(id)) as { sending_since: Date };
    const at = (ms: number) => ({ at: new Date(since.getTime() + ms).toISOString() });
    // The heartbeat uses the test's clock: its time is just within the grace period, however late it is sent.
    await messaging.beat(at(GRACE_SECONDS * 1_000 - 1));
    await eventually(() => expect(Date.now() - since.getTime()).toBeGreaterThan(GRACE_SECONDS * 1_000 + 2_500));
    expect(sendsOf(id)).toHaveLength(1);
    await messaging.beat(at(GRACE_SECONDS * 1_000 + 1));
    await eventually(async () => expect(await rowOf(id)).toMatchObject({ state: 'accepted', send_attempts: 2 }));
    closeIngress = messaging.openIngress();
    await reconcilerRan();
    expect(sendsOf(id)).toHaveLength(2);
  });

  it('fails with a reason and one event if not repeatable', async () => {
    const id = newId('msg');
    messaging.upstream.behave('accept-then-cut');
    await expect(send(id, { repeatable: false, jobId: 'job_1' })).rejects.toMatchObject({ code: 'UPSTREAM_TIMEOUT' });
    messaging.upstream.behave('accept');
    await eventually(() =>
      expect(eventsOf(id)).toMatchObject([
        { status: 'failed', jobId: 'job_1', error: { code: 0, title: 'Outcome unknown' } },
      ]),
    );
    await reconcilerRan();
    expect(sendsOf(id)).toHaveLength(1);
    expect(eventsOf(id)).toHaveLength(1);
  });

  it.each<[string, Partial<SendMessageRequest>]>([
    ['an image', { type: 'image', image: { link: 'https://example.com/a.png' }, caption: 'Here' }],
    [
      'a template',
      {
        type: 'template',
        template: {
          name: 'hello',
          language: { code: 'en_US' },
          components: [{ type: 'body', parameters: [{ type: 'text', text: 'Ana' }] }],
        },
      },
    ],
  ])('is retried unchanged: %s', async (_title, message) => {
    messaging.templates.set('hello', {
      ...templateSample,
      name: 'hello',
      components: [{ type: 'BODY', text: 'Hi {{1}}' }],
    });
    const id = newId('msg');
    messaging.upstream.behave('accept-then-cut');
    await expect(messaging.send(account.accountId, message, id)).rejects.toMatchObject({ code: 'UPSTREAM_TIMEOUT' });
    messaging.upstream.behave('accept');
    await eventually(() => expect(sendsOf(id).length).toBe(2));
    expect(sendsOf(id)[1]?.body).toEqual(sendsOf(id)[0]?.body);
  });

  it('waits while the number is stopped', async () => {
    const other = await messaging.addAccount();
    await messaging.writeIn(other);
    const id = newId('msg');
    messaging.upstream.behave('accept-then-cut');
    await expect(messaging.send(other.accountId, { text: { body: 'Hello' } }, id)).rejects.toMatchObject({
      code: 'UPSTREAM_TIMEOUT',
    });
    messaging.upstream.behave({ refuseWith: 190 });
    const stoppedOf = async () =>
      (
        await messaging.dataSource.query('SELECT stopped_reason AS reason FROM numbers WHERE id = $1', [other.numberId])
      )[0];
    await eventually(async () =>
      expect(await stoppedOf()).toMatchObject({ reason: expect.stringContaining('190') as string }),
    );
    expect(await rowOf(id)).toMatchObject({ state: 'unknown', send_attempts: 2 });
    messaging.upstream.behave('accept');
    await reconcilerRan();
    expect(sendsOf(id)).toHaveLength(2);
    await messaging.gateway.request(resumeNumberV1, { accountId: other.accountId, phoneNumber: other.phoneNumber });
    await eventually(async () => expect(await rowOf(id)).toMatchObject({ state: 'accepted', send_attempts: 3 }));
  });

  it.each([
    ['after five sends', 'send_attempts = 5'],
    ['after an hour', "created_at = now() - interval '61 minutes'"],
  ])('fails with a reason and one event %s', async (_title, change) => {
    await closeIngress();
    const id = newId('msg');
    messaging.upstream.behave('hang');
    await expect(send(id)).rejects.toMatchObject({ code: 'UPSTREAM_TIMEOUT' });
    await messaging.dataSource.query(`UPDATE messages SET ${change} WHERE id = $1`, [id]);
    closeIngress = messaging.openIngress();
    await eventually(async () =>
      expect(await rowOf(id)).toMatchObject({ state: 'failed', error: { code: 0, category: 'other' } }),
    );
    await eventually(() =>
      expect(eventsOf(id)).toMatchObject([{ status: 'failed', upstreamId: id, error: { code: 0, category: 'other' } }]),
    );
    expect(sendsOf(id)).toHaveLength(1);
  });

  it('is never sent after an hour', async () => {
    await closeIngress();
    const ids = await insertOutbound(
      messaging.dataSource,
      account,
      Array.from({ length: 120 }, () => 'unknown' as const),
    );
    await messaging.dataSource.query(
      "UPDATE messages SET created_at = now() - interval '61 minutes' WHERE id = ANY ($1)",
      [ids],
    );
    closeIngress = messaging.openIngress();
    const open = "SELECT id FROM messages WHERE id = ANY ($1) AND state <> 'failed'";
    await eventually(async () => expect(await messaging.dataSource.query(open, [ids])).toEqual([]), {
      timeoutMs: 20_000,
    });
    expect(ids.flatMap(sendsOf)).toEqual([]);
  }, 30_000);

  it('fails with the upstream reason if the retry is rejected', async () => {
    const id = newId('msg');
    messaging.upstream.behave('hang');
    await expect(send(id)).rejects.toMatchObject({ code: 'UPSTREAM_TIMEOUT' });
    messaging.upstream.behave({ refuseWith: 131026 });
    await eventually(() =>
      expect(messaging.statusEvents.filter((event) => event.id === id)).toMatchObject([
        { status: 'failed', error: { code: 131026 } },
      ]),
    );
    // The first call may have succeeded, so a delivery takes precedence over the failure.
    await messaging.callback(
      account.phoneNumberId,
      status({ id: wamidOf(999), status: 'delivered', biz_opaque_callback_data: id }),
    );
    await eventually(async () => expect(await rowOf(id)).toMatchObject({ state: 'delivered' }));
  });
});
