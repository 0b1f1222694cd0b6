import { createHash } from 'node:crypto';
import { CleanupService } from '../src/cleanup/cleanup.service';
import { hashPassword } from '../src/users/passwords';
import { type Customer, type GatewayUnderTest, startGateway } from './support/gateway';
import { Browser, newUser, PASSWORD, signedIn, usersOn } from './support/console';

const ME = '/console/v1/me';

describe('console session', () => {
  let gateway: GatewayUnderTest;
  let customer: Customer;

  beforeAll(async () => {
    gateway = await startGateway({ standing: ['webhooks'], settings: { TRUSTED_PROXY_HOPS: 1 } });
    customer = await gateway.customer();
  });
  // Resets the counts, so that attempts of one test do not lock another.
  beforeEach(() => sql('DELETE FROM sign_in_attempts'));
  afterAll(() => gateway.close());

  const sql = <T>(text: string, values: unknown[] = []): Promise<T[]> =>
    gateway.database.dataSource.query<T[]>(text, values);
  const from = (address: string) => ({ 'x-forwarded-for': address });
  const audited = async (target: string): Promise<string[]> =>
    (
      await sql<{ entry: string }>(
        `SELECT actor || ' ' || action AS entry FROM audit_log WHERE target = $1 AND account_id = $2 ORDER BY id COLLATE "C"`,
        [target, customer.accountId],
      )
    ).map(({ entry }) => entry);

  it('starts with the correct password', async () => {
    const user = await newUser(gateway, customer.accountId, 'admin');
    const browser = new Browser(gateway.url);
    const { status, body, headers } = await browser.signIn(`  ${user.email.toUpperCase()} `);
    expect(status).toBe(200);
    expect(body).toMatchObject({
      user: { id: user.userId, email: user.email, name: 'Asha', role: 'admin' },
      account: { id: customer.accountId, name: 'Customer', timeZone: null },
    });
    expect(headers.get('set-cookie')).toMatch(/^switchboard_session=[\w-]{43}; Path=\/; HttpOnly; SameSite=Strict$/);
    expect(headers.get('cache-control')).toBe('no-store');
    const again = await browser.call('GET', ME);
    expect([again.status, again.body]).toEqual([200, body]);
    expect(again.headers.get('cache-control')).toBe('no-store');
  });

  it('has a rate limit that the headers report', async () => {
    const browser = await signedIn(gateway, customer.accountId, 'viewer');
    const answers = [];
    // In groups, so that a slow machine does not let requests wait too long for a database connection.
    for (let group = 0; group < 10; group += 1)
      answers.push(...(await Promise.all(Array.from({ length: 20 }, () => browser.call('GET', ME)))));
    const refused = answers.filter(({ status }) => status === 429);
    expect(refused.length).toBeGreaterThan(0);
    const limits = answers.map(({ status, headers }) => `${status} of ${headers.get('x-ratelimit-limit')}`);
    expect([...new Set(limits)].sort()).toEqual(['200 of 300', '429 of 300']);
    for (const { headers, body } of refused)
      expect([Number(headers.get('retry-after')) > 0, headers.get('x-ratelimit-remaining'), body.code]).toEqual([
        true,
        '0',
        'RATE_LIMITED',
      ]);
    expect((await (await signedIn(gateway, customer.accountId, 'viewer')).call('GET', ME)).status).toBe(200);
  });

  it('limits lookups of unknown sessions per network', async () => {
    const tries = Array.from({ length: 80 }, (_, index) => {
      const stranger = Object.assign(new Browser(gateway.url), {
        cookie: `switchboard_session=${String(index).padStart(43, 'x')}`,
      });
      return stranger.call('GET', ME, { headers: from(`2001:db8:0:1::${(index + 1).toString(16)}`) });
    });
    const statuses = (await Promise.all(tries)).map(({ status }) => status);
    expect(statuses.filter((status) => status === 429).length).toBeGreaterThanOrEqual(15);
    expect(statuses.filter((status) => status === 401).length).toBeGreaterThanOrEqual(60);
  });

  it('stores only hashes of its token and the password', async () => {
    const browser = await signedIn(gateway, customer.accountId);
    const token = browser.cookie.split('=')[1] ?? '';
    const dump = JSON.stringify([
      await sql('SELECT * FROM users'),
      await sql(`SELECT id, encode(token_sha256, 'base64') FROM sessions`),
      await sql('SELECT * FROM audit_log'),
    ]);
    for (const secret of [token, browser.csrfToken, PASSWORD]) expect(dump).not.toContain(secret);
  });

  it('ends on sign-out', async () => {
    const browser = await signedIn(gateway, customer.accountId, 'viewer');
    const stolen = browser.cookie;
    const { status, headers } = await browser.call('DELETE', '/console/v1/session');
    expect([status, headers.get('set-cookie')]).toEqual([
      200,
      'switchboard_session=; Path=/; HttpOnly; SameSite=Strict; Max-Age=0',
    ]);
    browser.cookie = stolen;
    expect((await browser.call('GET', ME)).status).toBe(401);
    const actor = `user:${browser.user.userId}`;
    expect(await audited(browser.user.userId)).toEqual([
      'test user.create',
      `${actor} user.sign-in`,
      `${actor} user.sign-out`,
    ]);
  });

  it.each([
    ['has been idle for an hour', "seen_at = now() - interval '61 minutes'"],
    ['is twelve hours old', 'expires_at = now()'],
  ])('ends when it %s', async (_, change) => {
    const browser = await signedIn(gateway, customer.accountId);
    await sql(`UPDATE sessions SET ${change} WHERE user_id = $1`, [browser.user.userId]);
    const { status, body } = await browser.call('GET', ME);
    expect([status, body.code, body.message]).toEqual([
      401,
      'UNAUTHORIZED',
      'you are not signed in, or your session has ended',
    ]);
    await gateway.app.get(CleanupService).deleteBatch('console');
    expect(await sql('SELECT 1 FROM sessions WHERE user_id = $1', [browser.user.userId])).toEqual([]);
  });

  it('stays active while it is used', async () => {
    const browser = await signedIn(gateway, customer.accountId);
    await sql(`UPDATE sessions SET seen_at = now() - interval '59 minutes' WHERE user_id = $1`, [browser.user.userId]);
    await browser.call('GET', ME);
    const [seen] = await sql<{ fresh: boolean }>(
      `SELECT seen_at > now() - interval '1 minute' AS fresh FROM sessions WHERE user_id = $1`,
      [browser.user.userId],
    );
    expect(seen).toEqual({ fresh: true });
  });

  it('requires the CSRF token and a same-site request for changes', async () => {
    const browser = await signedIn(gateway, customer.accountId);
    const other = await signedIn(gateway, customer.accountId);
    const signOutWith = async (headers: Record<string, string>): Promise<unknown> =>
      (await browser.call('DELETE', '/console/v1/session', { headers })).body.code;
    expect(await signOutWith({ 'x-csrf-token': '' })).toBe('CSRF_TOKEN_INVALID');
    expect(await signOutWith({ 'x-csrf-token': other.csrfToken })).toBe('CSRF_TOKEN_INVALID');
    expect(await signOutWith({ 'sec-fetch-site': 'cross-site' })).toBe('CSRF_TOKEN_INVALID');
    expect(
      (await new Browser(gateway.url).signIn(other.user.email, PASSWORD, { 'sec-fetch-site': 'cross-site' })).status,
    ).toBe(403);
    expect((await browser.call('GET', ME)).status).toBe(200);
  });

  it('allows only signing out while the account is suspended', async () => {
    const browser = await signedIn(gateway, customer.accountId);
    await gateway.services.accounts.suspendAccount(customer.accountId, 'unpaid', 'test');
    const signOut = (headers: Record<string, string>) => browser.call('DELETE', '/console/v1/session', { headers });
    for (const [method, path] of [
      ['GET', ME],
      ['DELETE', `${ME}/sessions`],
    ] as const)
      expect((await browser.call(method, path)).body.code).toBe('ACCOUNT_SUSPENDED');
    expect((await signOut({ 'sec-fetch-site': 'cross-site' })).body.code).toBe('CSRF_TOKEN_INVALID');
    expect((await signOut({ 'x-csrf-token': '' })).status).toBe(200);
    await gateway.services.accounts.resumeAccount(customer.accountId, 'test');
    expect((await browser.call('GET', ME)).status).toBe(401);
  });

  it('is not accepted as an API key, or vice versa', async () => {
    const browser = await signedIn(gateway, customer.accountId);
    expect((await browser.call('GET', '/v1/me')).status).toBe(401);
    expect(
      (await new Browser(gateway.url).call('GET', ME, { headers: { authorization: `Bearer ${customer.apiKey}` } }))
        .status,
    ).toBe(401);
  });

  it('ends with all other sessions on a password change', async () => {
    const browser = await signedIn(gateway, customer.accountId, 'viewer');
    const elsewhere = new Browser(gateway.url);
    await elsewhere.signIn(browser.user.email);
    const old = browser.cookie;
    const change = (currentPassword: string, newPassword: string) =>
      browser.call('PUT', `${ME}/password`, { body: { currentPassword, newPassword } });
    expect((await change('wrong horse battery', 'another horse battery')).body.code).toBe('SIGN_IN_FAILED');
    expect((await change(PASSWORD, 'short')).body.code).toBe('INVALID_VALUE');
    for (const common of ['Password1234!', `${browser.user.email}1`, 'Switchboard2026!'])
      expect((await change(PASSWORD, common)).body).toMatchObject({
        code: 'INVALID_VALUE',
        details: [{ field: 'password' }],
      });
    expect((await change(PASSWORD, 'another horse battery')).status).toBe(200);
    expect((await browser.call('GET', ME)).status).toBe(200);
    expect((await elsewhere.call('GET', ME)).status).toBe(401);
    expect((await browser.call('GET', ME, { headers: { cookie: old } })).status).toBe(401);
    expect((await new Browser(gateway.url).signIn(browser.user.email)).status).toBe(401);
    expect((await new Browser(gateway.url).signIn(browser.user.email, 'another horse battery')).status).toBe(200);
    expect(await audited(browser.user.userId)).toContain(`user:${browser.user.userId} user.set-password`);
  });

  it('accepts an existing password even if it is common', async () => {
    const { userId, email } = await newUser(gateway, customer.accountId);
    await sql('UPDATE users SET password_hash = $2 WHERE id = $1', [userId, await hashPassword('Password1234!')]);
    expect((await new Browser(gateway.url).signIn(email, 'Password1234!')).status).toBe(200);
  });

  it('ends when the operator disables its user', async () => {
    const browser = await signedIn(gateway, customer.accountId);
    await usersOn(gateway).disableUser(browser.user.userId, 'test');
    expect((await browser.call('GET', ME)).status).toBe(401);
    expect((await browser.signIn(browser.user.email)).body.code).toBe('SIGN_IN_FAILED');
    await usersOn(gateway).enableUser(browser.user.userId, 'test');
    expect((await browser.signIn(browser.user.email)).status).toBe(200);
  });

  it('rejects wrong passwords and unknown users with the same error', async () => {
    const known = await newUser(gateway, customer.accountId);
    const disabled = await newUser(gateway, customer.accountId);
    await usersOn(gateway).disableUser(disabled.userId, 'test');
    const times: Record<string, number[]> = {};
    const answers = new Set<string>();
    for (let round = 0; round < 15; round += 1) {
      for (const [kind, email, password] of [
        ['known', known.email, 'wrong horse battery'],
        ['unknown', 'nobody@example.com', PASSWORD],
        ['disabled', disabled.email, PASSWORD],
      ] as const) {
        const startedAt = performance.now();
        const { status, body } = await new Browser(gateway.url).signIn(
          email,
          password,
          from(`192.0.2.${round * 3 + 1}`),
        );
        (times[kind] ??= []).push(performance.now() - startedAt);
        answers.add(JSON.stringify([status, { ...body, requestId: undefined }]));
      }
    }
    expect([...answers]).toEqual([
      JSON.stringify([
        401,
        { success: false, message: 'wrong e-mail address or password', code: 'SIGN_IN_FAILED', details: [] },
      ]),
    ]);
    const medians = Object.values(times).map((all) => all.sort((a, b) => a - b)[7] ?? 0);
    // Most of the time is spent on hashing; a response without it would take a fraction.
    expect(Math.min(...medians)).toBeGreaterThan(Math.max(...medians) / 2);
  });
});

