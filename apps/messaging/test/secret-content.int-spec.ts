import { getSendV1, newId, templateSample } from '@switchboard/contracts';
import { eventually } from '@switchboard/testing';
import { CUSTOMER, type RunningMessaging, startMessaging, type TestAccount } from './support/start-messaging';

const CODE = '48291375';
const MASKED = '••••••';

describe('a message with a secret', () => {
  let messaging: RunningMessaging;
  let account: TestAccount;
  let closeIngress: () => Promise<void>;

  beforeAll(async () => {
    messaging = await startMessaging({ graceSeconds: 1 });
    account = await messaging.addAccount();
    messaging.templates.set('verification_code', {
      ...templateSample,
      name: 'verification_code',
      category: 'AUTHENTICATION',
      components: [
        { type: 'BODY', text: '{{1}} is your code' },
        { type: 'BUTTONS', buttons: [{ type: 'URL', url: 'https://example.com/{{1}}' }] },
      ],
    });
  });
  beforeEach(() => {
    messaging.upstream.behave('accept');
    closeIngress = messaging.openIngress();
  });
  afterEach(() => closeIngress());
  afterAll(() => messaging.stop());

  const componentsWith = (text: string) => [
    { type: 'body', parameters: [{ type: 'text' as const, text }] },
    { type: 'button', sub_type: 'url', index: '0', parameters: [{ type: 'text' as const, text }] },
  ];
  const components = componentsWith(CODE);
  const template = { name: 'verification_code', language: { code: 'en_US' }, components };
  const send = (id: string, more: object = {}) =>
    messaging.send(account.accountId, { type: 'template', template }, id, { isSecret: true, ...more });
  const sendsOf = (id: string) => messaging.upstream.sends.filter(({ echo }) => echo === id);
  const rowOf = async (id: string) =>
    (await messaging.dataSource.query('SELECT * FROM messages WHERE id = $1', [id]))[0];
  const stateOf = (messageId: string, accountId = account.accountId) =>
    messaging.gateway.request(getSendV1, { accountId, messageId });
  const status = (fields: object) => ({
    statuses: [{ status: 'sent', timestamp: '1790416830', recipient_id: CUSTOMER, ...fields }],
  });
  /** Returns all text values in all tables of the service. */
  const everything = async (): Promise<string> => {
    const tables = await messaging.dataSource.query<{ name: string }[]>(
      "SELECT tablename AS name FROM pg_tables WHERE schemaname = 'messaging'",
    );
    const texts = await Promise.all(
      tables.map(({ name }) => messaging.dataSource.query(`SELECT to_jsonb(t)::text AS row FROM "${name}" AS t`)),
    );
    return JSON.stringify(texts);
  };
  /** Sends a message whose response is lost. */
  const loseAnswer = async (id: string, more: object = {}): Promise<void> => {
    messaging.upstream.behave('accept-then-cut');
    await expect(send(id, more)).rejects.toMatchObject({ code: 'UPSTREAM_TIMEOUT' });
    expect(await rowOf(id)).toMatchObject({
      state: 'unknown',
      sealed_content: expect.stringMatching(/^v2\.[0-9a-f]{8}\./),
    });
    expect(await stateOf(id)).toEqual({ state: 'unknown', upstreamId: null, error: null });
    messaging.upstream.behave('accept');
  };
  const expectForgotten = async (id: string, state: string): Promise<void> => {
    await eventually(async () => expect(await rowOf(id)).toMatchObject({ state, sealed_content: null }));
    expect(await everything()).not.toContain(CODE);
  };

  it('is sent in plain text and shown masked', async () => {
    const id = newId('msg');
    const { upstreamId } = await send(id);
    expect(sendsOf(id)).toMatchObject([{ body: { template: { components } } }]);
    const parameters = [{ type: 'text', text: MASKED }];
    const { messages } = await messaging.list(account.accountId);
    expect(messages).toMatchObject([
      {
        id,
        type: 'template',
        content: {
          name: 'verification_code',
          components: [
            { type: 'body', parameters },
            { type: 'button', parameters },
          ],
        },
      },
    ]);
    await expectForgotten(id, 'accepted');
    expect(await stateOf(id)).toEqual({ state: 'accepted', upstreamId, error: null });
  });

  it('is encrypted while its outcome is unknown', async () => {
    await closeIngress();
    const id = newId('msg');
    await loseAnswer(id);
    expect(await everything()).not.toContain(CODE);
    closeIngress = messaging.openIngress();
    await expectForgotten(id, 'accepted');
    const [first, second] = sendsOf(id);
    expect(second?.body).toEqual(first?.body);
    expect(JSON.stringify(second?.body)).toContain(CODE);
  });

  it('deletes the secret even from the error of a rejected send', async () => {
    const id = newId('msg');
    messaging.upstream.behave({ refuseWith: 131026, details: `cannot deliver ${CODE}` });
    await expect(send(id)).rejects.toMatchObject({ code: 'INVALID_VALUE' });
    await expectForgotten(id, 'failed');
    expect(await stateOf(id)).toMatchObject({ state: 'failed', upstreamId: null, error: { code: 131026 } });
  });

  it('deletes the secret when upstream rejects the retry', async () => {
    await closeIngress();
    const id = newId('msg');
    await loseAnswer(id);
    messaging.upstream.behave({ refuseWith: 131026, details: `cannot deliver ${CODE}` });
    closeIngress = messaging.openIngress();
    await expectForgotten(id, 'failed');
  });

  it('deletes the secret when a callback reports the outcome', async () => {
    await closeIngress();
    const id = newId('msg');
    await loseAnswer(id);
    await messaging.callback(account.phoneNumberId, status({ id: 'wamid.secret', biz_opaque_callback_data: id }));
    await expectForgotten(id, 'sent');
    expect(sendsOf(id)).toHaveLength(1);
  });

  it('deletes the secret when the send is abandoned', async () => {
    await closeIngress();
    const id = newId('msg');
    await loseAnswer(id, { repeatable: false });
    closeIngress = messaging.openIngress();
    await expectForgotten(id, 'failed');
    expect(sendsOf(id)).toHaveLength(1);
  });

  it('cannot be settled without deleting its secret', async () => {
    await closeIngress();
    const id = newId('msg');
    await loseAnswer(id);
    await expect(
      messaging.dataSource.query("UPDATE messages SET state = 'accepted' WHERE id = $1", [id]),
    ).rejects.toThrow(/messages_secret_gone/);
  });

  it('is unknown to other accounts', async () => {
    const id = newId('msg');
    await send(id);
    const nothing = { state: 'none', upstreamId: null, error: null };
    expect(await stateOf(id, newId('acc'))).toEqual(nothing);
    expect(await stateOf(newId('msg'))).toEqual(nothing);
  });

  it('is reported once to the otp service if undelivered', async () => {
    const [code, arrived, ordinary] = [newId('msg'), newId('msg'), newId('msg')];
    for (const id of [code, arrived]) await send(id);
    // Use another code, because no table may contain the secret one when an earlier test is retried.
    const other = { ...template, components: componentsWith('55555555') };
    await messaging.send(account.accountId, { type: 'template', template: other }, ordinary);
    const given = (id: string, state: string) => ({
      id: `wamid.${id}`,
      biz_opaque_callback_data: id,
      status: state,
      timestamp: '1790416830',
      recipient_id: CUSTOMER,
      ...(state === 'failed' && { errors: [{ code: 131026, title: 'Message undeliverable' }] }),
    });
    await messaging.callback(account.phoneNumberId, { statuses: [given(arrived, 'delivered')] });
    for (let time = 0; time < 2; time += 1)
      await messaging.callback(account.phoneNumberId, {
        statuses: [code, arrived, ordinary].map((id) => given(id, 'failed')),
      });
    await eventually(async () => expect(await rowOf(code)).toMatchObject({ state: 'failed' }));
    const last = newId('msg');
    await send(last);
    await messaging.callback(account.phoneNumberId, { statuses: [given(last, 'failed')] });
    await eventually(() => expect(messaging.undeliveredCodes.at(-1)?.messageId).toBe(last));
    const { upstreamId } = (await stateOf(code)) as { upstreamId: string };
    expect(messaging.undeliveredCodes.slice(0, -1)).toEqual([
      { accountId: account.accountId, messageId: code, upstreamId },
    ]);
  });
});
