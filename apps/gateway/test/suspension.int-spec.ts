import { eventually } from '@switchboard/testing';
import { KEY_CACHE_TTL_MS, KeyCache } from '../src/auth/key-cache';
import { Browser, newUser, PASSWORD, signedIn } from './support/console';
import { expectOurShape } from './support/error-shape';
import { type GatewayUnderTest, startThreeGateways } from './support/gateway';
import { call } from './support/http';

/** Shorter than a gateway that missed the event needs: its cached key expires later, whatever else the machine does. */
const BY_EVENT = { timeoutMs: KEY_CACHE_TTL_MS / 2 };

describe('suspended account', () => {
  let gateways: GatewayUnderTest[];
  let first: GatewayUnderTest;

  beforeAll(async () => {
    gateways = await startThreeGateways();
    [first] = gateways as [GatewayUnderTest];
  });
  afterAll(async () => {
    for (const gateway of [...gateways].reverse()) await gateway.close();
  });

  const me = (gateway: GatewayUnderTest, key: string) => call(`${gateway.url}/v1/me`, { key });
  /**
   * Sends requests with the given keys to every gateway continuously.
   * @returns the time until all requests returned this status, in milliseconds
   */
  const timeUntilAll = async (keys: string[], status: number): Promise<number> => {
    const changedAt = performance.now();
    const times = gateways.flatMap((gateway) =>
      keys.map(async (key) => {
        await eventually(async () => expect((await me(gateway, key)).status).toBe(status), BY_EVENT);
        return performance.now() - changedAt;
      }),
    );
    return Math.max(...(await Promise.all(times)));
  };

  it('is rejected by all three gateways before a cached key expires', async () => {
    const { accounts, keys } = first.services;
    const times: { suspended: number[]; resumed: number[] } = { suspended: [], resumed: [] };
    for (let round = 0; round < 10; round += 1) {
      const { accountId, apiKey } = await first.customer();
      const second = await keys.createKey({ accountId, name: 'second', allowedIps: [], allowedRoutes: [] }, 'test');
      const both = [apiKey, second.apiKey];
      await timeUntilAll(both, 200);
      await accounts.suspendAccount(accountId, 'unpaid', 'test');
      times.suspended.push(await timeUntilAll(both, 403));
      await accounts.resumeAccount(accountId, 'test');
      times.resumed.push(await timeUntilAll(both, 200));
    }
    const slowest = { suspended: Math.max(...times.suspended), resumed: Math.max(...times.resumed) };
    process.stdout.write(
      `10 suspensions over 3 gateways: refused everywhere after ${slowest.suspended.toFixed(0)} ms, let in again after ${slowest.resumed.toFixed(0)} ms (slowest)\n`,
    );
  });

  it('receives a documented error without the reason', async () => {
    const { accountId, apiKey } = await first.customer();
    const other = await first.customer();
    await first.services.accounts.suspendAccount(accountId, 'unpaid', 'test');
    await timeUntilAll([apiKey], 403);
    const answer = await me(first, apiKey);
    expectOurShape(answer);
    expect([answer.body.code, answer.body.message]).toEqual(['ACCOUNT_SUSPENDED', 'the account is suspended']);
    expect(JSON.stringify(answer.body)).not.toContain('unpaid');
    expect(answer.headers.get('x-ratelimit-limit')).toBe('6000');
    for (const gateway of gateways) expect((await me(gateway, other.apiKey)).status).toBe(200);
    const send = await call(`${first.url}/v1/messages/send`, { key: apiKey, body: 'no json' });
    expect([send.status, send.body.code]).toEqual([403, 'ACCOUNT_SUSPENDED']);
  });

  it('is rejected by gateways that missed the event', async () => {
    const { accountId, apiKey } = await first.customer();
    await timeUntilAll([apiKey], 200);
    await first.database.dataSource.query('UPDATE accounts SET suspended_at = now() WHERE id = $1', [accountId]);
    for (const gateway of gateways) gateway.app.get(KeyCache).clear();
    for (const gateway of gateways) expect((await me(gateway, apiKey)).status).toBe(403);
  });

  it('allows no sessions or sign-ins until resumed', async () => {
    const { accountId } = await first.customer();
    const browser = await signedIn(first, accountId);
    const { email, userId } = await newUser(first, accountId);
    const elsewhere = await signedIn(first, (await first.customer()).accountId);
    await first.services.accounts.suspendAccount(accountId, undefined, 'test');
    for (const path of ['/console/v1/me', '/console/v1/account']) {
      const { status, body } = await browser.call('GET', path);
      expect([status, body.code, body.message]).toEqual([403, 'ACCOUNT_SUSPENDED', 'the account is suspended']);
    }
    const refused = await new Browser(first.url).signIn(email, PASSWORD);
    expect([refused.status, refused.body.code, refused.headers.getSetCookie()]).toEqual([403, 'ACCOUNT_SUSPENDED', []]);
    expect(await first.database.dataSource.query('SELECT id FROM sessions WHERE user_id = $1', [userId])).toEqual([]);
    expect((await new Browser(first.url).signIn(email, 'a wrong password')).body.code).toBe('SIGN_IN_FAILED');
    expect((await elsewhere.call('GET', '/console/v1/me')).status).toBe(200);
    await first.services.accounts.resumeAccount(accountId, 'test');
    expect((await browser.call('GET', '/console/v1/me')).status).toBe(200);
    expect((await new Browser(first.url).signIn(email, PASSWORD)).status).toBe(200);
  });
});
