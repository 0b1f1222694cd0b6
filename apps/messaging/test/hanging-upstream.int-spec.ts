import { newId } from '@switchboard/contracts';
import { CUSTOMER, type RunningMessaging, startMessaging, type TestAccount } from './support/start-messaging';

const TIMEOUT_MS = 400;

describe('an upstream platform that accepts sends without responding', () => {
  let messaging: RunningMessaging;
  let account: TestAccount;
  let other: TestAccount;
  const customers = Array.from({ length: 6 }, (_unused, index) => `91982222${String(1_000 + index)}`);

  beforeAll(async () => {
    messaging = await startMessaging({ upstreamTimeoutMs: TIMEOUT_MS });
    account = await messaging.addAccount();
    other = await messaging.addAccount();
    for (const from of [...customers, CUSTOMER]) await messaging.writeIn(account, from);
    await messaging.writeIn(other);
  });
  afterAll(() => messaging.stop());

  const outcome = (to: string, { accountId } = account): Promise<string> =>
    messaging.send(accountId, { to, text: { body: 'Hello' } }, newId('msg')).then(
      () => 'accepted',
      ({ code }: { code: string }) => code,
    );

  it('pauses a number after five timeouts to different contacts', async () => {
    messaging.upstream.behave('hang');
    for (let times = 0; times < 6; times += 1) expect(await outcome(CUSTOMER)).toBe('UPSTREAM_TIMEOUT');
    messaging.upstream.behave('accept');
    expect(await outcome(CUSTOMER)).toBe('accepted');
    messaging.upstream.behave('hang');
    expect(await Promise.all(customers.slice(0, 5).map((to) => outcome(to)))).toEqual(
      Array(5).fill('UPSTREAM_TIMEOUT'),
    );
    const reached = messaging.upstream.sends.length;
    messaging.upstream.behave('accept');
    expect(await outcome(customers[5] ?? '')).toBe('UPSTREAM_ERROR');
    expect(messaging.upstream.sends).toHaveLength(reached);
    expect(await outcome(CUSTOMER, other)).toBe('accepted');
  });
});
