import { ERRORS, newId, templateContentChangedV1, templateSample } from '@switchboard/contracts';
import { eventually } from '@switchboard/testing';
import dns from 'node:dns';
import { CUSTOMER, type RunningMessaging, startMessaging, type TestAccount } from './support/start-messaging';

/** Timers that stay real while the process's clock is wrong. */
const ALL_BUT_DATE = [
  'hrtime',
  'nextTick',
  'performance',
  'queueMicrotask',
  'setImmediate',
  'clearImmediate',
  'setInterval',
  'clearInterval',
  'setTimeout',
  'clearTimeout',
] as const;

describe('send command', () => {
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

  const sendsOf = (messageId: string) => messaging.upstream.sends.filter(({ echo }) => echo === messageId);
  const rowOf = async (messageId: string) =>
    (await messaging.dataSource.query('SELECT * FROM messages WHERE id = $1', [messageId]))[0];
  const refusal = (code: keyof typeof ERRORS, message: string = ERRORS[code].message) =>
    expect.objectContaining({ code, message }) as Error;

  it('sends a text inside the window and returns both ids', async () => {
    await messaging.writeIn(account);
    const id = newId('msg');
    const reply = await messaging.send(account.accountId, { text: { body: 'Hello' }, clientRef: 'order-7' }, id);
    expect(sendsOf(id)).toMatchObject([
      { phoneNumberId: account.phoneNumberId, body: { to: `+${CUSTOMER}`, type: 'text', text: { body: 'Hello' } } },
    ]);
    expect(reply).toEqual({ id, upstreamId: expect.stringMatching(/^wamid\.OUT/) });
    expect(await rowOf(id)).toMatchObject({
      state: 'accepted',
      upstream_id: reply.upstreamId,
      client_ref: 'order-7',
      sender: account.phoneNumber,
    });
  });

  it('rejects a text to a contact who never wrote', async () => {
    const id = newId('msg');
    await expect(messaging.send(account.accountId, { text: { body: 'Hello' } }, id)).rejects.toThrow(
      refusal('WINDOW_CLOSED'),
    );
    expect(sendsOf(id)).toEqual([]);
    expect(await rowOf(id)).toBeUndefined();
  });

  it.each([
    ['24 hours minus 5 seconds ago: sent', '23:59:55', undefined],
    ['24 hours and 1 second ago: rejected', '24:00:01', 'WINDOW_CLOSED'],
  ] as const)('checks the window by the database clock: last inbound message %s', async (_title, age, code) => {
    await messaging.writeIn(account);
    await messaging.dataSource.query(
      'UPDATE service_windows SET last_inbound_at = now() - $2::interval WHERE account_id = $1',
      [account.accountId, age],
    );
    const send = () => messaging.send(account.accountId, { text: { body: 'Hello' } });
    await (code ? expect(send()).rejects.toThrow(refusal(code)) : expect(send()).resolves.toBeDefined());
    // Write again, because the last message counts.
    await messaging.writeIn(account);
    await eventually(() => expect(send()).resolves.toBeDefined());
  });

  it.each([
    ['ahead', 25, '00:00:00', undefined],
    ['behind', -25, '24:00:01', 'WINDOW_CLOSED'],
  ] as const)('checks the window correctly when the process clock is %s', async (_title, hours, age, code) => {
    await messaging.writeIn(account);
    await messaging.dataSource.query(
      'UPDATE service_windows SET last_inbound_at = now() - $2::interval WHERE account_id = $1',
      [account.accountId, age],
    );
    jest.useFakeTimers({ now: Date.now() + hours * 3_600_000, doNotFake: [...ALL_BUT_DATE] });
    const sent = messaging.send(account.accountId, { text: { body: 'Hello' } });
    const outcome = await sent.then(
      () => undefined,
      (error: { code: string }) => error.code,
    );
    jest.useRealTimers();
    expect(outcome).toBe(code);
  });

  it('passes the link of a file to the upstream platform', async () => {
    await messaging.writeIn(account);
    const lookup = jest.spyOn(dns, 'lookup');
    const id = newId('msg');
    const link = 'https://files.example.org/a.png';
    await messaging.send(account.accountId, { type: 'image', image: { link } }, id);
    const hosts = lookup.mock.calls.map(([host]) => host as string);
    lookup.mockRestore();
    expect(sendsOf(id)).toMatchObject([{ body: { image: { link } } }]);
    expect(hosts).not.toContain('files.example.org');
  });

  it('sends an approved template outside the window', async () => {
    messaging.templates.set('order_update', templateSample);
    const id = newId('msg');
    const parameters = ['A-17', 'Monday'].map((text) => ({ type: 'text' as const, text }));
    const template = { name: 'order_update', language: { code: 'en-US' }, components: [{ type: 'body', parameters }] };
    await messaging.send(account.accountId, { type: 'template', template }, id);
    expect(sendsOf(id)).toMatchObject([
      {
        body: {
          template: { name: 'order_update', language: { code: 'en_US' }, components: [{ type: 'body', parameters }] },
        },
      },
    ]);
  });

  it.each([
    ['an unknown template', undefined, 'TEMPLATE_NOT_FOUND', ERRORS.TEMPLATE_NOT_FOUND.message],
    [
      'a template that is not approved',
      { ...templateSample, status: 'PENDING' as const },
      'TEMPLATE_NOT_APPROVED',
      ERRORS.TEMPLATE_NOT_APPROVED.message,
    ],
    ...(['REJECTED', 'FLAGGED', 'DISABLED'] as const).map(
      (status) =>
        [
          `a template that is ${status}`,
          { ...templateSample, status },
          'TEMPLATE_NOT_APPROVED',
          ERRORS.TEMPLATE_NOT_APPROVED.message,
        ] as const,
    ),
    [
      'parameters that do not match the template',
      templateSample,
      'TEMPLATE_PARAMS_MISMATCH',
      'template parameters do not match the template: the body expects 2, 0 given',
    ],
  ] as const)('rejects %s without sending or storing anything', async (_title, template, code, message) => {
    const name = `template_${newId('msg')}`;
    if (template) messaging.templates.set(name, { ...template, name });
    const id = newId('msg');
    const sent = messaging.send(
      account.accountId,
      { type: 'template', template: { name, language: { code: 'en_US' } } },
      id,
    );
    await expect(sent).rejects.toThrow(refusal(code, message));
    expect(sendsOf(id)).toEqual([]);
    expect(await rowOf(id)).toBeUndefined();
  });

  it('reads a template once, and again after it changed', async () => {
    const name = `template_${newId('msg')}`;
    messaging.templates.set(name, { ...templateSample, name, components: [{ type: 'BODY', text: 'Hello' }] });
    const send = () =>
      messaging.send(account.accountId, { type: 'template', template: { name, language: { code: 'en_US' } } });
    await send();
    await send();
    expect(messaging.templateQuestions.filter((question) => 'name' in question && question.name === name)).toHaveLength(
      1,
    );
    messaging.templates.delete(name);
    await messaging.gateway.publish(templateContentChangedV1, { accountId: account.accountId, templateName: name });
    // The cached copy would expire much later.
    await eventually(() => expect(send()).rejects.toThrow(refusal('TEMPLATE_NOT_FOUND')), { timeoutMs: 5_000 });
  });

  it("rejects a send without a number or from another account's number", async () => {
    const noNumber = messaging.send(newId('acc'), { text: { body: 'Hello' } });
    await expect(noNumber).rejects.toThrow(refusal('INVALID_PARAMETER', 'the account has no number to send from'));
    const other = await messaging.addAccount();
    const foreign = messaging.send(account.accountId, { text: { body: 'Hello' }, from: other.phoneNumber });
    await expect(foreign).rejects.toThrow(refusal('INVALID_PARAMETER', 'from is not one of your numbers'));
  });

  it.each([
    [{ refuseWith: 131047 }, 'WINDOW_CLOSED', 131047],
    [{ refuseWith: 132001, status: 404 }, 'TEMPLATE_NOT_FOUND', 132001],
    [{ refuseWith: 190, status: 401 }, 'UPSTREAM_ERROR', 190],
    [{ refuseWith: 100, subcode: 33 }, 'UPSTREAM_ERROR', 100],
    [{ refuseWith: 130429 }, 'UPSTREAM_THROTTLED', 130429],
  ] as const)('maps the upstream error %j to %s and stores the message', async (behaviour, code, upstreamCode) => {
    await messaging.writeIn(account);
    messaging.upstream.behave(behaviour);
    const id = newId('msg');
    await expect(messaging.send(account.accountId, { text: { body: 'Hello' } }, id)).rejects.toMatchObject({
      code,
      status: ERRORS[code].status,
      retryAfterSeconds: code === 'UPSTREAM_THROTTLED' ? 5 : undefined,
    });
    expect(await rowOf(id)).toMatchObject({ state: 'failed', upstream_id: null, error: { code: upstreamCode } });
  });

  it('fails a message unsent if credentials cannot be decrypted', async () => {
    await messaging.writeIn(account);
    await messaging.dataSource.query("UPDATE numbers SET sealed_access_token = 'v1.nonsense' WHERE id = $1", [
      account.numberId,
    ]);
    const id = newId('msg');
    await expect(messaging.send(account.accountId, { text: { body: 'Hello' } }, id)).rejects.toMatchObject({
      code: 'UPSTREAM_ERROR',
    });
    expect(sendsOf(id)).toEqual([]);
    expect(await rowOf(id)).toMatchObject({ state: 'failed', error: { category: 'auth' } });
  });
});
