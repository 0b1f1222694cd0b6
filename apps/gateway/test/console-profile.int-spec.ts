import { type Customer, type GatewayUnderTest, startGateway } from './support/gateway';
import { Browser, newUser, signedIn } from './support/console';

const ME = '/console/v1/me';
const SESSIONS = `${ME}/sessions`;

interface ShownSession {
  id: string;
  isCurrent: boolean;
  address: string | null;
  userAgent: string | null;
}

describe('user profile', () => {
  let gateway: GatewayUnderTest;
  let customer: Customer;

  beforeAll(async () => {
    gateway = await startGateway({ standing: [], settings: { TRUSTED_PROXY_HOPS: 1 } });
    customer = await gateway.customer();
  });
  beforeEach(() => sql('DELETE FROM sign_in_attempts'));
  afterAll(() => gateway.close());

  const sql = <T>(text: string, values: unknown[] = []): Promise<T[]> =>
    gateway.database.dataSource.query<T[]>(text, values);
  const listed = async (browser: Browser, query = ''): Promise<ShownSession[]> =>
    (await browser.call('GET', `${SESSIONS}${query}`)).body.sessions as ShownSession[];

  it('changes the name that others see', async () => {
    const browser = await signedIn(gateway, customer.accountId, 'viewer');
    expect((await browser.call('PATCH', ME, { body: { name: 'Asha Rao' } })).status).toBe(200);
    expect((await browser.call('GET', ME)).body.user).toMatchObject({ name: 'Asha Rao' });
    expect((await browser.call('PATCH', ME, { body: { name: ' ' } })).status).toBeGreaterThanOrEqual(400);
    const entries = await sql('SELECT actor, action FROM audit_log WHERE target = $1 AND action = $2', [
      browser.user.userId,
      'user.rename',
    ]);
    expect(entries).toEqual([{ actor: `user:${browser.user.userId}`, action: 'user.rename' }]);
  });

  it.each([['x\u001b]0;owned'], ['a\u202eb'], ['a\nb'], ['\u009b31m']])('rejects the name %j', async (name) => {
    const browser = await signedIn(gateway, customer.accountId, 'viewer');
    const before = (await browser.call('GET', ME)).body.user;
    expect(await browser.call('PATCH', ME, { body: { name } })).toMatchObject({
      status: 422,
      body: { code: 'INVALID_VALUE', details: [{ field: 'name' }] },
    });
    expect((await browser.call('GET', ME)).body.user).toEqual(before);
  });

  it('lists sessions with their origin, newest first', async () => {
    const user = await newUser(gateway, customer.accountId, 'viewer');
    const browsers = ['203.0.113.1', '203.0.113.2', '203.0.113.3'].map((address) => ({
      browser: new Browser(gateway.url),
      headers: { 'x-forwarded-for': address, 'user-agent': `Firefox of ${address} <b>${'x'.repeat(600)}` },
    }));
    for (const { browser, headers } of browsers) await browser.signIn(user.email, undefined, headers);
    const [, second] = browsers;
    if (!second) throw new Error('there are three');
    const sessions = await listed(second.browser);
    expect(sessions.map(({ address, isCurrent }) => [address, isCurrent])).toEqual([
      ['203.0.113.3', false],
      ['203.0.113.2', true],
      ['203.0.113.1', false],
    ]);
    expect(sessions[0]?.userAgent).toMatch(/^Firefox of 203\.0\.113\.3 <b>x+$/);
    expect(sessions[0]?.userAgent?.length).toBeLessThanOrEqual(255);
    const page = await second.browser.call('GET', `${SESSIONS}?limit=2`);
    expect(await listed(second.browser, `?limit=2&cursor=${String(page.body.nextCursor)}`)).toEqual(sessions.slice(2));
    expect(JSON.stringify(sessions)).not.toContain(second.browser.cookie.split('=')[1]);
  });

  it("ends one or all of the user's other sessions", async () => {
    const user = await newUser(gateway, customer.accountId, 'viewer');
    const [here, there, elsewhere] = [new Browser(gateway.url), new Browser(gateway.url), new Browser(gateway.url)];
    for (const browser of [here, there, elsewhere]) await browser.signIn(user.email);
    const stranger = await signedIn(gateway, customer.accountId);
    const own = (await listed(here)).find(({ isCurrent }) => isCurrent)?.id ?? '';
    const ofThere = (await listed(there)).find(({ isCurrent }) => isCurrent)?.id ?? '';
    expect((await here.call('DELETE', `${SESSIONS}/${own}`)).status).toBe(404);
    expect((await stranger.call('DELETE', `${SESSIONS}/${ofThere}`)).status).toBe(404);
    expect((await here.call('DELETE', `${SESSIONS}/${ofThere}`)).body).toMatchObject({ ended: 1 });
    expect((await there.call('GET', ME)).status).toBe(401);
    expect((await here.call('DELETE', `${SESSIONS}/${ofThere}`)).status).toBe(404);
    expect((await here.call('DELETE', SESSIONS)).body).toMatchObject({ ended: 1 });
    expect([(await elsewhere.call('GET', ME)).status, (await here.call('GET', ME)).status]).toEqual([401, 200]);
    expect((await stranger.call('GET', ME)).status).toBe(200);
  });

  it('does not extend a session that only polls', async () => {
    const browser = await signedIn(gateway, customer.accountId);
    const age = (interval: string) =>
      sql(`UPDATE sessions SET seen_at = now() - $2::interval WHERE user_id = $1`, [browser.user.userId, interval]);
    await age('59 minutes');
    const poll = { headers: { 'x-switchboard-poll': '1' } };
    for (let count = 0; count < 3; count += 1) expect((await browser.call('GET', ME, poll)).status).toBe(200);
    const [seen] = await sql<{ isOld: boolean }>(
      `SELECT seen_at < now() - interval '58 minutes' AS "isOld" FROM sessions WHERE user_id = $1`,
      [browser.user.userId],
    );
    expect(seen).toEqual({ isOld: true });
    await age('61 minutes');
    expect((await browser.call('GET', ME, poll)).status).toBe(401);
  });

  it('extends a session on a change despite the poll header', async () => {
    const browser = await signedIn(gateway, customer.accountId);
    await sql(`UPDATE sessions SET seen_at = now() - interval '59 minutes' WHERE user_id = $1`, [browser.user.userId]);
    await browser.call('PATCH', ME, { body: { name: 'Asha' }, headers: { 'x-switchboard-poll': '1' } });
    const [seen] = await sql<{ fresh: boolean }>(
      `SELECT seen_at > now() - interval '1 minute' AS fresh FROM sessions WHERE user_id = $1`,
      [browser.user.userId],
    );
    expect(seen).toEqual({ fresh: true });
  });
});
