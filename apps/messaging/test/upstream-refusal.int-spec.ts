import { type AppError, listNumbersV1, newId } from '@switchboard/contracts';
import { type RunningMessaging, startMessaging, type TestAccount } from './support/start-messaging';

describe('a send that upstream rejects', () => {
  let messaging: RunningMessaging;
  let account: TestAccount;

  beforeAll(async () => {
    messaging = await startMessaging();
  });
  beforeEach(async () => {
    messaging.upstream.behave('accept');
    account = await messaging.addAccount();
    await messaging.writeIn(account);
  });
  afterAll(() => messaging.stop());

  const refusalOf = async (id = newId('msg'), more: object = {}): Promise<AppError> => {
    const outcome = await messaging
      .send(account.accountId, { text: { body: 'Hello' } }, id, more)
      .catch((error: unknown) => error);
    return outcome as AppError;
  };
  const sendsOf = (id: string) => messaging.upstream.sends.filter(({ echo }) => echo === id);
  const stateOf = async (id: string) =>
    (await messaging.dataSource.query('SELECT state, error FROM messages WHERE id = $1', [id]))[0];

  it('returns the message id and the platform error', async () => {
    const id = newId('msg');
    messaging.upstream.behave({ refuseWith: 131009, details: 'text.body is odd' });
    const error = {
      reason: 'INVALID_PARAMETER',
      code: 131009,
      title: 'Parameter value is not valid',
      message: 'text.body is odd',
      category: 'other',
      retriable: false,
    };
    const first = await refusalOf(id);
    expect(first).toMatchObject({ code: 'INVALID_PARAMETER', extra: { id, error } });
    expect(await stateOf(id)).toMatchObject({ state: 'failed', error });
    const again = await refusalOf(id);
    expect([again.code, again.message, again.extra]).toEqual([first.code, first.message, first.extra]);
    expect(sendsOf(id)).toHaveLength(1);
  });

  it('omits secrets from the platform error', async () => {
    messaging.upstream.behave({ refuseWith: 131009, details: 'text.body 482913 is odd' });
    const refusal = await refusalOf(newId('msg'), { isSecret: true });
    expect(refusal.extra).toMatchObject({ error: { code: 131009, message: 'Parameter value is not valid' } });
    expect(JSON.stringify(refusal.toBody())).not.toContain('482913');
  });

  it('returns an unlisted error code', async () => {
    messaging.upstream.behave({ refuseWith: 987654, details: 'new since yesterday' });
    expect(await refusalOf()).toMatchObject({
      code: 'UPSTREAM_ERROR',
      message: 'the upstream platform failed: Unknown upstream error 987654',
      extra: { error: { code: 987654, message: 'new since yesterday' } },
    });
  });

  it("returns the subcode's error message again when repeated", async () => {
    const id = newId('msg');
    messaging.upstream.behave({ refuseWith: 100, subcode: 2494100 });
    const refusals = [await refusalOf(id), await refusalOf(id)];
    for (const refusal of refusals)
      expect(refusal).toMatchObject({
        code: 'UPSTREAM_ERROR',
        message: 'the upstream platform failed: Phone number in maintenance mode',
      });
  });

  it('reports a missing app secret proof without stopping the number', async () => {
    messaging.upstream.behave({
      refuseWith: 100,
      message: 'API calls from the server require an appsecret_proof argument',
    });
    expect(await refusalOf()).toMatchObject({
      code: 'UPSTREAM_ERROR',
      message: expect.stringContaining('The app requires a proof by its app secret (appsecret_proof)') as string,
    });
    const { numbers } = await messaging.gateway.request(listNumbersV1, { accountId: account.accountId });
    expect(numbers).toMatchObject([{ status: 'CONNECTED' }]);
  });

  it('stops the number of a locked account', async () => {
    messaging.upstream.behave({ refuseWith: 131031 });
    expect(await refusalOf()).toMatchObject({ code: 'UPSTREAM_ERROR' });
    messaging.upstream.behave('accept');
    expect(await refusalOf()).toMatchObject({ code: 'NUMBER_STOPPED' });
    const { numbers } = await messaging.gateway.request(listNumbersV1, { accountId: account.accountId });
    expect(numbers).toMatchObject([{ status: 'STOPPED', stoppedReason: expect.stringContaining('131031') as string }]);
  });

  it('keeps the number running after a payment error', async () => {
    messaging.upstream.behave({ refuseWith: 131042 });
    expect(await refusalOf()).toMatchObject({ code: 'UPSTREAM_ERROR', extra: { error: { category: 'credit' } } });
    messaging.upstream.behave('accept');
    await expect(messaging.send(account.accountId, { text: { body: 'Hello' } })).resolves.toMatchObject({
      upstreamId: expect.stringMatching(/^wamid\./) as string,
    });
    const { numbers } = await messaging.gateway.request(listNumbersV1, { accountId: account.accountId });
    expect(numbers).toMatchObject([{ status: 'CONNECTED' }]);
  });

  it('is not sent when a proxy rejects it', async () => {
    const id = newId('msg');
    messaging.upstream.behave({ turnAwayWith: 403 });
    expect(await refusalOf(id)).toMatchObject({
      code: 'UPSTREAM_ERROR',
      message: 'the upstream platform failed: Call refused on its way to the platform',
      extra: { id, error: { code: null, message: 'HTTP 403 without an error of the platform' } },
    });
    expect(await stateOf(id)).toMatchObject({ state: 'failed' });
  });

  // Keep this test last: it delays all sends of this process.
  it("is throttled for the delay in a proxy's 429 response", async () => {
    const [first, second] = [newId('msg'), newId('msg')];
    messaging.upstream.behave({ turnAwayWith: 429, retryAfter: '30' });
    expect(await refusalOf(first)).toMatchObject({ code: 'UPSTREAM_THROTTLED', retryAfterSeconds: 30 });
    expect(await stateOf(first)).toMatchObject({ state: 'failed', error: { reason: 'UPSTREAM_THROTTLED' } });
    messaging.upstream.behave('accept');
    expect(await refusalOf(second)).toMatchObject({ code: 'UPSTREAM_THROTTLED', retryAfterSeconds: 30 });
    expect([sendsOf(first).length, sendsOf(second).length]).toEqual([1, 0]);
    expect(await stateOf(second)).toBeUndefined();
  });
});