describe('repeated sign-ins', () => {
  let gateway: GatewayUnderTest;
  let customer: Customer;

  beforeAll(async () => {
    gateway = await startGateway({ standing: [], settings: { TRUSTED_PROXY_HOPS: 1 } });
    customer = await gateway.customer();
  });
  beforeEach(() => gateway.database.dataSource.query('DELETE FROM sign_in_attempts'));
  afterAll(() => gateway.close());

  const attempt = (email: string, address: string, password = 'wrong horse battery') =>
    new Browser(gateway.url).signIn(email, password, { 'x-forwarded-for': address });

  it.each(['an existing user', 'an unknown user'])(
    'lock out %s from this address after wrong passwords',
    async (who) => {
      const email =
        who === 'an unknown user' ? 'nobody@example.com' : (await newUser(gateway, customer.accountId)).email;
      const answers = await Promise.all(Array.from({ length: 20 }, () => attempt(email, '192.0.2.1')));
      expect(answers.map(({ status }) => status).sort()).toEqual([
        ...Array.from({ length: 5 }, () => 401),
        ...Array.from({ length: 15 }, () => 429),
      ]);
      const locked = await attempt(email, '192.0.2.1', PASSWORD);
      expect([locked.status, locked.body.code]).toEqual([429, 'SIGN_IN_LOCKED']);
      expect(Number(locked.headers.get('retry-after'))).toBeGreaterThan(800);
      expect(Number(locked.headers.get('retry-after'))).toBeLessThanOrEqual(900);
      if (who === 'an unknown user') return;
      expect((await attempt(email, '192.0.2.2', PASSWORD)).status).toBe(200);
      await gateway.database.dataSource.query(`UPDATE sign_in_attempts SET ends_at = now()`);
      expect((await attempt(email, '192.0.2.1', PASSWORD)).status).toBe(200);
    },
  );

  it('are limited by address and by user', async () => {
    const one = await Promise.all(
      Array.from({ length: 35 }, (_, index) => attempt(`nobody-${index}@example.com`, '192.0.2.1')),
    );
    expect(one.filter(({ status }) => status === 401)).toHaveLength(30);
    const { email } = await newUser(gateway, customer.accountId);
    const many = await Promise.all(Array.from({ length: 55 }, (_, index) => attempt(email, `198.51.100.${index}`)));
    expect(many.filter(({ status }) => status === 401)).toHaveLength(50);
  });

  it('are counted by keyed hashes', async () => {
    await attempt('nobody@example.com', '192.0.2.1');
    const rows: { subject: Buffer }[] = await gateway.database.dataSource.query('SELECT subject FROM sign_in_attempts');
    const guesses = [
      ['user', 'nobody@example.com'],
      ['user and address', 'nobody@example.com', '192.0.2.1'],
      ['address', '192.0.2.1'],
    ];
    const hashed = guesses.map((parts) => createHash('sha256').update(JSON.stringify(parts)).digest('hex'));
    expect(rows).toHaveLength(3);
    expect(rows.map(({ subject }) => subject.toString('hex')).filter((subject) => hashed.includes(subject))).toEqual(
      [],
    );
  });

  it('do not count if they succeed', async () => {
    const { email } = await newUser(gateway, customer.accountId);
    for (let round = 0; round < 8; round += 1) expect((await attempt(email, '192.0.2.1', PASSWORD)).status).toBe(200);
  });
});
