import { newId } from '@switchboard/contracts';
import { eventually } from '@switchboard/testing';
import { type RunningMessaging, startMessaging, type TestAccount } from './support/start-messaging';

describe('an upstream platform that throttles or fails', () => {
  let messaging: RunningMessaging;
  let account: TestAccount;

  beforeAll(async () => {
    messaging = await startMessaging({ upstreamTimeoutMs: 12_000 });
  });
  beforeEach(async () => {
    messaging.upstream.behave('accept');
    account = await messaging.addAccount();
    await messaging.writeIn(account);
  });
  afterAll(() => messaging.stop());

  const send = (id = newId('msg'), to?: string) =>
    messaging.send(account.accountId, { text: { body: 'Hello' }, ...(to && { to }) }, id);
  const sendsOf = (id: string) => messaging.upstream.sends.filter(({ echo }) => echo === id);
  const sendsOfNumber = () =>
    messaging.upstream.sends.filter(({ phoneNumberId }) => phoneNumberId === account.phoneNumberId);
  const msOf = async (work: Promise<unknown>): Promise<number> => {
    const startedAt = performance.now();
    await work;
    return performance.now() - startedAt;
  };

  it.each([
    [130429, 3, 250 + 500 + 1_000],
    [131056, 1, 1_000],
    [131000, 3, 250 + 500 + 1_000],
    [131016, 1, 250],
    [1, 1, 250],
  ])('is retried within one send: code %i, %i times', async (refuseWith, times, leastMs) => {
    const id = newId('msg');
    messaging.upstream.behave({ refuseWith, times });
    expect(await msOf(send(id))).toBeGreaterThanOrEqual(leastMs - 5);
    expect(sendsOf(id)).toHaveLength(times + 1);
  });

  it.each([
    ['with a retry delay', '1', 1_000],
    ['without a retry delay', undefined, 2_000],
  ])('is retried within one send: proxy status 429 %s', async (_title, retryAfter, leastMs) => {
    const id = newId('msg');
    messaging.upstream.behave({ turnAwayWith: 429, retryAfter, times: 1 });
    expect(await msOf(send(id))).toBeGreaterThanOrEqual(leastMs - 5);
    expect(sendsOf(id)).toHaveLength(2);
  });

  it('is not called again after a permanent error', async () => {
    const id = newId('msg');
    messaging.upstream.behave({ refuseWith: 131048, times: 1 });
    await expect(send(id)).rejects.toMatchObject({ code: 'UPSTREAM_THROTTLED', retryAfterSeconds: 3_600 });
    expect(sendsOf(id)).toHaveLength(1);
  });

  it('is reported at the deadline and pauses the pair', async () => {
    messaging.upstream.behave({ refuseWith: 131056 });
    await expect(send()).rejects.toMatchObject({ code: 'UPSTREAM_THROTTLED', retryAfterSeconds: 16 });
    const asked = sendsOfNumber().length;
    const id = newId('msg');
    await expect(send(id)).rejects.toMatchObject({ code: 'UPSTREAM_THROTTLED', retryAfterSeconds: 16 });
    expect(sendsOfNumber()).toHaveLength(asked);
    expect(await messaging.dataSource.query('SELECT 1 FROM messages WHERE id = $1', [id])).toEqual([]);
    // Other recipients of the same number are not delayed.
    messaging.upstream.behave('accept');
    await messaging.writeIn(account, '919812340001');
    expect(await msOf(send(newId('msg'), '919812340001'))).toBeLessThan(900);
  });

  it('pauses other sends of a throttled number', async () => {
    messaging.upstream.behave({ refuseWith: 130429, times: 5 });
    const ids = Array.from({ length: 10 }, () => newId('msg'));
    await Promise.all(ids.map((id) => send(id)));
    // Of ten concurrent sends, five were rejected. The others waited instead of retrying repeatedly.
    expect(sendsOfNumber()).toHaveLength(15);
  });

  it('opens the circuit after five consecutive failures', async () => {
    messaging.upstream.behave('fail');
    for (let failure = 0; failure < 5; failure += 1)
      await expect(send()).rejects.toMatchObject({ code: 'UPSTREAM_TIMEOUT' });
    expect(sendsOfNumber()).toHaveLength(5);
    const refused = await Promise.allSettled(Array.from({ length: 10 }, () => send()));
    expect(
      refused.map((outcome) => outcome.status === 'rejected' && (outcome.reason as { code: string }).code),
    ).toEqual(Array(10).fill('UPSTREAM_ERROR'));
    expect(sendsOfNumber()).toHaveLength(5);
    messaging.upstream.behave('accept');
    await eventually(async () => expect(await send()).toBeDefined());
    expect(sendsOfNumber()).toHaveLength(6);
  });
});
